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
