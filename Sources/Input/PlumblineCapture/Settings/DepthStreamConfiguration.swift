/// All that an adapter needs to start a stream, in the order in which it is done.
package struct DepthStreamConfiguration: Hashable, Sendable {
  /// The formats and rates.
  package let choice: FormatChoice
  /// The settings.
  package let settings: DepthStreamSettings
  /// The steps, in this order.
  package let steps: [ConfigurationStep]
  /// The settings that the device cannot follow, and what follows from the others.
  package let remarks: [String]

  /// Plans a configuration.
  ///
  /// Distortion correction is set before anything else is configured, since formats, calibrations
  /// and their support depend on it, and is checked again once the session is committed.
  /// - Source: Apple, *AVCaptureDevice*: a device is locked while it changes, the video format is set
  ///   before the depth format that belongs to it, both inside the session's configuration.
  package init(
    choice: FormatChoice, settings: DepthStreamSettings = .metrology,
    capabilities: DepthStreamCapabilities
  ) {
    self.choice = choice
    self.settings = settings
    let correction = settings.correctsGeometricDistortion
    let wantsMatrix = settings.deliversIntrinsics
    var steps: [ConfigurationStep] = []
    var remarks = choice.remarks
    if capabilities.canCorrectGeometricDistortion {
      steps += [.lockDevice, .setGeometricDistortionCorrection(correction), .unlockDevice]
    }
    steps += [
      .beginConfiguration, .addDeviceInput(choice.device), .setInputPriority,
      .addVideoOutput(discardsLateFrames: settings.discardsLateData),
      .addDepthOutput(
        isFiltered: settings.isFiltered, discardsLateData: settings.discardsLateData),
      .lockDevice, .setFormat(index: choice.formatIndex),
      .setDepthFormat(index: choice.depthFormatIndex),
      .setVideoRate(framesPerSecond: choice.videoFramesPerSecond),
    ]
    if let cap = choice.depthFramesPerSecondCap {
      steps.append(.capDepthRate(framesPerSecond: cap))
    }
    steps.append(.unlockDevice)
    if capabilities.canDeliverIntrinsics {
      // The connection exists only now, and the format decides what it supports.
      steps.append(.setIntrinsicsDelivery(wantsMatrix))
    }
    steps += [.synchronizeVideoFirst, .commitConfiguration]
    if capabilities.canCorrectGeometricDistortion {
      steps.append(.verifyGeometricDistortionCorrection(correction))
    }
    steps.append(.startRunning)
    self.steps = steps
    var effective = settings
    if !capabilities.canCorrectGeometricDistortion { effective.correctsGeometricDistortion = false }
    if !capabilities.canDeliverIntrinsics { effective.deliversIntrinsics = false }
    remarks += effective.remarks
    self.remarks = remarks
  }
}

/// One thing that an adapter does to a session, its device or its outputs.
package enum ConfigurationStep: Hashable, Sendable {
  /// `session.beginConfiguration()`.
  case beginConfiguration
  /// `session.commitConfiguration()`.
  case commitConfiguration
  /// `session.addInput(…)` of the device.
  case addDeviceInput(DepthDevice)
  /// `session.sessionPreset = .inputPriority`, so that the device's own format counts.
  case setInputPriority
  /// `session.addOutput(AVCaptureVideoDataOutput())`.
  case addVideoOutput(discardsLateFrames: Bool)
  /// `session.addOutput(AVCaptureDepthDataOutput())` with `isFilteringEnabled` and
  /// `alwaysDiscardsLateDepthData`.
  case addDepthOutput(isFiltered: Bool, discardsLateData: Bool)
  /// `isCameraIntrinsicMatrixDeliveryEnabled` of the video connection.
  case setIntrinsicsDelivery(Bool)
  /// `device.lockForConfiguration()`.
  case lockDevice
  /// `device.unlockForConfiguration()`.
  case unlockDevice
  /// `device.isGeometricDistortionCorrectionEnabled`.
  case setGeometricDistortionCorrection(Bool)
  /// `device.activeFormat`, by its index in `formats`.
  case setFormat(index: Int)
  /// `device.activeDepthDataFormat`, by its index in the format's `supportedDepthDataFormats`.
  case setDepthFormat(index: Int)
  /// `activeVideoMinFrameDuration` and `activeVideoMaxFrameDuration`.
  case setVideoRate(framesPerSecond: Double)
  /// `activeDepthDataMinFrameDuration`; iOS 12.
  case capDepthRate(framesPerSecond: Double)
  /// `AVCaptureDataOutputSynchronizer` with the video output first, which makes it the master.
  case synchronizeVideoFirst
  /// Compares `isGeometricDistortionCorrectionEnabled` with what was set, and says so otherwise.
  case verifyGeometricDistortionCorrection(Bool)
  /// `session.startRunning()`, not on the main thread.
  case startRunning
}

extension DepthStreamConfiguration {
  /// What must still be done where a configuration ends early, by a failure or by a stop.
  ///
  /// A session that is never committed cannot be stopped: AVFoundation throws an exception, which no
  /// Swift program survives. A device that stays locked is refused to others.
  /// - Source: Apple, *AVCaptureSession.beginConfiguration()*: each has its
  ///   `commitConfiguration()`, and neither `startRunning()` nor `stopRunning()` comes between.
  /// - Parameter done: The steps that were done, in their order.
  /// - Returns: The steps that close what is open, the last opened first.
  package static func unwinding(_ done: some Sequence<ConfigurationStep>) -> [ConfigurationStep] {
    var open: [ConfigurationStep] = []
    for step in done {
      switch step {
      case .beginConfiguration: open.append(.commitConfiguration)
      case .lockDevice: open.append(.unlockDevice)
      case .commitConfiguration, .unlockDevice: open.removeAll { $0 == step }
      default: break
      }
    }
    return open.reversed()
  }
}
