/// A lens's radial distortion around its own center, in both directions.
///
/// Unit: pixels of the image that the calibration belongs to, first pixel center (0, 0).
/// "Distorted" is the image as taken, "undistorted" the ideal pinhole image.
public struct LensDistortion: Hashable, Sendable {
  /// The center of distortion, which need not be the principal point.
  public var center: SIMD2<Double>
  /// The distance from the center to the farthest corner of the full image, where tables end.
  public var maximumRadius: Double
  /// The pitch of a pixel in millimeters; coefficients count radii in it.
  public var pixelSizeMillimeters: Double
  /// Moves undistorted points outward to where the lens put them: Apple's
  /// `lensDistortionLookupTable`, and in files the *Inverse* coefficients (the names are swapped).
  public var distorting: RadialMagnification?
  /// Moves measured points back: Apple's `inverseLensDistortionLookupTable`.
  public var undistorting: RadialMagnification?

  /// Creates a distortion for a full, uncropped image.
  ///
  /// - Parameters:
  ///   - center: The center of distortion in pixels of the image.
  ///   - size: The size of the full image.
  ///   - pixelSizeMillimeters: The pitch of its pixels; 0 where only tables are given.
  ///   - distorting: The magnification from undistorted to distorted points.
  ///   - undistorting: The magnification from distorted to undistorted points.
  /// - Precondition: One direction at least is given.
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

  /// Distorts a point: the pixel at which the lens shows an undistorted point.
  ///
  /// - Source: `lensDistortionPointForPoint` in Apple's `AVCameraCalibrationData.h`.
  public func distorted(_ undistorted: SIMD2<Double>) -> SIMD2<Double> {
    let offset = undistorted - center
    let radius = (offset * offset).sum().squareRoot()
    return center + offset * (1 + distortingMagnification(atRadius: radius))
  }

  /// Undistorts a point: the pixel at which a pinhole camera would show a distorted point.
  public func undistorted(_ distorted: SIMD2<Double>) -> SIMD2<Double> {
    let offset = distorted - center
    let radius = (offset * offset).sum().squareRoot()
    return center + offset * (1 + undistortingMagnification(atRadius: radius))
  }

  /// Whether neither direction moves any point.
  public var isZero: Bool { distorting?.isZero != false && undistorting?.isZero != false }

  /// Whether a lens can do this: every given direction moves points by at most half of their
  /// distance from the center and keeps their order, at 65 radii up to ``maximumRadius``.
  ///
  /// Phone lenses move them by a few percent. Beyond these bounds neither direction can be inverted.
  public var isPlausible: Bool { isWithin(0.5, inOrder: true) }

  /// Whether points moved by it stay numbers in single precision: at most a thousandfold.
  ///
  /// A polynomial leaves its bounds quickly where a wrong center stretches it, so this alone says
  /// nothing about the lens.
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
