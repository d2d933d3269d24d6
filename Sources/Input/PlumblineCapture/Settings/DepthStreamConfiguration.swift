/// The configuration of a stream for an adapter, as a sequence of steps.
///
/// An adapter carries out each step in order. A step that the device does not support has a stated
/// consequence, ``ConfigurationStep/ifUnsupported``; nothing is skipped in silence.
package struct DepthStreamConfiguration: Hashable, Sendable {
  /// The formats and rates.
  package let choice: FormatChoice
  /// The settings.
  package let settings: DepthStreamSettings
  /// The steps, in this order.
  package let steps: [ConfigurationStep]
  /// What the formats and the settings mean for the captures, in sentences.
  package let remarks: [String]

  /// Plans a configuration.
  ///
  /// Distortion correction is set first, since formats, calibrations and their support depend on
  /// it. It is checked again after the session's configuration is committed. The pixel type follows
  /// the format, which determines the available ones. Stabilization is off before the camera matrix
  /// is asked for, which is not delivered beside it.
  /// - Source: Apple, *AVCaptureDevice*: a device is locked while it is changed, and the video
  ///   format is set before its depth format, both inside the session's configuration;
  ///   *isCameraIntrinsicMatrixDeliverySupported*; *isAutoVideoFrameRateEnabled*: durations cannot
  ///   be set while it is on.
  /// - Parameters:
  ///   - choice: The formats and rates.
  ///   - settings: The settings.
  ///   - canCorrect: `isGeometricDistortionCorrectionSupported` of the device.
  package init(
    choice: FormatChoice, settings: DepthStreamSettings = .metrology,
    canCorrectGeometricDistortion canCorrect: Bool
  ) {
    self.choice = choice
    self.settings = settings
    let correction = settings.correctsGeometricDistortion
    var steps: [ConfigurationStep] = []
    if canCorrect {
      steps += [.lockDevice, .setGeometricDistortionCorrection(correction), .unlockDevice]
    }
    steps += [
      .beginConfiguration, .addDeviceInput(choice.device), .setInputPriority,
      .addVideoOutput(discardsLateFrames: settings.discardsLateData),
      .addDepthOutput(
        isFiltered: settings.isFiltered, discardsLateData: settings.discardsLateData),
    ]
    steps += Self.deviceSteps(choice) + Self.connectionSteps(choice, settings)
    steps += [.synchronizeVideoFirst, .commitConfiguration]
    if canCorrect { steps.append(.verifyGeometricDistortionCorrection(correction)) }
    steps += [.verifyFormat(index: choice.formatIndex), .startRunning]
    self.steps = steps
    var effective = settings
    if !canCorrect { effective.correctsGeometricDistortion = false }
    remarks = choice.remarks + effective.remarks
  }

  /// What is set while the device is locked; each format resets what follows it.
  private static func deviceSteps(_ choice: FormatChoice) -> [ConfigurationStep] {
    var steps: [ConfigurationStep] = [
      .lockDevice, .setFormat(index: choice.formatIndex),
      .setDepthFormat(index: choice.depthFormatIndex), .turnOffAutomaticFrameRate,
      .setVideoDuration(choice.videoDuration),
    ]
    if let duration = choice.depthDuration { steps.append(.setDepthDuration(duration)) }
    if let zoom = choice.zoomFactor { steps.append(.setZoom(factor: zoom)) }
    return steps + [.unlockDevice]
  }

  /// What is set on outputs and connections, which exist from here on and whose support depends on
  /// the format.
  private static func connectionSteps(
    _ choice: FormatChoice, _ settings: DepthStreamSettings
  ) -> [ConfigurationStep] {
    [
      .setVideoPixelType(choice.video.pixelType),
      .setRotation(.color, degrees: 0), .setRotation(.depth, degrees: 0),
      .turnOffMirroring(.color), .turnOffMirroring(.depth),
      .turnOffStabilization, .setIntrinsicsDelivery(settings.deliversIntrinsics),
      .turnOffDeferredStart(.color), .turnOffDeferredStart(.depth),
    ]
  }
}

extension DepthStreamConfiguration {
  /// The remaining steps when a configuration ends early, by a failure or by a stop.
  ///
  /// A session whose configuration is never committed cannot be stopped: AVFoundation throws an
  /// exception, which ends a Swift program. A device that stays locked is not available to other
  /// programs.
  /// - Source: Apple, *AVCaptureSession.beginConfiguration()*: each call has its
  ///   `commitConfiguration()`, and neither `startRunning()` nor `stopRunning()` may be called in
  ///   between.
  /// - Parameter done: The completed steps, in their order.
  /// - Returns: The steps that close what is open, the last opened first.
  package static func unwinding(_ done: some Sequence<ConfigurationStep>) -> [ConfigurationStep] {
    done.closingSteps
  }
}
