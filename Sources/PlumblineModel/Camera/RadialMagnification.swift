/// How far a point at a given radius moves outward: `p' = center + (p − center)·(1 + m(r))`.
///
/// The two forms that Apple uses; both are offsets, so 0 means "stays".
public enum RadialMagnification: Hashable, Sendable {
  /// Samples of `m` spread evenly from the center to the maximum radius; linear in between.
  ///
  /// - Source: Apple, `AVCameraCalibrationData.h`, comment on `lensDistortionLookupTable`.
  case table([Float])
  /// Percent by even powers of the radius in millimeters: `m = 0.01·Σ cₖ·r²ᵏ`.
  ///
  /// - Source: fitted to the tables of two iPads, residual 3e-7 %; see
  ///   `Documentation/formats/xmp-apple-depth.md`. To be verified on a device.
  case coefficients([Double])

  /// The magnification offset at a radius.
  ///
  /// - Parameters:
  ///   - radius: The distance from the distortion center, in pixels.
  ///   - maximumRadius: The distance of the farthest corner; larger radii are taken as this one,
  ///     since beyond the sensor the polynomial explodes and the table ends.
  ///   - pixelSizeMillimeters: The pitch of the same pixels; used by coefficients only.
  /// - Returns: The offset `m`, without unit; 0 for an empty table.
  public func offset(
    atRadius radius: Double, maximumRadius: Double, pixelSizeMillimeters: Double
  ) -> Double {
    switch self {
    case .table(let samples):
      guard let last = samples.last else { return 0 }
      guard radius < maximumRadius, samples.count > 1 else { return Double(last) }
      let position = radius * Double(samples.count - 1) / maximumRadius
      let index = min(Int(position), samples.count - 2)
      let fraction = position - Double(index)
      return (1 - fraction) * Double(samples[index]) + fraction * Double(samples[index + 1])
    case .coefficients(let percents):
      let millimeters = min(radius, maximumRadius) * pixelSizeMillimeters
      let square = millimeters * millimeters
      return 0.01 * percents.reversed().reduce(0) { $0 * square + $1 }
    }
  }

  /// Whether nothing moves at any radius.
  public var isZero: Bool {
    switch self {
    case .table(let samples): samples.allSatisfy { $0 == 0 }
    case .coefficients(let percents): percents.allSatisfy { $0 == 0 }
    }
  }
}
