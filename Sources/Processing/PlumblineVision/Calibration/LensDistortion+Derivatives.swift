import PlumblineModel

extension LensDistortion {
  /// Where the lens puts an ideal pixel, and how that moves with the pixel.
  func distortedWithDerivatives(
    _ undistorted: SIMD2<Double>
  ) -> (pixel: SIMD2<Double>, byColumn: SIMD2<Double>, byRow: SIMD2<Double>) {
    let offset = undistorted - center
    let radius = (offset * offset).sum().squareRoot()
    let (magnification, slope) = distortingMagnificationAndSlope(atRadius: radius)
    let scale = 1 + magnification
    // The derivative of v·(1 + m(|v|)) is (1 + m)·1 + m'·v·vᵀ/|v|.
    let bend = radius > 0 ? slope / radius : 0
    let cross = bend * offset.x * offset.y
    return (
      center + offset * scale, SIMD2(scale + bend * offset.x * offset.x, cross),
      SIMD2(cross, scale + bend * offset.y * offset.y)
    )
  }

  /// The offset `m` at an undistorted radius, and its change per pixel of radius.
  private func distortingMagnificationAndSlope(
    atRadius radius: Double
  ) -> (offset: Double, slope: Double) {
    let offset = distortingMagnification(atRadius: radius)
    if let distorting {
      return (
        offset,
        distorting.slope(
          atRadius: radius, maximumRadius: maximumRadius,
          pixelSizeMillimeters: pixelSizeMillimeters)
      )
    }
    guard let undistorting, radius > 0 else { return (offset, 0) }
    // Differentiate r = d·(1 + u(d)) for the distorted radius d = r·(1 + m).
    let distortedRadius = radius * (1 + offset)
    let back = undistorting.offset(
      atRadius: distortedRadius, maximumRadius: maximumRadius,
      pixelSizeMillimeters: pixelSizeMillimeters)
    let backSlope = undistorting.slope(
      atRadius: distortedRadius, maximumRadius: maximumRadius,
      pixelSizeMillimeters: pixelSizeMillimeters)
    let growth = 1 / (1 + back + distortedRadius * backSlope)
    return (offset, (growth - 1 - offset) / radius)
  }

  /// The ideal pixel that the lens puts on a given one, exactly inverse to ``distorted(_:)``.
  ///
  /// `nil` where the lens folds, which no plausible one does; see ``isPlausible``.
  func invertedDistortion(of pixel: SIMD2<Double>) -> SIMD2<Double>? {
    guard distorting != nil else { return undistorted(pixel) }
    let offset = pixel - center
    let target = (offset * offset).sum().squareRoot()
    guard target > 0 else { return pixel }
    guard target.isFinite else { return nil }
    var low = 0.0
    var high = 2 * target
    var radius =
      undistorting.map { _ in target * (1 + undistortingMagnification(atRadius: target)) }
      ?? target
    for _ in 0..<100 {
      let (magnification, slope) = distortingMagnificationAndSlope(atRadius: radius)
      let rest = radius * (1 + magnification) - target
      if abs(rest) <= 1e-10 { return center + offset * (radius / target) }
      if rest > 0 { high = radius } else { low = radius }
      let growth = 1 + magnification + radius * slope
      let next = radius - rest / growth
      // A corner of the table can throw Newton's step out of the bracket; halve it instead.
      radius = growth > 0 && next > low && next < high ? next : (low + high) / 2
    }
    return nil
  }
}

extension RadialMagnification {
  /// The change of the offset per pixel of radius; 0 beyond the last sample.
  func slope(
    atRadius radius: Double, maximumRadius: Double, pixelSizeMillimeters: Double
  ) -> Double {
    guard radius < maximumRadius else { return 0 }
    switch self {
    case .table(let samples):
      guard samples.count > 1 else { return 0 }
      let perPixel = Double(samples.count - 1) / maximumRadius
      let index = min(Int(radius * perPixel), samples.count - 2)
      return (Double(samples[index + 1]) - Double(samples[index])) * perPixel
    case .coefficients(let percents):
      let millimeters = radius * pixelSizeMillimeters
      let square = millimeters * millimeters
      var sum = 0.0
      for (power, percent) in percents.enumerated().reversed() where power > 0 {
        sum = sum * square + Double(2 * power) * percent
      }
      return 0.01 * sum * millimeters * pixelSizeMillimeters
    }
  }
}
