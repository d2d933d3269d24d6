package import PlumblineCorrection
public import PlumblineModel

/// The focal length of a capture by the user's own measurements.
public struct MeasuredFocal: Hashable, Sendable {
  /// True over stated focal length, with its ± and where both are from.
  public var correction: FocalCorrection
  /// Whether one of the measured devices took the capture, by its stated focal length; else the ± holds
  /// the scatter between devices.
  public var isOfMeasuredDevice: Bool
  /// Whether the pixels are rectified, so that the stated distortion must not be applied.
  package var pixelsAreRectified: Bool

  /// The step that takes it.
  package var step: FocalScaling {
    FocalScaling(
      ratio: correction.ratio, sigma: correction.sigma, pixelsAreRectified: pixelsAreRectified,
      basis: correction.basis)
  }
}

extension DeviceCatalog {
  /// How far a stated focal length may be from those measured and be of the same mode of the camera.
  ///
  /// - Source: specimens of one model state focal lengths within 0.5 % of each other
  ///   (`Documentation/devices.md`); other modes of a sensor differ by 7 % and more.
  static let sameModeShare = 0.03

  /// How far the stated focal length moves from one version of the system to the next, as a share.
  ///
  /// - Source: iOS 14 to 15 on one iPad, 0.09 %, `Documentation/devices.md`.
  static let systemDriftShare = 0.000_9

  /// The user's own measurements of a model, by any of its names.
  public func ownMeasurements(ofModel model: String?) -> [DeviceMeasurement] {
    guard let model, !ownMeasurements.isEmpty else { return [] }
    return ownMeasurements.filter { isSameModel($0.configuration.model, model) }
  }

  /// Whether two names are of one model.
  package func isSameModel(_ name: String?, _ other: String?) -> Bool {
    guard let name, let other, !Self.key(of: name).isEmpty else { return false }
    if Self.key(of: name) == Self.key(of: other) { return true }
    guard let device = device(named: name) else { return false }
    return device.keys.contains(Self.key(of: other))
  }

  /// The user's own measurements that hold for a configuration: the same model, camera, interface,
  /// reference size and rectification, and no other first number of the system's version.
  package func ownMeasurements(for configuration: DeviceConfiguration) -> [DeviceMeasurement] {
    ownMeasurements(ofModel: configuration.model).filter {
      $0.configuration.hasSameCamera(as: configuration)
        && $0.configuration.systemAgreement(with: configuration) != .different
    }
  }

  /// Measurements of one configuration, pooled, by the scatter that this catalog knows; `nil` for none.
  package func pool(_ measurements: [DeviceMeasurement]) -> FocalPool? {
    guard !measurements.isEmpty else { return nil }
    let sessions = measurements.map {
      (ratio: $0.ratio, sigma: $0.ratioSigma, factoryShare: $0.factoryShare)
    }
    return FocalPool(
      groups: FocalPool.grouped(sessions), knownDeviceScatter: knownSpecimenScatter)
  }

  /// The focal length of a capture by the user's own measurements.
  ///
  /// - Returns: `nil` without a measurement of the capture's configuration, for a capture without a
  ///   calibration of its map's shape or whose focal length a step has replaced already, for estimates, and where the
  ///   stated focal length is more than 3 % from all that were measured. Cost: O(measurements).
  public func measuredFocal(for capture: Capture) -> MeasuredFocal? {
    guard !ownMeasurements.isEmpty, capture.estimate == nil, capture.attachedDepth == nil,
      !capture.hasReplacedFocal, let record = capture.depth,
      let stated = record.calibration?.intrinsics, stated.focalLength.x > 0,
      stated.matchesAspect(of: record.size)
    else { return nil }
    let configuration = DeviceConfiguration(capture)
    let share = stated.focalLength.x / Double(stated.size.width)
    let used = ownMeasurements(for: configuration).filter {
      abs($0.factoryShare / share - 1) <= Self.sameModeShare
    }
    guard let pool = pool(used) else { return nil }
    let specimen = pool.specimen(stating: share)
    var sigma = specimen.map(pool.sigmaInAnotherSession) ?? pool.sigmaOfAnotherDevice
    let isSystemKnown = used.allSatisfy {
      $0.configuration.systemAgreement(with: configuration) == .same
    }
    if !isSystemKnown {
      sigma = (sigma * sigma + Self.systemDriftShare * Self.systemDriftShare).squareRoot()
    }
    let ratio = specimen?.ratio ?? pool.ratio
    guard (0.5...2).contains(ratio) else { return nil }
    return MeasuredFocal(
      correction: FocalCorrection(
        ratio: ratio, sigma: sigma, basis: Self.basis(of: used, pool, specimen),
        confidence: .measured),
      isOfMeasuredDevice: specimen != nil,
      pixelsAreRectified: configuration.isRectified == true)
  }

  /// Where a pooled ratio comes from, in words.
  private static func basis(
    of used: [DeviceMeasurement], _ pool: FocalPool, _ specimen: FocalPool.SpecimenMean?
  ) -> String {
    let own = specimen.map { specimen in
      used.filter { specimen.factoryShares.contains($0.factoryShare) }
    }
    let named = (own ?? used).prefix(3).map { measurement in
      measurement.identifier + (measurement.month.map { ", \($0)" } ?? "")
    }
    let rest = (own ?? used).count > 3 ? ", …" : ""
    let list = "your device catalog (\(named.joined(separator: "; "))\(rest))"
    guard let specimen else {
      return
        "\(used.count.counting("board session")) of \(pool.specimens.count.counting("device")) "
        + "of this model, ± the scatter between devices, from \(list)"
    }
    return "\(specimen.sessionCount.counting("board session")) of this device, from \(list)"
  }
}

extension Capture {
  /// Whether a step that still stands has replaced its focal length.
  fileprivate var hasReplacedFocal: Bool {
    var isReplaced = false
    for step in provenance {
      if step.isUndo {
        isReplaced = false
      } else if step.kind == .calibrationReplaced || step.kind == .focalReplaced {
        isReplaced = true
      }
    }
    return isReplaced
  }
}
