extension LensDistortion {
  /// The lens of Brown's radial polynomial in normalized coordinates, about the principal point:
  /// `x' = x·(1 + k1·r² + k2·r⁴ + k3·r⁶)`.
  ///
  /// With a pixel pitch of 1/f the radius "in millimeters" is the normalized radius, so the terms
  /// convert to Apple's percentages `[0, 100·k1, 100·k2, 100·k3]` without loss. Where the focal
  /// lengths differ, their geometric mean replaces both, which changes the displacement of a point
  /// by at most a fraction of `|fx/fy − 1|`. The polynomial is evaluated as far as the corners of
  /// the image need it, also where the undistorted corners lie outside the image.
  /// - Parameters:
  ///   - k: The three radial terms in OpenCV's order; 0 for unused ones.
  ///   - camera: The pinhole camera whose principal point is the center of distortion.
  /// - Source: D. C. Brown, *Close-Range Camera Calibration*, 1971; OpenCV, `calib3d`, of which
  ///   these are `k1`, `k2`, `k3`.
  public init(radialPolynomial k: SIMD3<Double>, of camera: PinholeIntrinsics) {
    let pitch = 1 / (camera.focalLength.x * camera.focalLength.y).squareRoot()
    self.init(
      center: camera.principalPoint, size: camera.size, pixelSizeMillimeters: pitch,
      distorting: .coefficients([0, 100 * k.x, 100 * k.y, 100 * k.z]), undistorting: nil)
    maximumRadius = Self.radius(reaching: maximumRadius, pitch, k)
  }

  /// The smallest radius, in steps of `distorted`/256, that a polynomial maps to at least
  /// `distorted`.
  ///
  /// If the polynomial stops rising before that, it is the last radius at which it rises. The
  /// result lies between `distorted` and twice `distorted`.
  private static func radius(reaching distorted: Double, _ pitch: Double, _ k: SIMD3<Double>)
    -> Double
  {
    let steps = 256
    var last = distorted
    for step in 0...steps {
      let radius = distorted * (1 + Double(step) / Double(steps))
      let square = radius * pitch * radius * pitch
      let slope = 1 + square * (3 * k.x + square * (5 * k.y + square * 7 * k.z))
      // Beyond the turning point two undistorted points have the same pixel, which no lens does.
      guard slope > 0 else { return last }
      last = radius
      let magnification = square * (k.x + square * (k.y + square * k.z))
      if radius * (1 + magnification) >= distorted { return radius }
    }
    return last
  }

  /// The polynomial's radial terms `k1`, `k2`, `k3` for a pinhole camera; `nil` unless they
  /// describe this lens exactly: a center at the principal point and coefficients from undistorted
  /// to distorted, up to the sixth power and without a constant term.
  package func radialPolynomial(of camera: PinholeIntrinsics) -> SIMD3<Double>? {
    guard case .coefficients(let percents) = distorting, pixelSizeMillimeters > 0,
      center == camera.principalPoint, percents.first ?? 0 == 0,
      percents.dropFirst(4).allSatisfy({ $0 == 0 })
    else { return nil }
    let focal = (camera.focalLength.x * camera.focalLength.y).squareRoot()
    // Here radii are in pitch·pixels; for the polynomial they are in pixels/f.
    let unit = pixelSizeMillimeters * focal
    let padded = percents + [0, 0, 0, 0]
    return SIMD3(
      padded[1] * unit * unit, padded[2] * unit * unit * unit * unit,
      padded[3] * unit * unit * unit * unit * unit * unit) / 100
  }
}
