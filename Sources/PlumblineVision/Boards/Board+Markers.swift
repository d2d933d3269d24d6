extension Board {
  /// Whether a square is white; on a ChArUco board it then holds a marker.
  ///
  /// A chessboard's top-left square is black here; images of it do not tell.
  ///
  /// - Source: `cv::aruco::CharucoBoard`: the current layout has the top-left square black; the
  ///   legacy one the bottom-left square, which differs where the number of rows is even.
  /// - Precondition: The square exists.
  public func isWhite(column: Int, row: Int) -> Bool {
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
  public var whiteSquareCount: Int {
    startsWhite ? (columns * rows + 1) / 2 : columns * rows / 2
  }

  /// The marker of a square: white squares are counted row after row from the pattern's first.
  ///
  /// - Returns: `nil` for a black square and for a board without markers.
  /// - Precondition: The square exists.
  public func marker(column: Int, row: Int) -> Int? {
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
  public func markerCornersInBoard(_ id: Int) -> [SIMD3<Double>]? {
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
