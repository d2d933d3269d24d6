package import PlumblineModel
import PlumblineNumerics

/// Finds out which ChArUco board some images show, when that is not given.
///
/// Dictionary, columns, rows, layout and marker share follow from the markers; the size of a square
/// does not, as no image shows it.
package struct BoardSearch: Sendable {
  /// Creates a search.
  package init() {}

  /// The board that all images agree on.
  ///
  /// It takes at least six pairs of neighboring markers, no second explanation nearly as good, and
  /// one image that shows that the board ends below its last row. Boards are taken to start with
  /// marker 0 and to have up to 64 columns. The marker share is measured and rounded to hundredths:
  /// it is good to 0.02 or so. The dictionary is the smallest of its family that fills the board.
  ///
  /// - Parameters:
  ///   - images: Gray levels; a dozen that show the board from various sides is enough.
  ///   - squareMeters: The side of a square, which only a ruler gives; above 0.
  /// - Returns: `nil` when no board is found or any of its numbers stays open.
  /// - Precondition: The side is above 0 and finite.
  /// - Complexity: O(*n*) of the pixels; about 10 ms for each 640×480.
  package func board(in images: [Raster<UInt8>], squareMeters: Double) -> Board? {
    precondition(squareMeters > 0 && squareMeters.isFinite, "squares of \(squareMeters) m")
    let families = MarkerCensus.families()
    let reduced = images.map { image in
      let factor = (max(image.width, image.height) + 2499) / 2500
      return min(image.width, image.height) < 16 * max(factor, 1)
        ? nil : image.reduced(by: max(factor, 1))
    }
    var census = MarkerCensus()
    for (index, image) in reduced.enumerated() {
      if let image { census.add(image, image: index, families: families) }
    }
    let explanations = explanations(of: census, families: families)
    guard let best = explanations.first, best.agreements >= Self.leastAgreements else {
      return nil
    }
    // Every explanation nearly as good must come to the same board.
    var boards: [Board] = []
    for explanation in explanations
    where explanation.agreements * 10 >= best.agreements * 9 {
      if let board = board(
        explanation, families: families, images: reduced, squareMeters: squareMeters)
      {
        boards.append(board)
      }
    }
    return boards.count == 1 ? boards[0] : nil
  }

  /// Pairs of neighbors that must agree before a board is believed.
  private static let leastAgreements = 6
  /// More columns than any sheet of paper has.
  private static let mostColumns = 64

  /// A way to number the squares, and how many pairs of markers agree with it.
  private struct Explanation {
    var family: Int
    var columns: Int
    var layout: CharucoPattern.Layout
    var agreements = 0
    var graphs: [(image: Int, graph: MarkerGraph)] = []
  }

  /// All explanations by falling agreement; equal ones in a fixed order.
  private func explanations(
    of census: MarkerCensus, families: [MarkerCensus.Family]
  ) -> [Explanation] {
    var result: [Explanation] = []
    for family in families.indices {
      for columns in 2...Self.mostColumns {
        for layout in CharucoPattern.Layout.allCases {
          var explanation = Explanation(family: family, columns: columns, layout: layout)
          let board = Self.tall(columns, layout, families[family].name)
          for isMirrored in [false, true] {
            let key = MarkerCensus.Key(family: family, isMirrored: isMirrored)
            for group in census.groups[key] ?? [] {
              let graph = MarkerGraph(group.markers) { id in
                board.square(ofMarker: id).map { SIMD2($0.column, $0.row) }
              }
              guard graph.markers.count > 1 else { continue }
              explanation.agreements += graph.agreements
              explanation.graphs.append((group.image, graph))
            }
          }
          if explanation.agreements > 0 { result.append(explanation) }
        }
      }
    }
    return result.enumerated().sorted {
      ($1.element.agreements, $0.offset) < ($0.element.agreements, $1.offset)
    }.map(\.element)
  }

  /// A board of so many columns that ends below every marker; its even number of rows keeps the
  /// layouts apart.
  private static func tall(
    _ columns: Int, _ layout: CharucoPattern.Layout, _ name: MarkerDictionary.Name,
    rows: Int = 4096,
    share: Double = 0.5
  ) -> Board {
    Board(
      columns: columns, rows: rows, squareMeters: 1,
      pattern: .charuco(
        CharucoPattern(dictionary: name, markerShare: share, layout: layout)))
  }

  /// The board of an explanation, when its rows are proven too.
  private func board(
    _ explanation: Explanation, families: [MarkerCensus.Family], images: [Raster<UInt8>?],
    squareMeters: Double
  ) -> Board? {
    let family = families[explanation.family]
    let shares = explanation.graphs.map(\.graph.markerShare).sorted()
    guard let middle = shares.middleOfSorted else { return nil }
    let share = min(max((middle * 100).rounded() / 100, 0.01), 0.99)
    let rows = 1 + (explanation.graphs.flatMap { $0.graph.squares.map(\.y) }.max() ?? 0)
    // The layouts differ only where the number of rows is even; a legacy one starts white there.
    if rows < 2 || (explanation.layout == .legacy && rows % 2 == 1) { return nil }
    var endsSeen = 0
    for (image, graph) in explanation.graphs {
      guard let luma = images[image] else { continue }
      let longer = Self.tall(
        explanation.columns, explanation.layout, family.name, rows: rows + 2 - rows % 2,
        share: share)
      guard let found = rowBelow(rows, of: longer, graph, in: luma) else { return nil }
      if found { endsSeen += 1 }
    }
    guard endsSeen > 0 else { return nil }
    let whites = Self.tall(explanation.columns, explanation.layout, family.name, rows: rows)
      .whiteSquareCount
    let name = family.sets.first { MarkerDictionary.count(of: $0) >= whites } ?? family.name
    return Board(
      columns: explanation.columns, rows: rows, squareMeters: squareMeters,
      pattern: .charuco(
        CharucoPattern(dictionary: name, markerShare: share, layout: explanation.layout)))
  }

  /// Whether an image shows that no corners follow below a row: `false` when that is outside, `nil`
  /// when there are some, so that the board is larger than its markers say.
  private func rowBelow(
    _ rows: Int, of longer: Board, _ graph: MarkerGraph, in luma: Raster<UInt8>
  ) -> Bool? {
    let share = min(max(graph.markerShare, 0.02), 0.98)
    let start = BoardGrid(board: longer, markerShare: share, graph: graph)
    let grid = CharucoCorners(luma: luma).corners(of: start)
    var absent = 0
    var present = 0
    for column in 0..<longer.columns - 1 {
      let id = (rows - 1) * (longer.columns - 1) + column
      if grid.corners[id] != nil { present += 1 }
      guard grid.corners[id - (rows > 1 ? longer.columns - 1 : 0)] != nil,
        let expected = grid.expectation(of: id, reach: 2)
      else { continue }
      let edge = 10.0
      let (x, y) = (expected.pixel.x, expected.pixel.y)
      let isInside =
        x > edge && y > edge && x < Double(luma.width) - edge && y < Double(luma.height) - edge
      if isInside && grid.corners[id] == nil { absent += 1 }
    }
    if present > 1 && present > absent { return nil }
    return absent >= 2 && present == 0
  }
}

/// Finds out which board images show, where they hardly show the one that was stated.
package struct OtherBoardSearch: Sendable {
  /// The board that was stated.
  package var stated: Board

  /// Creates a search.
  package init(stated: Board) { self.stated = stated }

  /// The board that at least half of the images show.
  ///
  /// A ChArUco board is identified by its markers. A chessboard does not: its neighbors are tried,
  /// one column or row more or less, and swapped.
  ///
  /// - Parameter images: Gray levels; a dozen is enough.
  /// - Returns: With the stated side of the squares, which no image shows; `nil` where the images
  ///   show the stated board, or none of these.
  /// - Complexity: O(*n*) of the pixels, ten times for a chessboard.
  package func board(in images: [Raster<UInt8>]) -> Board? {
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
