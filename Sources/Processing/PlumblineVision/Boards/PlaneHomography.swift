/// A projective map of one plane to another: `(x, y, 1) → (X/W, Y/W)`.
struct PlaneHomography: Hashable, Sendable {
  /// The rows of the matrix.
  var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  static func == (a: PlaneHomography, b: PlaneHomography) -> Bool { a.rows == b.rows }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }

  /// The columns of the matrix: where the two axes and the origin go, up to one common factor.
  var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    (
      SIMD3(rows.0.x, rows.1.x, rows.2.x), SIMD3(rows.0.y, rows.1.y, rows.2.y),
      SIMD3(rows.0.z, rows.1.z, rows.2.z)
    )
  }

  /// The image of a point; not finite on the horizon.
  @inline(__always)
  func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let scale = 1 / (rows.2.x * point.x + rows.2.y * point.y + rows.2.z)
    return SIMD2(
      (rows.0.x * point.x + rows.0.y * point.y + rows.0.z) * scale,
      (rows.1.x * point.x + rows.1.y * point.y + rows.1.z) * scale)
  }

  /// The map that takes the unit square's corners (0,0), (1,0), (1,1), (0,1) to four points.
  ///
  /// - Source: P. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, 2.2.3.
  /// - Returns: `nil` when three of the points are in line.
  init?(unitSquareTo corners: [SIMD2<Double>]) {
    let sum = corners[0] - corners[1] + corners[2] - corners[3]
    let (a, b) = (corners[1] - corners[2], corners[3] - corners[2])
    let area = a.x * b.y - b.x * a.y
    guard abs(area) > 1e-9 else { return nil }
    let g = (sum.x * b.y - b.x * sum.y) / area
    let h = (a.x * sum.y - sum.x * a.y) / area
    let x = corners[1] - corners[0] + g * corners[1]
    let y = corners[3] - corners[0] + h * corners[3]
    rows = (
      SIMD3(x.x, y.x, corners[0].x), SIMD3(x.y, y.y, corners[0].y), SIMD3(g, h, 1)
    )
  }

  /// The least-squares map (algebraic error, coordinates centered and scaled) from four points or more.
  ///
  /// - Source: R. Hartley, A. Zisserman, Multiple View Geometry, 2003, 4.1 and 4.4.4. The last entry is
  ///   fixed to 1, which is possible for every map whose horizon does not contain the points' center.
  /// - Returns: `nil` for fewer than 4 points, or when all but one lie on a line.
  init?(from: [SIMD2<Double>], to: [SIMD2<Double>]) {
    guard from.count >= 4, from.count == to.count else { return nil }
    let source = PointFrame(from)
    let target = PointFrame(to)
    guard source.scale.isFinite, target.scale.isFinite else { return nil }
    var system = NormalEquations8()
    for index in from.indices {
      let p = source.normalized(from[index])
      let q = target.normalized(to[index])
      system.add(p, q)
    }
    guard let h = system.solution() else { return nil }
    // From the centered frames back: T⁻¹·H·S.
    let (s, c) = (source.scale, source.center)
    func sourced(_ row: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(row.x * s, row.y * s, row.z - s * (row.x * c.x + row.y * c.y))
    }
    let third = sourced(SIMD3(h[6], h[7], 1))
    let x = sourced(SIMD3(h[0], h[1], h[2])) / target.scale + target.center.x * third
    let y = sourced(SIMD3(h[3], h[4], h[5])) / target.scale + target.center.y * third
    rows = (x, y, third)
  }

  /// The map back; `nil` when there is none.
  var inverse: PlaneHomography? {
    let (a, b, c) = rows
    let (x, y, z) = (b.cross(c), c.cross(a), a.cross(b))
    let determinant = a.x * x.x + a.y * x.y + a.z * x.z
    guard determinant != 0, determinant.isFinite else { return nil }
    var result = self
    result.rows = (SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z))
    return result
  }
}

/// Points moved to their center and scaled to a mean distance of one.
private struct PointFrame {
  var center: SIMD2<Double>
  var scale: Double

  init(_ points: [SIMD2<Double>]) {
    let count = Double(points.count)
    let center = points.reduce(SIMD2<Double>.zero, +) / count
    let spread = points.reduce(0) { sum, point in
      sum + ((point - center) * (point - center)).sum().squareRoot()
    }
    self.center = center
    scale = count / spread
  }

  func normalized(_ point: SIMD2<Double>) -> SIMD2<Double> { (point - center) * scale }
}

/// The normal equations of a homography with eight unknowns.
private struct NormalEquations8 {
  private var matrix = [Double](repeating: 0, count: 72)

  mutating func add(_ p: SIMD2<Double>, _ q: SIMD2<Double>) {
    // x: h0·px + h1·py + h2 − qx·(h6·px + h7·py) = qx, y likewise with h3…h5.
    let x = SIMD8(p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y)
    let y = SIMD8(0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y)
    matrix.withUnsafeMutableBufferPointer { matrix in
      for row in 0..<8 {
        let sum = x * x[row] + y * y[row]
        for column in 0..<8 { matrix[row &* 9 &+ column] += sum[column] }
        matrix[row &* 9 &+ 8] += x[row] * q.x + y[row] * q.y
      }
    }
  }

  /// Gauss's elimination with pivots; `nil` where a pivot vanishes.
  func solution() -> [Double]? {
    var m = matrix
    let isRegular = m.withUnsafeMutableBufferPointer { m in
      for step in 0..<8 {
        var pivot = step
        for row in step + 1..<max(8, step + 1)
        where abs(m[row * 9 + step]) > abs(m[pivot * 9 + step]) {
          pivot = row
        }
        guard abs(m[pivot * 9 + step]) > 1e-12 else { return false }
        if pivot != step {
          for column in step..<9 { m.swapAt(step * 9 + column, pivot * 9 + column) }
        }
        for row in step + 1..<max(8, step + 1) {
          let factor = m[row * 9 + step] / m[step * 9 + step]
          for column in step..<9 { m[row * 9 + column] -= factor * m[step * 9 + column] }
        }
      }
      return true
    }
    guard isRegular else { return nil }
    var result = [Double](repeating: 0, count: 8)
    for row in (0..<8).reversed() {
      var sum = m[row * 9 + 8]
      for column in row + 1..<max(8, row + 1) { sum -= m[row * 9 + column] * result[column] }
      result[row] = sum / m[row * 9 + row]
    }
    return result.allSatisfy(\.isFinite) ? result : nil
  }
}
