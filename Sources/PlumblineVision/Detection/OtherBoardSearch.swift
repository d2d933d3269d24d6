public import PlumblineModel

/// Finds out which board images show, where they hardly show the one that was stated.
public struct OtherBoardSearch: Sendable {
  /// The board that was stated.
  public var stated: Board

  /// Creates a search.
  public init(stated: Board) { self.stated = stated }

  /// The board that at least half of the images show.
  ///
  /// A ChArUco board is identified by its markers. A chessboard does not: its neighbors are tried,
  /// one column or row more or less, and swapped.
  ///
  /// - Parameter images: Gray levels; a dozen is enough.
  /// - Returns: With the stated side of the squares, which no image shows; `nil` where the images
  ///   show the stated board, or none of these.
  /// - Complexity: O(*n*) of the pixels, ten times for a chessboard.
  public func board(in images: [Raster<UInt8>]) -> Board? {
    if let shown = BoardSearch().board(in: images, squareMeters: stated.squareMeters) {
      return isStated(shown) ? nil : shown
    }
    guard case .chessboard = stated.pattern else { return nil }
    var best: (board: Board, count: Int)?
    for size in neighbors {
      let board = Board(
        columns: size.columns, rows: size.rows, squareMeters: stated.squareMeters,
        pattern: .chessboard)
      let detector = BoardDetector(board: board)
      let count = images.count { detector.view(in: $0) != nil }
      if count > best?.count ?? 0 { best = (board, count) }
    }
    guard let best, 2 * best.count >= images.count, best.count >= 2 else { return nil }
    return best.board
  }

  /// Whether a board is the stated one, whatever its layout, which detection finds out by itself,
  /// and whichever set of its family of dictionaries.
  private func isStated(_ shown: Board) -> Bool {
    guard shown.columns == stated.columns, shown.rows == stated.rows,
      case .charuco(let a) = shown.pattern, case .charuco(let b) = stated.pattern
    else { return false }
    func family(_ name: MarkerDictionary.Name) -> [Substring] {
      Array(name.rawValue.split(separator: "_").prefix(2))
    }
    return family(a.dictionary) == family(b.dictionary) || b.firstMarker != 0
  }

  private var neighbors: [(columns: Int, rows: Int)] {
    var sizes: [(columns: Int, rows: Int)] = []
    for columns in [0, 1, -1] {
      for rows in [0, 1, -1] where columns != 0 || rows != 0 {
        sizes.append((stated.columns + columns, stated.rows + rows))
      }
    }
    sizes.append((stated.rows, stated.columns))
    return sizes.filter { min($0.columns, $0.rows) >= 3 }
  }
}
