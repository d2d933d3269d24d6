import PlumblineModel
import PlumblineNumerics

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

extension DepthMap {
  /// The depth of the plane around a pixel, in meters; `nil` where fewer than half of the pixels
  /// around it lie on one.
  ///
  /// A plane is exactly linear in disparity, so it is fitted there: to the measured pixels of a
  /// square, first about their median depth, then about the plane, so that neither holes nor an
  /// edge nearby take part.
  ///
  /// - Parameters:
  ///   - pixel: Need not be whole, must be finite.
  ///   - radius: Half of the square's side in pixels.
  ///   - tolerance: How far a pixel may lie from the plane, as a share of its depth.
  /// - Returns: Meters along the optical axis.
  func planeDepth(
    at pixel: SIMD2<Double>, radius: Int = 3, tolerance: Double = 0.03
  ) -> Double? {
    guard abs(pixel.x) < 1e6, abs(pixel.y) < 1e6 else { return nil }
    let column = Int(pixel.x.rounded())
    let row = Int(pixel.y.rounded())
    guard meters.contains(x: column, y: row) else { return nil }
    var samples: [SIMD3<Double>] = []
    for y in max(0, row - radius)...min(size.height - 1, row + radius) {
      for x in max(0, column - radius)...min(size.width - 1, column + radius) {
        let z = Double(meters[x, y])
        if z > 0 { samples.append(SIMD3(Double(x) - pixel.x, Double(y) - pixel.y, 1 / z)) }
      }
    }
    let needed = (2 * radius + 1) * (2 * radius + 1) / 2
    guard let median = samples.map(\.z).median else { return nil }
    var kept = samples.filter { abs($0.z / median - 1) < tolerance }
    guard kept.count > needed, let first = Self.plane(through: kept) else { return nil }
    kept = samples.filter {
      abs($0.z - first.x * $0.x - first.y * $0.y - first.z) < tolerance / 3 * median
    }
    guard kept.count > needed, let plane = Self.plane(through: kept), plane.z > 0 else {
      return nil
    }
    return 1 / plane.z
  }

  /// The plane `z = a·x + b·y + c` of least squares through samples (x, y, z); `nil` when they lie
  /// on a line.
  private static func plane(through samples: [SIMD3<Double>]) -> SIMD3<Double>? {
    let count = Double(samples.count)
    let fit = PlaneRegression(samples)
    // Of whole pixels, a line gives exactly 0 but for rounding; two lines give thousands.
    guard fit.determinant > 1e-6 * count * count else { return nil }
    let (slope, mean) = (fit.slope, fit.mean)
    return SIMD3(slope.x, slope.y, mean.z - slope.x * mean.x - slope.y * mean.y)
  }
}
