internal import PlumblineModel

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
