public import PlumblineModel

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
    let name = "focal-replaced"
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
