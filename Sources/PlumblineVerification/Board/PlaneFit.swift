import PlumblineModel

/// The plane that lies nearest to points, and how near that is.
struct PlaneFit {
  /// The root mean square distance of the points that lie on it, in their unit.
  let rms: Double

  /// Fits twice: to all points, then to those within 3 % of their depth from the first plane, since
  /// others, such as a finger's, do not lie on it; `nil` for fewer than 20 points.
  init?(_ points: [SIMD3<Double>]) {
    guard points.count >= 20, let first = Self.normal(points) else { return nil }
    let kept = points.filter { abs(Self.residual($0, first)) < 0.03 * $0.z }
    guard kept.count >= 20, let plane = Self.normal(kept) else { return nil }
    let sum = kept.reduce(0) { $0 + Self.residual($1, plane) * Self.residual($1, plane) }
    rms = (sum / Double(kept.count - 3)).squareRoot()
  }

  /// The signed distance of a point from the plane `normal · point = 1`.
  private static func residual(_ point: SIMD3<Double>, _ normal: SIMD3<Double>) -> Double {
    ((normal * point).sum() - 1) / normal.length
  }

  /// The plane `normal · point = 1` of least squares, which cannot pass through the camera's
  /// center; `nil` when the points lie on a line.
  private static func normal(_ points: [SIMD3<Double>]) -> SIMD3<Double>? {
    var rows = Rotation(x: .zero, y: .zero, z: .zero)
    var sum = SIMD3<Double>.zero
    for point in points {
      rows.x += point * point.x
      rows.y += point * point.y
      rows.z += point * point.z
      sum += point
    }
    return solution(of: rows, sum)
  }

  /// The solution of a symmetric system by Cramer's rule; `nil` where it is singular within
  /// rounding.
  static func solution(of rows: Rotation, _ side: SIMD3<Double>) -> SIMD3<Double>? {
    func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
      a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x)
        + a.z * (b.x * c.y - b.y * c.x)
    }
    let whole = determinant(rows.x, rows.y, rows.z)
    guard abs(whole) > 1e-12 * rows.x.length * rows.y.length * rows.z.length else { return nil }
    // The matrix is symmetric, so that its rows are its columns.
    return SIMD3(
      determinant(side, rows.y, rows.z), determinant(rows.x, side, rows.z),
      determinant(rows.x, rows.y, side)) / whole
  }
}
