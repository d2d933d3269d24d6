/// Brown's radial and tangential distortion of a ray `x/z`, `y/z`.
///
/// - Source: D. C. Brown, Close-Range Camera Calibration, Photogrammetric Engineering 37 (1971)
///   855–866, with the factors in OpenCV's order.
struct BrownPolynomial {
  var radial: SIMD3<Double>
  var tangential: SIMD2<Double>

  /// The distorted ray and its change per step of the ray along `x` and `y`.
  func distorted(
    _ ray: SIMD2<Double>
  ) -> (ray: SIMD2<Double>, byX: SIMD2<Double>, byY: SIMD2<Double>) {
    let (x, y) = (ray.x, ray.y)
    let square = x * x + y * y
    let scale = 1 + square * (radial.x + square * (radial.y + square * radial.z))
    // d(scale)/d(r²), and r² changes by 2x and 2y.
    let slope = radial.x + square * (2 * radial.y + square * 3 * radial.z)
    let (p1, p2) = (tangential.x, tangential.y)
    let moved = SIMD2(
      x * scale + 2 * p1 * x * y + p2 * (square + 2 * x * x),
      y * scale + p1 * (square + 2 * y * y) + 2 * p2 * x * y)
    let cross = 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y
    return (
      moved, SIMD2(scale + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x, cross),
      SIMD2(cross, scale + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x)
    )
  }

  /// The ray that is distorted to a given one, or `nil` where Newton's steps do not reach it.
  func undistorted(_ target: SIMD2<Double>, within tolerance: Double) -> SIMD2<Double>? {
    var ray = target
    for _ in 0..<50 {
      let (moved, byX, byY) = distorted(ray)
      let rest = target - moved
      let determinant = byX.x * byY.y - byY.x * byX.y
      // A lens that folds the image over has no inverse beyond the fold.
      guard determinant > 0 else { return nil }
      let step = SIMD2(
        (rest.x * byY.y - rest.y * byY.x) / determinant,
        (rest.y * byX.x - rest.x * byX.y) / determinant)
      ray += step
      let error = max(abs(rest.x), abs(rest.y))
      if error <= tolerance { return ray }
      guard error.isFinite else { return nil }
    }
    return nil
  }
}
