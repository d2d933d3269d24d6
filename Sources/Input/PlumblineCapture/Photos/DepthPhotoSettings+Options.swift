internal import PlumblineModel

extension DepthPhotoSettings {
  /// Whether an option is on.
  func isOn(_ option: PhotoChoices.Option) -> Bool {
    switch option {
    case .depth: deliversDepth
    case .embeddedDepth: embedsDepth
    case .filteredDepth: isFiltered
    case .depthKind(let kind): depthKind == kind
    case .dualPhotos: deliversDualPhotos
    case .calibration: deliversCalibration
    case .matte(let kind): mattes.contains(kind)
    case .flash(let mode): flash == mode
    case .bracket: bracket != nil
    case .livePhoto: takesLivePhoto
    case .constantColor: hasConstantColor
    }
  }

  /// Turns an option on or off; the modes of one kind exclude each other.
  mutating func set(_ option: PhotoChoices.Option, _ isOn: Bool) {
    switch option {
    case .depth: deliversDepth = isOn
    case .embeddedDepth: embedsDepth = isOn
    case .filteredDepth: isFiltered = isOn
    case .depthKind(let kind):
      if isOn { depthKind = kind } else if depthKind == kind { depthKind = nil }
    case .dualPhotos: deliversDualPhotos = isOn
    case .calibration: deliversCalibration = isOn
    case .matte(let kind):
      if isOn { mattes.insert(kind) } else { mattes.remove(kind) }
    case .flash(let mode):
      if isOn { flash = mode } else if flash == mode { flash = .off }
    case .bracket: bracket = isOn ? PhotoChoices.bracket : nil
    case .livePhoto: takesLivePhoto = isOn
    case .constantColor: hasConstantColor = isOn
    }
  }

  /// The settings without what an output refuses when it is prepared for them, and a sentence for
  /// each part that was left out or has no effect.
  ///
  /// Where two choices exclude each other, depth stays, since it is what this project is for; then
  /// the one that is named first in ``problems(on:)`` goes.
  package func reduced(
    to output: PhotoCapabilities
  ) -> (settings: DepthPhotoSettings, remarks: [String]) {
    var settings = self
    var remarks: [String] = []
    // Each round removes one choice, and there are fewer choices than rounds.
    for _ in 0..<32 {
      let problems = settings.problems(on: output.prepared(for: settings))
      guard let problem = problems.first(where: \.isException) else {
        return (settings, remarks + problems.map(\.description))
      }
      remarks.append(problem.description)
      settings.remove(problem)
    }
    return (DepthPhotoSettings(deliversDepth: false), remarks)
  }

  /// Gives up the choice that a problem is about.
  private mutating func remove(_ problem: DepthPhotoProblem) {
    switch problem {
    case .depthUnsupported, .depthNotPrepared: deliversDepth = false
    case .depthConverted: depthKind = nil
    case .dualPhotosUnsupported, .dualPhotosNotPrepared: deliversDualPhotos = false
    case .calibrationWithoutDualPhotos, .calibrationWithGeometricDistortionCorrection,
      .calibrationWithContentAwareCorrection:
      deliversCalibration = false
    case .matteUnsupported(let kind), .matteNotPrepared(let kind), .matteWithoutDepth(let kind):
      mattes.remove(kind)
    case .rawHoldsNoDepth: embedsDepth = false
    case .containerUnsupported(let refused): container = refused == .heif ? .jpeg : .heif
    case .flashUnsupported: flash = .off
    case .qualityNotPrepared: quality = .speed
    case .sizeUnsupported, .sizeNotPrepared: maximumSize = nil
    case .bracketCount, .bracketExposure, .bracketWithoutManualExposure, .bracketWithFlash,
      .bracketWithLivePhoto, .bracketWithDepth, .bracketWithConstantColor, .bracketWithMattes,
      .bracketWithCalibration:
      bracket = nil
    case .livePhotoUnsupported, .livePhotoNotPrepared, .livePhotoSuspended, .livePhotoWithRaw:
      takesLivePhoto = false
    case .constantColorUnsupported, .constantColorNotPrepared, .constantColorWithoutFlash,
      .constantColorWithRaw, .constantColorWithLockedWhiteBalance:
      hasConstantColor = false
    }
  }
}
