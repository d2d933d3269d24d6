/// The projective map from a flat board to an image plane, by its columns.
struct BoardHomography {
  var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Fits the map to pairs of points; `nil` for fewer than 4 or when all but one lie on a line.
  ///
  /// - Source: the normalized direct linear transform, Hartley and Zisserman, *Multiple View
  ///   Geometry*, algorithm 4.2.
  init?(from boardPoints: [SIMD2<Double>], to imagePoints: [SIMD2<Double>]) {
    guard boardPoints.count >= 4, boardPoints.count == imagePoints.count,
      let board = PointNormalization(boardPoints), let image = PointNormalization(imagePoints)
    else { return nil }
    var normal = SymmetricMatrix(count: 9)
    var row = [Double](repeating: 0, count: 9)
    func add() {
      for i in 0..<9 where row[i] != 0 {
        for j in 0..<9 { normal[i, j] += row[i] * row[j] }
      }
    }
    for (boardPoint, imagePoint) in zip(boardPoints, imagePoints) {
      let p = board.apply(boardPoint)
      let q = image.apply(imagePoint)
      row = [p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, -q.x]
      add()
      row = [0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, -q.y]
      add()
    }
    let eigenvectors = normal.eigenvectors
    // One line of points leaves more than one map: a second eigenvalue vanishes.
    guard eigenvectors[1].value > 1e-9 * eigenvectors[8].value else { return nil }
    let h = eigenvectors[0].vector
    // Undo both normalizations: H = T⁻¹(image) · h · T(board).
    func restored(_ x: Double, _ y: Double, _ w: Double) -> SIMD3<Double> {
      SIMD3(x / image.scale + image.center.x * w, y / image.scale + image.center.y * w, w)
    }
    let first = restored(h[0], h[3], h[6]) * board.scale
    let second = restored(h[1], h[4], h[7]) * board.scale
    let third = restored(h[2], h[5], h[8]) - first * board.center.x - second * board.center.y
    columns = (first, second, third)
  }
}

/// Moves points to their center and scales them to a mean square distance of 2.
private struct PointNormalization {
  let center: SIMD2<Double>
  let scale: Double

  init?(_ points: [SIMD2<Double>]) {
    let center = points.reduce(SIMD2<Double>.zero, +) / Double(points.count)
    let square =
      points.reduce(0) { sum, point in
        let offset = point - center
        return sum + (offset * offset).sum()
      } / Double(points.count)
    guard square > 0, square.isFinite else { return nil }
    self.center = center
    scale = (2 / square).squareRoot()
  }

  func apply(_ point: SIMD2<Double>) -> SIMD2<Double> { (point - center) * scale }
}
