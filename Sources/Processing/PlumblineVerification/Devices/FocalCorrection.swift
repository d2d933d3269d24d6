public import PlumblineModel

/// What a stated focal length must be multiplied with, from measurements of the same model.
public struct FocalCorrection: Hashable, Sendable {
  /// True over stated focal length; below 1 where the stated one is too long.
  public var ratio: Double
  /// One standard deviation of `ratio` for a device that was not itself measured.
  public var sigma: Double
  /// The source of ratio and sigma, in a sentence.
  public var basis: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
}

extension DeviceCatalog {
  /// The correction of the focal length that a capture states.
  ///
  /// - Parameter source: The model, the interface, and whether geometric distortion correction was
  ///   on; where that is not said, it counts as on for AVFoundation and ARKit, as it is by default.
  /// - Returns: `nil` unless the model is known to state the focal length before that correction,
  ///   and for photos, of which none with this fault is known.
  /// - Source: The mean of measured over factory focal lengths on rectified images; its sigma is
  ///   the scatter between sessions and, mostly, ``specimenScatter``. For ARKit, which was never
  ///   measured, `(f_av / f_ar)²` of arXiv 2201.10865, section 6.2, in its exact form.
  public func focalCorrection(for source: CaptureSource) -> FocalCorrection? {
    guard source.isGeometryCorrected != false, source.interface != .photo,
      source.camera == .trueDepth || source.camera == .unknown,
      let device = source.model.flatMap({ self.device(named: $0) }),
      device.faults.contains(where: {
        $0.code == .focalBeforeCorrection && $0.concerns(source.interface)
      })
    else { return nil }
    return source.interface == .arkit
      ? device.focalCorrectionOfARKit : focalCorrection(of: device)
  }

  /// The devices on which a board has shown how far the stated focal length is that of the lens
  /// before geometric distortion correction, with what was found; in the catalog's order.
  package var measuredFocalCorrections: [(device: Device, correction: FocalCorrection)] {
    devices.compactMap { device in
      guard device.faults.contains(where: { $0.code == .focalBeforeCorrection }) else { return nil }
      return focalCorrection(of: device).map { (device, $0) }
    }
  }

  private func focalCorrection(of device: Device) -> FocalCorrection? {
    let used = device.measurements.filter {
      $0.isRectified == true && $0.model == .focalOnly && $0.ratio != nil
    }
    guard !used.isEmpty else { return nil }
    let sessions = Moments(used.compactMap(\.ratio))
    let specimen = specimenScatter
    let sigma = (sessions.variance / Double(used.count) + specimen * specimen).squareRoot()
    return FocalCorrection(
      ratio: sessions.mean, sigma: sigma,
      basis: "\(used.count.counting("board calibration")) of one "
        + "\(device.name), ± the scatter of other models' specimens",
      confidence: used.contains { $0.confidence == .measured } ? .measured : .published)
  }

  /// How far measured over factory focal length scatters between specimens whose cameras are built
  /// alike, one standard deviation, pooled over all kinds of camera.
  ///
  /// Focal length only, as it is the one model that was used on all; unmodeled distortion is
  /// therefore part of it, which makes it too large rather than too small.
  package var specimenScatter: Double { knownSpecimenScatter.sigma }

  /// ``specimenScatter`` with its degrees of freedom; 1 where no two specimens are alike.
  package var knownSpecimenScatter: (sigma: Double, degrees: Double) {
    var ratios: [String: [Double]] = [:]
    for device in devices {
      guard let module = device.module else { continue }
      let used = device.measurements.filter { $0.model == .focalOnly && $0.ratio != nil }
      // One vote for each specimen, however often it was measured.
      for specimen in Set(used.map(\.specimen)).sorted() {
        let own = used.filter { $0.specimen == specimen }.compactMap(\.ratio)
        ratios[module, default: []].append(Moments(own).mean)
      }
    }
    var squares = 0.0
    var degrees = 0
    for module in ratios.keys.sorted() {
      let group = ratios[module] ?? []
      squares += Moments(group).variance * Double(group.count - 1)
      degrees += group.count - 1
    }
    // One percent, the order of every table known, where a catalog has no two specimens alike.
    return degrees == 0 ? (0.01, 1) : ((squares / Double(degrees)).squareRoot(), Double(degrees))
  }
}

extension Device {
  /// `(f_av / f_ar)²` over the specimens that both interfaces describe.
  fileprivate var focalCorrectionOfARKit: FocalCorrection? {
    var ratios: [Double] = []
    for own in calibrations where own.interface == .avfoundation {
      let other = calibrations.first {
        $0.interface == .arkit && $0.specimen == own.specimen && $0.system == own.system
      }
      guard let other else { continue }
      let ratio = own.focalLength.x / other.focalLength.x
      ratios.append(ratio * ratio)
    }
    guard !ratios.isEmpty else { return nil }
    // The law as printed gives 1.8 % less, and its AVFoundation half misses the board by 1.1 %.
    return FocalCorrection(
      ratio: Moments(ratios).mean, sigma: 0.021 * Moments(ratios).mean,
      basis: "the ratio of AVFoundation's and ARKit's focal lengths, squared; never compared with "
        + "a board",
      confidence: .inferred)
  }
}

/// Mean and variance of a few numbers.
struct Moments {
  let mean: Double
  /// The unbiased variance; 0 for a single number.
  let variance: Double

  init(_ numbers: [Double]) {
    let mean = numbers.reduce(0, +) / Double(max(numbers.count, 1))
    self.mean = mean
    variance =
      numbers.count < 2
      ? 0
      : numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count - 1)
  }
}
