/// The sums of the least squares of `z = a·x + b·y + c` through points (x, y, z).
///
/// They are taken about the mean of the points, for precision. Cost: O(*n*).
struct PlaneRegression {
  /// The mean of the points, through which the plane goes.
  let mean: SIMD3<Double>
  /// The sums of squares of x and of y about their mean.
  private(set) var (xx, yy) = (0.0, 0.0)
  private var (xy, xz, yz) = (0.0, 0.0, 0.0)

  /// Adds up the points.
  ///
  /// - Precondition: There is one.
  init(_ points: [SIMD3<Double>]) {
    mean = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
    for point in points {
      let offset = point - mean
      xx += offset.x * offset.x
      xy += offset.x * offset.y
      yy += offset.y * offset.y
      xz += offset.x * offset.z
      yz += offset.y * offset.z
    }
  }

  /// The determinant of the normal equations: 0 for points on a line, but for rounding.
  var determinant: Double { xx * yy - xy * xy }

  /// The slopes (a, b).
  ///
  /// - Precondition: `determinant` is above 0.
  var slope: SIMD2<Double> { SIMD2(xz * yy - yz * xy, yz * xx - xz * xy) / determinant }
}
