import PlumblineModel

/// Finds the corners of a board whose markers are known: expects, refines, proves, spreads.
struct CharucoCorners {
  let luma: Raster<UInt8>

  /// All corners that the image certainly shows, by ascending number.
  func corners(of start: BoardGrid) -> BoardGrid {
    var grid = start
    // First around markers; then corners lead to their neighbors, whose markers were not read.
    for id in grid.corners.indices { add(id, to: &grid, reach: 1) }
    var previous = -1
    var found = grid.corners.count { $0 != nil }
    while found > previous {
      previous = found
      for id in grid.corners.indices where grid.corners[id] == nil { add(id, to: &grid, reach: 2) }
      found = grid.corners.count { $0 != nil }
    }
    removeOutliers(&grid)
    return grid
  }

  private func add(_ id: Int, to grid: inout BoardGrid, reach: Double) {
    guard let expected = grid.expectation(of: id, reach: reach) else { return }
    grid.set(id, corner(id, expected, in: grid))
  }

  /// The corner at an expected position, when the image proves it.
  func corner(
    _ id: Int, _ expected: BoardGrid.Expectation, in grid: BoardGrid, drift: Double = 0.12
  ) -> SIMD2<Double>? {
    let side = expected.side
    guard side >= 6, side < 1e4 else { return nil }
    let refinement = CornerRefinement(radius: Self.radius(side: side, share: grid.markerShare))
    guard let pixel = refinement.refined(expected.pixel, in: luma) else { return nil }
    let way = pixel - expected.pixel
    let bound = max(1, drift * side)
    guard (way * way).sum() <= bound * bound else { return nil }
    return isProven(pixel, id, expected, in: grid) ? pixel : nil
  }

  /// The patch ends where the marker begins: along the diagonal that is √2 margins away, of which
  /// blur takes some.
  static func radius(side: Double, share: Double) -> Int {
    Int(max(2, min(8, 1.2 * side * (1 - share) / 2)))
  }

  /// Whether the four squares around a corner have the colors that the board has there.
  private func isProven(
    _ pixel: SIMD2<Double>, _ id: Int, _ expected: BoardGrid.Expectation, in grid: BoardGrid
  ) -> Bool {
    let reach = max((1 - grid.markerShare) / 4, 2 / expected.side)
    let (x, y) = (expected.axes.x * reach, expected.axes.y * reach)
    let last = SIMD2(Double(luma.width - 1), Double(luma.height - 1))
    for place in [pixel - x - y, pixel + x + y, pixel + x - y, pixel - x + y]
    where place.x < 0 || place.y < 0 || place.x > last.x || place.y > last.y { return false }
    return luma.samples.withUnsafeBufferPointer { samples in
      let view = LumaView(samples: samples, luma: luma)
      let falling = SIMD2(view.level(at: pixel - x - y), view.level(at: pixel + x + y))
      let rising = SIMD2(view.level(at: pixel + x - y), view.level(at: pixel - x + y))
      let isFallingWhite = grid.isWhiteAtUpperLeft(of: id)
      let white = isFallingWhite ? falling : rising
      let black = isFallingWhite ? rising : falling
      let contrast = (white.sum() - black.sum()) / 2
      return contrast >= 8 && white.min() - black.max() >= 0.4 * contrast
    }
  }

  /// Removes corners that their own neighbors do not expect there; a lens bends no neighborhood.
  private func removeOutliers(_ grid: inout BoardGrid) {
    for _ in 0..<4 {
      var worst: [(id: Int, excess: Double)] = []
      for id in grid.corners.indices {
        guard let pixel = grid.corners[id],
          let expected = grid.expectation(of: id, reach: 1, usesMarkers: false)
            ?? grid.expectation(of: id, reach: 2, usesMarkers: false)
        else { continue }
        let d = pixel - expected.pixel
        let bound = max(0.75, 0.05 * expected.side)
        let excess = (d * d).sum().squareRoot() / bound
        if excess > 1 { worst.append((id, excess)) }
      }
      // A wrong corner spoils its neighbors' expectations: only the worst third goes at once.
      guard !worst.isEmpty else { return }
      worst.sort { ($0.excess, -$0.id) > ($1.excess, -$1.id) }
      for (id, _) in worst.prefix(max(1, worst.count / 3)) { grid.set(id, nil) }
    }
  }
}

/// The corners of a ChArUco board found so far in one image, and what predicts the others.
///
/// Places on the board are in squares from its origin, so that a corner's are whole numbers.
struct BoardGrid {
  /// The board, whose marker share is the one that the image shows.
  let board: Board
  /// The marker's side as a share of the square's.
  let markerShare: Double
  /// Pixel of each corner by its number; `nil` where none is known.
  private(set) var corners: [SIMD2<Double>?]
  private var anchors: [Anchor] = []

  /// A position on the board that an image shows at a pixel.
  private struct Anchor {
    var square: SIMD2<Double>
    var pixel: SIMD2<Double>
  }

  /// Where a corner is expected, and how the squares lie there.
  struct Expectation {
    var pixel: SIMD2<Double>
    /// One square along the board's columns and along its rows, in pixels.
    var axes: (x: SIMD2<Double>, y: SIMD2<Double>)

    /// The shorter side of a square in pixels.
    var side: Double {
      min((axes.x * axes.x).sum(), (axes.y * axes.y).sum()).squareRoot()
    }

    /// Expects what a map of squares to pixels says; `nil` near its horizon.
    init?(_ map: PlaneHomography, at square: SIMD2<Double>) {
      pixel = map(square)
      axes.x = map(square + SIMD2(0.5, 0)) - map(square - SIMD2(0.5, 0))
      axes.y = map(square + SIMD2(0, 0.5)) - map(square - SIMD2(0, 0.5))
      let all = SIMD4(lowHalf: axes.x, highHalf: axes.y)
      guard (pixel.x + pixel.y + all.sum()).isFinite, all.max() < 1e5, all.min() > -1e5 else {
        return nil
      }
    }
  }

  /// Starts with the corners of markers.
  init(board: Board, markerShare: Double, graph: MarkerGraph) {
    self.board = board
    self.markerShare = markerShare
    corners = Array(repeating: nil, count: board.cornerCount)
    let margin = (1 - markerShare) / 2
    for (marker, square) in zip(graph.markers, graph.squares) {
      let places = [
        (margin, margin), (1 - margin, margin), (1 - margin, 1 - margin), (margin, 1 - margin),
      ]
      for (place, pixel) in zip(places, marker.corners) {
        let origin = SIMD2(Double(square.x), Double(square.y))
        anchors.append(Anchor(square: origin + SIMD2(place.0, place.1), pixel: pixel))
      }
    }
  }

  /// The corner's position in squares.
  func square(of id: Int) -> SIMD2<Double> {
    let (column, row) = board.gridPosition(ofCorner: id)
    return SIMD2(Double(column + 1), Double(row + 1))
  }

  /// What the neighborhood within some squares says about a corner, itself left out.
  ///
  /// - Returns: `nil` when too little around it is known.
  func expectation(of id: Int, reach: Double, usesMarkers: Bool = true) -> Expectation? {
    let place = square(of: id)
    var from: [SIMD2<Double>] = []
    var to: [SIMD2<Double>] = []
    let (column, row) = board.gridPosition(ofCorner: id)
    let steps = Int(reach)
    for y in max(row - steps, 0)...min(row + steps, board.rows - 2) {
      for x in max(column - steps, 0)...min(column + steps, board.columns - 2) {
        let other = y * (board.columns - 1) + x
        guard other != id, let pixel = corners[other] else { continue }
        from.append(square(of: other))
        to.append(pixel)
      }
    }
    // Corners are ten times as exact as the sides of markers.
    if usesMarkers && from.count < 6 {
      for anchor in anchors {
        let d = anchor.square - place
        guard max(abs(d.x), abs(d.y)) <= reach else { continue }
        from.append(anchor.square)
        to.append(anchor.pixel)
      }
    }
    guard from.count >= (usesMarkers ? 4 : 5) else { return nil }
    return PlaneHomography(from: from, to: to).flatMap { Expectation($0, at: place) }
  }

  /// Sets or removes a corner.
  mutating func set(_ id: Int, _ pixel: SIMD2<Double>?) { corners[id] = pixel }

  /// Whether the squares at the upper left and lower right of a corner are the white ones.
  func isWhiteAtUpperLeft(of id: Int) -> Bool {
    let (column, row) = board.gridPosition(ofCorner: id)
    return board.isWhite(column: column, row: row)
  }
}
