/// One thing that an adapter does to a session, its device or its outputs.
public enum ConfigurationStep: Hashable, Sendable {
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
