/// All that an adapter needs to start a stream, in the order in which it is done.
public struct DepthStreamConfiguration: Hashable, Sendable {
  /// The formats and rates.
  public let choice: FormatChoice
  /// The settings.
  public let settings: DepthStreamSettings
  /// The steps, in this order.
  public let steps: [ConfigurationStep]
  /// The settings that the device cannot follow, and what follows from the others.
  public let remarks: [String]

  /// Plans a configuration.
  ///
  /// Distortion correction is set before anything else is configured, since formats, calibrations
  /// and their support depend on it, and is checked again once the session is committed.
  /// - Source: Apple, *AVCaptureDevice*: a device is locked while it changes, the video format is set
  ///   before the depth format that belongs to it, both inside the session's configuration.
  public init(
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
