/// A lens's radial distortion around its own center, in both directions.
///
/// Unit: pixels of the image that the calibration belongs to, first pixel center (0, 0).
/// "Distorted" is the image as taken, "undistorted" the ideal pinhole image.
public struct LensDistortion: Hashable, Sendable {
  /// The center of distortion, which need not be the principal point.
  public var center: SIMD2<Double>
  /// The distance from the center to the farthest corner of the full image, where tables end.
  public var maximumRadius: Double
  /// The pixel pitch in millimeters; coefficients take radii in millimeters.
  public var pixelSizeMillimeters: Double
  /// Maps undistorted points to distorted ones: Apple's `lensDistortionLookupTable`, and in files
  /// the *Inverse* coefficients (the names are swapped).
  public var distorting: RadialMagnification?
  /// Maps distorted points to undistorted ones: Apple's `inverseLensDistortionLookupTable`.
  public var undistorting: RadialMagnification?

  /// Creates a distortion for a full, uncropped image.
  ///
  /// - Parameters:
  ///   - center: The center of distortion in pixels of the image.
  ///   - size: The size of the full image.
  ///   - pixelSizeMillimeters: The pixel pitch; 0 where only tables are given.
  ///   - distorting: The magnification from undistorted to distorted points.
  ///   - undistorting: The magnification from distorted to undistorted points.
  /// - Precondition: At least one direction is given.
  public init(
    center: SIMD2<Double>, size: RasterSize, pixelSizeMillimeters: Double = 0,
    distorting: RadialMagnification?, undistorting: RadialMagnification?
  ) {
    precondition(distorting != nil || undistorting != nil, "a distortion needs a direction")
    let farthest = SIMD2(
      max(center.x, Double(size.width) - center.x), max(center.y, Double(size.height) - center.y))
    self.center = center
    self.maximumRadius = (farthest * farthest).sum().squareRoot()
    self.pixelSizeMillimeters = pixelSizeMillimeters
    self.distorting = distorting
    self.undistorting = undistorting
  }

  /// The pixel at which the lens shows an undistorted point.
  ///
  /// - Source: `lensDistortionPointForPoint` in Apple's `AVCameraCalibrationData.h`.
  package func distorted(_ undistorted: SIMD2<Double>) -> SIMD2<Double> {
    let offset = undistorted - center
    let radius = (offset * offset).sum().squareRoot()
    return center + offset * (1 + distortingMagnification(atRadius: radius))
  }

  /// The pixel at which a pinhole camera would show a distorted point.
  package func undistorted(_ distorted: SIMD2<Double>) -> SIMD2<Double> {
    let offset = distorted - center
    let radius = (offset * offset).sum().squareRoot()
    return center + offset * (1 + undistortingMagnification(atRadius: radius))
  }

  /// Whether no point moves in either direction.
  public var isZero: Bool { distorting?.isZero != false && undistorting?.isZero != false }

  /// Whether a real lens could have this distortion: each given direction moves points by at most
  /// half of their distance from the center and keeps their order, tested at 65 radii up to
  /// ``maximumRadius``.
  ///
  /// Phone lenses move them by a few percent. Beyond these bounds neither direction can be
  /// inverted.
  public var isPlausible: Bool { isWithin(0.5, inOrder: true) }

  /// Whether moved points stay finite in single precision: the factor is at most 1,000.
  ///
  /// A polynomial exceeds these bounds quickly when it is evaluated around a wrong center, so this
  /// test alone does not say that the lens is plausible.
  public var isFinite: Bool { isWithin(1000, inOrder: false) }

  private func isWithin(_ limit: Double, inOrder: Bool) -> Bool {
    guard maximumRadius <= 1e9 else { return false }
    return [distorting, undistorting].compactMap(\.self).allSatisfy { magnification in
      var last = -Double.infinity
      for index in 0...64 {
        let radius = maximumRadius * Double(index) / 64
        let offset = magnification.offset(
          atRadius: radius, maximumRadius: maximumRadius,
          pixelSizeMillimeters: pixelSizeMillimeters)
        let moved = radius * (1 + offset)
        guard abs(offset) <= limit, !inOrder || moved >= last else { return false }
        // Both directions divide by the magnification at the center.
        guard index > 0 || offset >= -0.5 else { return false }
        last = moved
      }
      return true
    }
  }
}

extension LensDistortion {
  /// The magnification offset from undistorted to distorted at an undistorted radius.
  package func distortingMagnification(atRadius radius: Double) -> Double {
    if let distorting { return offset(of: distorting, at: radius) }
    return inverted(undistorting, at: radius)
  }

  /// The magnification offset from distorted to undistorted at a distorted radius.
  package func undistortingMagnification(atRadius radius: Double) -> Double {
    if let undistorting { return offset(of: undistorting, at: radius) }
    return inverted(distorting, at: radius)
  }

  private func offset(of magnification: RadialMagnification, at radius: Double) -> Double {
    magnification.offset(
      atRadius: radius, maximumRadius: maximumRadius, pixelSizeMillimeters: pixelSizeMillimeters)
  }

  /// Inverts the other direction at a radius by bisection, to 1e-9 of the radius.
  ///
  /// Bisection converges for tables that are not monotonic in `m`, as Apple's are not.
  private func inverted(_ magnification: RadialMagnification?, at radius: Double) -> Double {
    guard let magnification else { return 0 }
    if radius == 0 { return 1 / (1 + offset(of: magnification, at: 0)) - 1 }
    var low = 0.0
    var high = 2 * radius
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if middle * (1 + offset(of: magnification, at: middle)) < radius {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2 / radius - 1
  }

  /// The same lens for an image resampled by one factor for columns and one for rows.
  ///
  /// Radii use the factor of the columns: rounding sizes to whole pixels makes the factors differ
  /// by less than a pixel over the image.
  func scaled(by scale: SIMD2<Double>) -> LensDistortion {
    var copy = self
    copy.center = (center + 0.5) * scale - 0.5
    copy.maximumRadius = maximumRadius * scale.x
    copy.pixelSizeMillimeters = pixelSizeMillimeters / scale.x
    return copy
  }

  /// The same lens for an image whose first pixel was pixel (`x`, `y`) of another image.
  func shifted(by origin: SIMD2<Double>) -> LensDistortion {
    var copy = self
    copy.center = center - origin
    return copy
  }

  /// The same lens for the image rotated or mirrored to be upright.
  func oriented(by orientation: ImageOrientation, from size: RasterSize) -> LensDistortion {
    var copy = self
    copy.center = orientation.upright(center, in: size)
    return copy
  }
}

/// How far a point at a given radius moves outward: `p' = center + (p − center)·(1 + m(r))`.
///
/// The two forms that Apple uses; both are offsets, so 0 means "stays".
public enum RadialMagnification: Hashable, Sendable {
  /// Samples of `m` spread evenly from the center to the maximum radius; linear in between.
  ///
  /// - Source: Apple, `AVCameraCalibrationData.h`, comment on `lensDistortionLookupTable`.
  case table([Float])
  /// Coefficients in percent for even powers of the radius in millimeters: `m = 0.01·Σ cₖ·r²ᵏ`.
  ///
  /// - Source: fitted to the tables of two iPads, residual 3e-7 %; see
  ///   `Documentation/formats/xmp-apple-depth.md`. To be verified on a device.
  case coefficients([Double])

  /// The magnification offset at a radius.
  ///
  /// - Parameters:
  ///   - radius: The distance from the distortion center, in pixels.
  ///   - maximumRadius: The distance of the farthest corner; larger radii are clamped to it, since
  ///     beyond the sensor the polynomial diverges and the table ends.
  ///   - pixelSizeMillimeters: The pitch of the same pixels; only used by coefficients.
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

  /// Whether the magnification offset is 0 at every radius.
  public var isZero: Bool {
    switch self {
    case .table(let samples): samples.allSatisfy { $0 == 0 }
    case .coefficients(let percents): percents.allSatisfy { $0 == 0 }
    }
  }
}
