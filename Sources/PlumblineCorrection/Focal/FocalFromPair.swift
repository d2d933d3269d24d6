/// The focal length behind geometric distortion correction, from what AVFoundation and ARKit state.
///
/// Both state the depth camera's focal length at their own reference width, and both are too long;
/// their ratio shows by how much. The laws are empirical, without a derivation, and only the
/// first was compared with a board.
/// - Source: arXiv 2201.10865, section 6.2. What is printed wrong there:
///   `Documentation/devices.md`, equations 5 to 10.
public struct FocalFromPair: Hashable, Sendable {
  /// A focal length with one standard deviation, in pixels.
  public struct Estimate: Hashable, Sendable {
    /// The focal length, in pixels.
    public var pixels: Double
    /// One standard deviation of `pixels`: of the two focal lengths and of the law.
    public var sigmaPixels: Double

    /// Creates an estimate.
    public init(pixels: Double, sigmaPixels: Double) {
      self.pixels = pixels
      self.sigmaPixels = sigmaPixels
    }
  }

  /// The statement of a system about one interface.
  public struct Statement: Hashable, Sendable {
    /// The depth camera's focal length, in pixels of `referenceWidth`.
    public var focalLength: Double
    /// The width of the reference image, in pixels.
    public var referenceWidth: Double
    /// One standard deviation of `focalLength`, in pixels.
    public var sigma: Double

    /// Creates a statement.
    ///
    /// - Parameters:
    ///   - focalLength: In pixels of `referenceWidth`.
    ///   - referenceWidth: In pixels.
    ///   - sigma: In pixels; `nil` takes ``FocalFromPair/driftShare`` of the focal length.
    /// - Precondition: Both lengths are finite and above 0.
    public init(focalLength: Double, referenceWidth: Double, sigma: Double? = nil) {
      precondition(
        focalLength > 0 && focalLength.isFinite && referenceWidth > 0 && referenceWidth.isFinite,
        "a focal length of \(focalLength) px at a width of \(referenceWidth) px")
      self.focalLength = focalLength
      self.referenceWidth = referenceWidth
      self.sigma = sigma ?? focalLength * FocalFromPair.driftShare
    }
  }

  /// How far a stated focal length moves between sessions of one device, as a share.
  ///
  /// - Source: iPhone 11 Pro, two sessions of one system: 436.776 and 436.497 px, 0.064 %.
  public static let driftShare: Double = 0.000_64
  /// How far ``avfoundation(atWidth:)`` misses boards, as a share of the focal length.
  ///
  /// - Source: 525.97 px beside 531.97 px of table 2: 1.13 %.
  public static let lawShare: Double = 0.011_3
  /// How far the two laws of ``arkit(atWidth:)`` and ``arkitAsPrinted(atWidth:)`` are apart.
  ///
  /// - Source: 361.58 and 368.18 px for one pair: 1.8 %.
  public static let expansionShare: Double = 0.018

  /// The focal length that AVFoundation states.
  public var avfoundation: Statement
  /// The focal length that ARKit states for the same device and system.
  public var arkit: Statement

  /// Creates a pair of one device and one version of its system.
  public init(avfoundation: Statement, arkit: Statement) {
    self.avfoundation = avfoundation
    self.arkit = arkit
  }

  /// The focal length of AVFoundation's rectified images: `f_av² / f_ar`, scaled to a width.
  ///
  /// - Source: equations 5 to 7, as printed; the example gives 525.97 px at 640.
  public func avfoundation(atWidth width: Double) -> Estimate {
    let (f, g) = (avfoundation.focalLength, arkit.focalLength)
    return estimate(
      f * f / g, byAVFoundation: 2 * f / g, byARKit: -f * f / (g * g),
      scale: width / avfoundation.referenceWidth, lawShare: Self.lawShare)
  }

  /// The focal length of ARKit's images: `f_ar · (f_av / f_ar)²`, scaled to a width.
  ///
  /// ARKit errs twice the ratio, so the ratio enters squared. Never compared with a board.
  /// - Source: what equation 8 expands to first order; the example gives 368.18 px at 640.
  public func arkit(atWidth width: Double) -> Estimate {
    let (f, g) = (avfoundation.focalLength, arkit.focalLength)
    return estimate(
      f * f / g, byAVFoundation: 2 * f / g, byARKit: -f * f / (g * g),
      scale: width / arkit.referenceWidth, lawShare: Self.expandedLawShare)
  }

  /// The same as printed: `f_ar · (1 + 2·(1 − f_ar / f_av))`, scaled to a width.
  ///
  /// It is the first-order expansion of ``arkit(atWidth:)`` about equal focal lengths, 1.8 % less
  /// at the ratio of 1.075 that iPads have; use it only to compare with the paper.
  /// - Source: equations 8 to 10; the example gives 361.58 px at 640.
  public func arkitAsPrinted(atWidth width: Double) -> Estimate {
    let (f, g) = (avfoundation.focalLength, arkit.focalLength)
    return estimate(
      g * (3 - 2 * g / f), byAVFoundation: 2 * g * g / (f * f), byARKit: 3 - 4 * g / f,
      scale: width / arkit.referenceWidth, lawShare: Self.expandedLawShare)
  }

  /// The law's own miss and that of its expansion, which are independent.
  private static let expandedLawShare =
    (lawShare * lawShare + expansionShare * expansionShare).squareRoot()

  private func estimate(
    _ focal: Double, byAVFoundation: Double, byARKit: Double, scale: Double, lawShare: Double
  ) -> Estimate {
    let parts = SIMD3(
      byAVFoundation * avfoundation.sigma, byARKit * arkit.sigma, focal * lawShare)
    return Estimate(
      pixels: focal * scale, sigmaPixels: (parts * parts).sum().squareRoot() * scale)
  }
}
