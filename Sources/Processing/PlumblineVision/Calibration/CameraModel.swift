public import PlumblineModel

/// The distortion model of a camera's lens.
public enum LensModel: Hashable, Sendable {
  /// Not at all.
  case none
  /// Brown's polynomial in normalized coordinates `x = X/Z`, `y = Y/Z`, with `r² = x² + y²`:
  /// `x' = x·(1 + k1·r² + k2·r⁴ + k3·r⁶) + 2·p1·x·y + p2·(r² + 2·x²)`, likewise
  /// `y' = y·(…) + p1·(r² + 2·y²) + 2·p2·x·y`.
  ///
  /// - Source: D. C. Brown, Close-Range Camera Calibration, 1971, in OpenCV's order of `k` and `p`.
  case polynomial(radial: SIMD3<Double>, tangential: SIMD2<Double>)
  /// Apple's tables or coefficients, around their own center, in pixels of the intrinsics' image.
  case radial(LensDistortion)
}

/// A camera whose numbers can be estimated: a pinhole behind a lens.
public struct CameraModel: Hashable, Sendable {
  /// The pinhole, in pixels of its image.
  public var intrinsics: PinholeIntrinsics
  /// The lens.
  public var lens: LensModel

  /// Creates a camera.
  public init(intrinsics: PinholeIntrinsics, lens: LensModel = .none) {
    self.intrinsics = intrinsics
    self.lens = lens
  }
}

/// Where a point falls, and how that changes with the point and with the camera.
struct ProjectionDerivatives: Hashable, Sendable {
  /// The pixel; the center of the first one is (0, 0).
  var pixel: SIMD2<Double>
  /// The change of the column per meter along each axis of the camera frame.
  var columnByPoint: SIMD3<Double>
  /// The change of the row per meter along each axis of the camera frame.
  var rowByPoint: SIMD3<Double>
  /// The change of the pixel per unit of each ``CameraParameter``, in the order of their raw values.
  var byParameter: [SIMD2<Double>]
}

extension CameraModel {
  /// The pixel that a point of the camera frame falls on.
  ///
  /// - Parameter pointInCamera: A point in any unit of length.
  /// - Returns: The pixel, or `nil` for a point that is not in front of the camera.
  public func project(_ pointInCamera: SIMD3<Double>) -> SIMD2<Double>? {
    guard pointInCamera.z > 0 else { return nil }
    let ray = SIMD2(pointInCamera.x, pointInCamera.y) / pointInCamera.z
    switch lens {
    case .none: return ray * intrinsics.focalLength + intrinsics.principalPoint
    case .polynomial(let radial, let tangential):
      let moved = BrownPolynomial(radial: radial, tangential: tangential).distorted(ray).ray
      return moved * intrinsics.focalLength + intrinsics.principalPoint
    case .radial(let distortion):
      return distortion.distorted(ray * intrinsics.focalLength + intrinsics.principalPoint)
    }
  }

  /// The pixel that a point of the camera frame falls on, with all first derivatives.
  ///
  /// Where a table's segments meet the derivative is that of the outer segment.
  ///
  /// - Parameter pointInCamera: A point in meters.
  /// - Returns: The pixel and its derivatives, or `nil` for a point not in front of the camera.
  func projectWithDerivatives(_ pointInCamera: SIMD3<Double>) -> ProjectionDerivatives? {
    var byParameter = [SIMD2<Double>](repeating: .zero, count: CameraParameter.allCases.count)
    guard
      let point = byParameter.withUnsafeMutableBufferPointer({
        derivatives(at: pointInCamera, byParameter: $0)
      })
    else { return nil }
    return ProjectionDerivatives(
      pixel: point.pixel, columnByPoint: point.columnByPoint, rowByPoint: point.rowByPoint,
      byParameter: byParameter)
  }

  /// The same into memory of the caller, so that the solver allocates nothing per corner.
  func derivatives(
    at point: SIMD3<Double>, byParameter: UnsafeMutableBufferPointer<SIMD2<Double>>
  ) -> (pixel: SIMD2<Double>, columnByPoint: SIMD3<Double>, rowByPoint: SIMD3<Double>)? {
    guard point.z > 0 else { return nil }
    let inverse = 1 / point.z
    let ray = SIMD2(point.x, point.y) * inverse
    let focal = intrinsics.focalLength
    let aspect = focal.y / focal.x
    // The pixel's columns of change per step of the ray along x and along y.
    var byRayX: SIMD2<Double>
    var byRayY: SIMD2<Double>
    var pixel: SIMD2<Double>
    var byFocal: SIMD2<Double>
    var byAspect: SIMD2<Double>
    var byCenterX = SIMD2(1.0, 0)
    var byCenterY = SIMD2(0.0, 1)
    switch lens {
    case .polynomial(let radial, let tangential):
      let moved = BrownPolynomial(radial: radial, tangential: tangential).distorted(ray)
      byRayX = moved.byX * focal
      byRayY = moved.byY * focal
      pixel = moved.ray * focal + intrinsics.principalPoint
      byFocal = SIMD2(moved.ray.x, moved.ray.y * aspect)
      byAspect = SIMD2(0, moved.ray.y * focal.x)
      writeLensDerivatives(at: ray, to: byParameter)
    case .none, .radial:
      byRayX = SIMD2(focal.x, 0)
      byRayY = SIMD2(0, focal.y)
      pixel = ray * focal + intrinsics.principalPoint
      byFocal = SIMD2(ray.x, ray.y * aspect)
      byAspect = SIMD2(0, ray.y * focal.x)
    }
    if case .radial(let distortion) = lens {
      let moved = distortion.distortedWithDerivatives(pixel)
      func carried(_ change: SIMD2<Double>) -> SIMD2<Double> {
        moved.byColumn * change.x + moved.byRow * change.y
      }
      pixel = moved.pixel
      byRayX = carried(byRayX)
      byRayY = carried(byRayY)
      byFocal = carried(byFocal)
      byAspect = carried(byAspect)
      byCenterX = moved.byColumn
      byCenterY = moved.byRow
    }
    byParameter[CameraParameter.focal.rawValue] = byFocal
    byParameter[CameraParameter.aspect.rawValue] = byAspect
    byParameter[CameraParameter.principalPointX.rawValue] = byCenterX
    byParameter[CameraParameter.principalPointY.rawValue] = byCenterY
    let byZ = -(byRayX * ray.x + byRayY * ray.y) * inverse
    return (
      pixel, SIMD3(byRayX.x * inverse, byRayY.x * inverse, byZ.x),
      SIMD3(byRayX.y * inverse, byRayY.y * inverse, byZ.y)
    )
  }

  /// Writes how a pixel changes with each coefficient of a polynomial lens.
  @inline(__always)
  private func writeLensDerivatives(
    at ray: SIMD2<Double>, to byParameter: UnsafeMutableBufferPointer<SIMD2<Double>>
  ) {
    let focal = intrinsics.focalLength
    let square = (ray * ray).sum()
    let radialStep = ray * focal * square
    byParameter[CameraParameter.radial1.rawValue] = radialStep
    byParameter[CameraParameter.radial2.rawValue] = radialStep * square
    byParameter[CameraParameter.radial3.rawValue] = radialStep * square * square
    let mixed = 2 * ray.x * ray.y
    byParameter[CameraParameter.tangential1.rawValue] =
      SIMD2(mixed, square + 2 * ray.y * ray.y) * focal
    byParameter[CameraParameter.tangential2.rawValue] =
      SIMD2(square + 2 * ray.x * ray.x, mixed) * focal
  }

  /// The ray of a pixel, freed from the lens: `x/z` and `y/z` in the camera frame.
  ///
  /// It is the exact inverse of ``project(_:)``, by Newton's steps, within 1e-10 px; a producer's own
  /// inverse table is only a start, since it is not exactly inverse.
  ///
  /// - Parameter pixel: Any point of the image plane; the center of the first pixel is (0, 0).
  /// - Returns: The ray, or `nil` where the lens's function has no inverse, far outside the image.
  public func unproject(_ pixel: SIMD2<Double>) -> SIMD2<Double>? {
    let distortedRay = (pixel - intrinsics.principalPoint) / intrinsics.focalLength
    switch lens {
    case .none: return distortedRay
    case .polynomial(let radial, let tangential):
      let step = 1e-10 / max(intrinsics.focalLength.x, intrinsics.focalLength.y)
      return BrownPolynomial(radial: radial, tangential: tangential)
        .undistorted(distortedRay, within: step)
    case .radial(let distortion):
      guard let ideal = distortion.invertedDistortion(of: pixel) else { return nil }
      return (ideal - intrinsics.principalPoint) / intrinsics.focalLength
    }
  }
}

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
