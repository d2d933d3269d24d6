/// A set of square markers and the codes that identify them.
public struct MarkerDictionary: Sendable {
  /// The predefined sets by their usual names.
  public enum Name: String, Sendable, CaseIterable {
    case aruco4x4x50 = "DICT_4X4_50"
    case aruco4x4x100 = "DICT_4X4_100"
    case aruco4x4x250 = "DICT_4X4_250"
    case aruco4x4x1000 = "DICT_4X4_1000"
    case aruco5x5x50 = "DICT_5X5_50"
    case aruco5x5x100 = "DICT_5X5_100"
    case aruco5x5x250 = "DICT_5X5_250"
    case aruco5x5x1000 = "DICT_5X5_1000"
    case aruco6x6x50 = "DICT_6X6_50"
    case aruco6x6x100 = "DICT_6X6_100"
    case aruco6x6x250 = "DICT_6X6_250"
    case aruco6x6x1000 = "DICT_6X6_1000"
    case aruco7x7x50 = "DICT_7X7_50"
    case aruco7x7x100 = "DICT_7X7_100"
    case aruco7x7x250 = "DICT_7X7_250"
    case aruco7x7x1000 = "DICT_7X7_1000"
    case arucoOriginal = "DICT_ARUCO_ORIGINAL"
    case aprilTag16h5 = "DICT_APRILTAG_16H5"
    case aprilTag25h9 = "DICT_APRILTAG_25H9"
    case aprilTag36h10 = "DICT_APRILTAG_36H10"
    case aprilTag36h11 = "DICT_APRILTAG_36H11"
    case arucoMIP36h12 = "DICT_ARUCO_MIP_36H12"
  }

  /// Which set this is.
  public let name: Name
  /// The number of cells along a side, the black border not counted.
  public let side: Int
  /// How many wrong cells can be corrected without mistaking one marker for another.
  public let maxCorrectionBits: Int
  private let words: [UInt64]

  /// The predefined set of a name; O(*n*) of its markers.
  public init(_ name: Name) {
    self.name = name
    self.side = Self.side(of: name)
    self.maxCorrectionBits = Self.maxCorrectionBits(of: name)
    self.words = Self.words(of: name)
  }

  /// The number of markers; they are numbered from 0.
  public var count: Int { words.count }

  /// The cells of a marker, row after row: the top-left one in the highest of `side²` bits, white
  /// is 1.
  ///
  /// - Precondition: The number is from 0 to `count − 1`.
  public func bits(of id: Int) -> UInt64 {
    precondition(words.indices.contains(id), "\(name.rawValue) has no marker \(id)")
    return words[id]
  }

  /// Whether a cell of a marker is white, counted from its top-left cell.
  ///
  /// - Precondition: The marker and the cell exist.
  public func isWhite(column: Int, row: Int, of id: Int) -> Bool {
    let cells = 0..<side
    precondition(cells.contains(column) && cells.contains(row), "no cell (\(column), \(row))")
    return bits(of: id) >> UInt64(side * side - 1 - (row * side + column)) & 1 == 1
  }
}
