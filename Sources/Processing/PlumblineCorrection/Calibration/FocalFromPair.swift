public import PlumblineModel

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
    package init(pixels: Double, sigmaPixels: Double) {
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
  package static let driftShare: Double = 0.000_64
  /// How far ``avfoundation(atWidth:)`` misses boards, as a share of the focal length.
  ///
  /// - Source: 525.97 px beside 531.97 px of table 2: 1.13 %.
  package static let lawShare: Double = 0.011_3
  /// How far the two laws of ``arkit(atWidth:)`` and ``arkitAsPrinted(atWidth:)`` are apart.
  ///
  /// - Source: 361.58 and 368.18 px for one pair: 1.8 %.
  package static let expansionShare: Double = 0.018

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
  package func arkitAsPrinted(atWidth width: Double) -> Estimate {
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

extension FocalFromPair {
  /// How far a capture's own focal length may be from that of the pair, as a share: specimens of
  /// one model differ by less, models by more.
  ///
  /// - Source: `Documentation/devices.md`: specimens scatter by 0.93 %, three times of which it is.
  static let agreementShare = 0.03

  /// One law, what it gives and where it is from.
  public struct Law: Hashable, Sendable {
    /// The interface and the formula, in words.
    public var name: String
    /// The estimate, in pixels of the requested width.
    public var estimate: Estimate
  }

  /// All laws at a width: of AVFoundation, and of ARKit exact and as printed.
  public func laws(atWidth width: Double) -> [Law] {
    [
      Law(name: "AVFoundation, f_av²/f_ar (eq. 5–7)", estimate: avfoundation(atWidth: width)),
      Law(name: "ARKit, f_ar·(f_av/f_ar)² (eq. 8–10, exact)", estimate: arkit(atWidth: width)),
      Law(
        name: "ARKit, f_ar·(1 + 2·(1 − f_ar/f_av)) (eq. 8–10, as printed)",
        estimate: arkitAsPrinted(atWidth: width)),
    ]
  }

  /// The step that gives a capture the focal length behind geometric distortion correction: by the
  /// first law, for ARKit by the exact second one.
  ///
  /// Which interface it is of, the capture's own focal length shows where the capture does not say.
  /// - Parameters:
  ///   - capture: A capture of the device and system that the pair is of.
  ///   - origin: Where the pair comes from, in words.
  /// - Returns: The step, with the law's ± and the law in its basis.
  /// - Throws: ``CorrectionError`` without a map or a calibration, where that correction was off,
  ///   and for a capture whose own focal length is not that of the pair.
  public func step(
    for capture: Capture, origin: String
  ) throws(CorrectionError) -> FocalScaling {
    let name = ProvenanceStep.Kind.focalReplaced.rawValue
    let record = try capture.requiredDepth(for: name)
    guard let claimed = record.calibration?.intrinsics else {
      throw CorrectionError(.missing, step: name, expected: "a calibration", found: "none")
    }
    guard capture.source.isGeometryCorrected != false, capture.source.interface != .photo else {
      throw CorrectionError(
        .unsupported, step: name,
        expected: "pixels behind geometric distortion correction, for which the law holds",
        found: capture.source.interface == .photo ? "a photo" : "that it was off")
    }
    let width = Double(claimed.size.width)
    func agrees(_ stated: Statement) -> Bool {
      let expected = stated.focalLength * width / stated.referenceWidth
      return abs(claimed.focalLength.x / expected - 1) < Self.agreementShare
    }
    // Files seldom say which interface made them; the two state quite different numbers.
    let isARKit = capture.source.interface == .arkit || !agrees(avfoundation)
    guard agrees(isARKit ? arkit : avfoundation) else {
      let expected = [avfoundation, arkit].map {
        ($0.focalLength * width / $0.referenceWidth).fixed(2)
      }
      throw CorrectionError(
        .mismatch, step: name,
        expected: "a focal length near one of the pair's at \(claimed.size.width) columns, "
          + "\(expected[0]) px of AVFoundation or \(expected[1]) px of ARKit",
        found: "\(claimed.focalLength.x.fixed(2)) px")
    }
    let estimate = isARKit ? arkit(atWidth: width) : avfoundation(atWidth: width)
    let ratio = estimate.pixels / claimed.focalLength.x
    guard (0.5...2).contains(ratio) else {
      throw CorrectionError(
        .unsupported, step: name, expected: "a pair that changes the focal length by less than 2",
        found: "a factor of \(ratio.fixed(3))")
    }
    var law = laws(atWidth: width)[isARKit ? 1 : 0].name
    if isARKit {
      law += "; as printed \(arkitAsPrinted(atWidth: width).pixels.fixed(2)) px"
    }
    return FocalScaling(
      ratio: ratio, sigma: estimate.sigmaPixels / claimed.focalLength.x, pixelsAreRectified: true,
      basis: "arXiv 2201.10865, \(law), \(estimate.pixels.fixed(2)) ± "
        + "\(estimate.sigmaPixels.fixed(2)) px at \(claimed.size.width) columns, from \(origin)")
  }
}
