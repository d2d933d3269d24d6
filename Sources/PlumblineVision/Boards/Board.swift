/// A flat calibration board: its squares, its pattern, and where its corners are.
///
/// Frame of the board: origin at the outer corner of the top-left square as the pattern is read,
/// `x` right along the columns, `y` down along the rows, `z` into the board, away from who looks
/// at it. Unit: meters.
public struct Board: Hashable, Sendable {
  /// The patterns of squares.
  public enum Pattern: Hashable, Sendable {
    /// Black and white squares only.
    case chessboard
    /// A marker in every white square.
    case charuco(CharucoPattern)
  }

  /// The number of squares along `x`.
  public var columns: Int
  /// The number of squares along `y`.
  public var rows: Int
  /// The side of a square in meters.
  public var squareMeters: Double
  /// The pattern of the squares.
  public var pattern: Pattern

  /// Creates a board.
  ///
  /// - Precondition: Two squares each way at least, and a side above 0.
  public init(columns: Int, rows: Int, squareMeters: Double, pattern: Pattern) {
    precondition(
      columns >= 2 && rows >= 2 && squareMeters > 0 && squareMeters.isFinite,
      "\(columns) × \(rows) squares of \(squareMeters) m make no board")
    self.columns = columns
    self.rows = rows
    self.squareMeters = squareMeters
    self.pattern = pattern
  }

  /// Whether its white squares hold markers, which tell which board it is.
  public var hasMarkers: Bool {
    if case .charuco = pattern { true } else { false }
  }

  /// The number of inner corners, where four squares meet.
  public var cornerCount: Int { (columns - 1) * (rows - 1) }

  /// The column and row of an inner corner, counted from 0 at the top left.
  ///
  /// - Precondition: The number is from 0 to `cornerCount − 1`.
  public func gridPosition(ofCorner id: Int) -> (column: Int, row: Int) {
    precondition((0..<cornerCount).contains(id), "there is no corner \(id) of \(cornerCount)")
    return (id % (columns - 1), id / (columns - 1))
  }

  /// Where an inner corner lies: corners are numbered row after row, in meters of the board.
  ///
  /// - Precondition: The number is from 0 to `cornerCount − 1`.
  public func cornerInBoard(_ id: Int) -> SIMD3<Double> {
    let (column, row) = gridPosition(ofCorner: id)
    return SIMD3(Double(column + 1) * squareMeters, Double(row + 1) * squareMeters, 0)
  }
}

/// The markers of a ChArUco board.
public struct CharucoPattern: Hashable, Sendable {
  /// Which squares are white and how markers are counted.
  ///
  /// - Source: OpenCV changed the pattern in 4.6.0 (opencv#23152): with an even number of rows the
  ///   top-left square is black in the current layout and was white in the legacy one.
  public enum Layout: String, Sendable, CaseIterable {
    /// OpenCV 4.6 and later: the top-left square is black.
    case current
    /// Before OpenCV 4.6: the bottom-left square is black.
    case legacy
  }

  /// The set that the markers are from.
  public var dictionary: MarkerDictionary.Name
  /// The side of a marker as a share of the square's, above 0 and below 1.
  public var markerShare: Double
  /// Which squares are white.
  public var layout: Layout
  /// The number of the first marker; the others follow row after row.
  public var firstMarker: Int

  /// Creates a pattern.
  ///
  /// - Precondition: The share is above 0 and below 1, the first marker not negative.
  public init(
    dictionary: MarkerDictionary.Name, markerShare: Double = 0.75, layout: Layout = .current,
    firstMarker: Int = 0
  ) {
    precondition(markerShare > 0 && markerShare < 1, "a marker of \(markerShare) squares")
    precondition(firstMarker >= 0, "there is no marker \(firstMarker)")
    self.dictionary = dictionary
    self.markerShare = markerShare
    self.layout = layout
    self.firstMarker = firstMarker
  }
}
