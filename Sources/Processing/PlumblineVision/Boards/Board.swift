/// A flat calibration board: its squares, its pattern, and where its corners are.
///
/// Frame of the board: origin at the outer corner of the top-left square as the pattern is read,
/// `x` right along the columns, `y` down along the rows, `z` into the board, away from who looks
/// at it. Unit: meters.
public struct Board: Hashable, Sendable {
  /// The patterns of squares.
  package enum Pattern: Hashable, Sendable {
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
  package var pattern: Pattern

  /// Creates a board.
  ///
  /// - Precondition: Two squares each way at least, and a side above 0.
  package init(columns: Int, rows: Int, squareMeters: Double, pattern: Pattern) {
    precondition(
      columns >= 2 && rows >= 2 && squareMeters > 0 && squareMeters.isFinite,
      "\(columns) × \(rows) squares of \(squareMeters) m make no board")
    self.columns = columns
    self.rows = rows
    self.squareMeters = squareMeters
    self.pattern = pattern
  }

  /// Whether its white squares hold markers, which tell which board it is.
  package var hasMarkers: Bool {
    if case .charuco = pattern { true } else { false }
  }

  /// The number of inner corners, where four squares meet.
  package var cornerCount: Int { (columns - 1) * (rows - 1) }

  /// The column and row of an inner corner, counted from 0 at the top left.
  ///
  /// - Precondition: The number is from 0 to `cornerCount − 1`.
  package func gridPosition(ofCorner id: Int) -> (column: Int, row: Int) {
    precondition((0..<cornerCount).contains(id), "there is no corner \(id) of \(cornerCount)")
    return (id % (columns - 1), id / (columns - 1))
  }

  /// Where an inner corner lies: corners are numbered row after row, in meters of the board.
  ///
  /// - Precondition: The number is from 0 to `cornerCount − 1`.
  package func cornerInBoard(_ id: Int) -> SIMD3<Double> {
    let (column, row) = gridPosition(ofCorner: id)
    return SIMD3(Double(column + 1) * squareMeters, Double(row + 1) * squareMeters, 0)
  }
}

/// The markers of a ChArUco board.
package struct CharucoPattern: Hashable, Sendable {
  /// Which squares are white and how markers are counted.
  ///
  /// - Source: OpenCV changed the pattern in 4.6.0 (opencv#23152): with an even number of rows the
  ///   top-left square is black in the current layout and was white in the legacy one.
  package enum Layout: String, Sendable, CaseIterable {
    /// OpenCV 4.6 and later: the top-left square is black.
    case current
    /// Before OpenCV 4.6: the bottom-left square is black.
    case legacy
  }

  /// The set that the markers are from.
  package var dictionary: MarkerDictionary.Name
  /// The side of a marker as a share of the square's, above 0 and below 1.
  package var markerShare: Double
  /// Which squares are white.
  package var layout: Layout
  /// The number of the first marker; the others follow row after row.
  package var firstMarker: Int

  /// Creates a pattern.
  ///
  /// - Precondition: The share is above 0 and below 1, the first marker not negative.
  package init(
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

extension Board {
  /// Whether a square is white; on a ChArUco board it then holds a marker.
  ///
  /// A chessboard's top-left square is black here; images of it do not tell.
  ///
  /// - Source: `cv::aruco::CharucoBoard`: the current layout has the top-left square black; the
  ///   legacy one the bottom-left square, which differs where the number of rows is even.
  /// - Precondition: The square exists.
  package func isWhite(column: Int, row: Int) -> Bool {
    precondition(
      (0..<columns).contains(column) && (0..<rows).contains(row),
      "there is no square (\(column), \(row)) of \(columns) × \(rows)")
    return (column + row) % 2 == (startsWhite ? 0 : 1)
  }

  /// Whether the top-left square is white.
  private var startsWhite: Bool {
    if case .charuco(let pattern) = pattern {
      pattern.layout == .legacy && rows % 2 == 0
    } else {
      false
    }
  }

  /// The number of white squares, hence of markers of a ChArUco board.
  package var whiteSquareCount: Int {
    startsWhite ? (columns * rows + 1) / 2 : columns * rows / 2
  }

  /// The marker of a square: white squares are counted row after row from the pattern's first.
  ///
  /// - Returns: `nil` for a black square and for a board without markers.
  /// - Precondition: The square exists.
  package func marker(column: Int, row: Int) -> Int? {
    guard case .charuco(let pattern) = pattern, isWhite(column: column, row: row) else {
      return nil
    }
    // Rows start with a white square in turns; the first row decides which.
    let rowsBefore = (row * columns + (startsWhite ? 1 : 0)) / 2
    return pattern.firstMarker + rowsBefore + column / 2
  }

  /// The square that holds a marker.
  ///
  /// - Returns: `nil` when the board has no such marker.
  public func square(ofMarker id: Int) -> (column: Int, row: Int)? {
    guard case .charuco(let pattern) = pattern else { return nil }
    let (index, overflows) = id.subtractingReportingOverflow(pattern.firstMarker)
    guard !overflows, (0..<whiteSquareCount).contains(index) else { return nil }
    // Every second square of the board read row after row, unless rows have an even number.
    if columns % 2 == 1 {
      let square = 2 * index + (startsWhite ? 0 : 1)
      return (square % columns, square / columns)
    }
    let (row, place) = (index / (columns / 2), index % (columns / 2))
    let startsHere = startsWhite == (row % 2 == 0)
    return (2 * place + (startsHere ? 0 : 1), row)
  }

  /// The outer corners of a marker's black border in meters of the board: top-left, top-right,
  /// bottom-right, bottom-left as the pattern is read.
  ///
  /// - Returns: `nil` when the board has no such marker.
  package func markerCornersInBoard(_ id: Int) -> [SIMD3<Double>]? {
    guard case .charuco(let pattern) = pattern, let square = square(ofMarker: id) else {
      return nil
    }
    let margin = (1 - pattern.markerShare) / 2
    let (left, top) = (Double(square.column) + margin, Double(square.row) + margin)
    let (right, bottom) = (left + pattern.markerShare, top + pattern.markerShare)
    return [(left, top), (right, top), (right, bottom), (left, bottom)].map {
      SIMD3($0.0 * squareMeters, $0.1 * squareMeters, 0)
    }
  }
}
