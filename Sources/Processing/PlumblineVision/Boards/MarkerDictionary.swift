import CEmbeddedData

/// A set of square markers and the codes that identify them.
package struct MarkerDictionary: Sendable {
  /// The predefined sets by their usual names.
  package enum Name: String, Sendable, CaseIterable {
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
  package let name: Name
  /// The number of cells along a side, the black border not counted.
  package let side: Int
  /// How many wrong cells can be corrected without mistaking one marker for another.
  package let maxCorrectionBits: Int
  private let words: [UInt64]

  /// The predefined set of a name; O(*n*) of its markers.
  package init(_ name: Name) {
    self.name = name
    self.side = Self.side(of: name)
    self.maxCorrectionBits = Self.maxCorrectionBits(of: name)
    self.words = Self.words(of: name)
  }

  /// The number of markers; they are numbered from 0.
  package var count: Int { words.count }

  /// The cells of a marker, row after row: the top-left one in the highest of `side²` bits, white
  /// is 1.
  ///
  /// - Precondition: The number is from 0 to `count − 1`.
  package func bits(of id: Int) -> UInt64 {
    precondition(words.indices.contains(id), "\(name.rawValue) has no marker \(id)")
    return words[id]
  }

  /// Whether a cell of a marker is white, counted from its top-left cell.
  ///
  /// - Precondition: The marker and the cell exist.
  package func isWhite(column: Int, row: Int, of id: Int) -> Bool {
    let cells = 0..<side
    precondition(cells.contains(column) && cells.contains(row), "no cell (\(column), \(row))")
    return bits(of: id) >> UInt64(side * side - 1 - (row * side + column)) & 1 == 1
  }
}

extension MarkerDictionary {
  /// The number of cells along a side of a set's markers, the black border not counted.
  static func side(of name: Name) -> Int {
    switch name {
    case .aruco4x4x50, .aruco4x4x100, .aruco4x4x250, .aruco4x4x1000, .aprilTag16h5: 4
    case .aruco5x5x50, .aruco5x5x100, .aruco5x5x250, .aruco5x5x1000, .aprilTag25h9: 5
    case .arucoOriginal: 5
    case .aruco6x6x50, .aruco6x6x100, .aruco6x6x250, .aruco6x6x1000: 6
    case .aprilTag36h10, .aprilTag36h11, .arucoMIP36h12: 6
    case .aruco7x7x50, .aruco7x7x100, .aruco7x7x250, .aruco7x7x1000: 7
    }
  }

  /// The number of markers of a set.
  static func count(of name: Name) -> Int {
    switch name {
    case .aruco4x4x50, .aruco5x5x50, .aruco6x6x50, .aruco7x7x50: 50
    case .aruco4x4x100, .aruco5x5x100, .aruco6x6x100, .aruco7x7x100: 100
    case .aruco4x4x250, .aruco5x5x250, .aruco6x6x250, .aruco7x7x250, .arucoMIP36h12: 250
    case .aruco4x4x1000, .aruco5x5x1000, .aruco6x6x1000, .aruco7x7x1000: 1000
    case .arucoOriginal: 1024
    case .aprilTag16h5: 30
    case .aprilTag25h9: 35
    case .aprilTag36h10: 2320
    case .aprilTag36h11: 587
    }
  }

  /// How many wrong cells the distance between a set's markers lets one correct.
  ///
  /// - Source: the numbers that OpenCV 5.0 publishes with its sets; a test compares them.
  static func maxCorrectionBits(of name: Name) -> Int {
    switch name {
    case .aruco4x4x1000: 0
    case .aruco4x4x50, .aruco4x4x100, .aruco4x4x250, .arucoOriginal: 1
    case .aruco5x5x250, .aruco5x5x1000, .aprilTag16h5: 2
    case .aruco5x5x50, .aruco5x5x100: 3
    case .aruco6x6x1000, .aprilTag25h9, .aprilTag36h10: 4
    case .aruco6x6x100, .aruco6x6x250, .aprilTag36h11, .arucoMIP36h12: 5
    case .aruco6x6x50, .aruco7x7x1000: 6
    case .aruco7x7x100, .aruco7x7x250: 8
    case .aruco7x7x50: 9
    }
  }

  /// The cells of a set's markers.
  static func words(of name: Name) -> [UInt64] {
    let count = count(of: name)
    let words =
      switch name {
      case .aruco4x4x50, .aruco4x4x100, .aruco4x4x250, .aruco4x4x1000: plb_markers_aruco_4x4()
      case .aruco5x5x50, .aruco5x5x100, .aruco5x5x250, .aruco5x5x1000: plb_markers_aruco_5x5()
      case .aruco6x6x50, .aruco6x6x100, .aruco6x6x250, .aruco6x6x1000: plb_markers_aruco_6x6()
      case .aruco7x7x50, .aruco7x7x100, .aruco7x7x250, .aruco7x7x1000: plb_markers_aruco_7x7()
      case .aprilTag16h5: plb_markers_apriltag_16h5()
      case .aprilTag25h9: plb_markers_apriltag_25h9()
      case .aprilTag36h10: plb_markers_apriltag_36h10()
      case .aprilTag36h11: plb_markers_apriltag_36h11()
      case .arucoMIP36h12: plb_markers_aruco_mip_36h12()
      case .arucoOriginal: UnsafePointer<UInt64>?.none
      }
    if let words { return Array(UnsafeBufferPointer(start: words, count: count)) }
    return (0..<count).map(originalWord)
  }

  /// A marker of the first ArUco library: two bits of the number a row, the high ones first, each
  /// pair written as one of four words of five cells.
  ///
  /// - Source: S. Garrido-Jurado et al., ArUco 1.0; the words are 10000, 10111, 01001 and 01110.
  private static func originalWord(of id: Int) -> UInt64 {
    let rows: [UInt64] = [0b10000, 0b10111, 0b01001, 0b01110]
    return stride(from: 8, through: 0, by: -2).reduce(0) { $0 << 5 | rows[(id >> $1) & 3] }
  }
}
