/// Why a camera delivers no events, or no more events.
public enum DepthCameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The user did not allow the camera.
  case notAuthorized
  /// The device has no such camera; the name is the system's, such as `builtInTrueDepthCamera`.
  case noDevice(String)
  /// No format of the camera matches the request.
  case noFormat(FormatChoiceError)
  /// The system refused a step of the configuration.
  case configuration(step: String, detail: String)
  /// The system took the camera away.
  case interrupted(SessionInterruption)
  /// The camera failed while it ran.
  case failed(String)

  /// One sentence.
  public var description: String {
    switch self {
    case .notAuthorized: "the camera may not be used"
    case .noDevice(let name): "there is no \(name)"
    case .noFormat(let error): error.description
    case .configuration(let step, let detail): "the camera refused to \(step): \(detail)"
    case .interrupted(let reason): "the camera was taken away: \(reason)"
    case .failed(let detail): "the camera failed: \(detail)"
    }
  }
}

/// Why the system took a camera away; `AVCaptureSession.InterruptionReason`.
public enum SessionInterruption: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The app went to the background.
  case background = 1
  /// Another program needs the microphone; a depth camera continues.
  case audioInUse = 2
  /// Another session uses the camera.
  case cameraInUse = 3
  /// Several apps share the screen.
  case sharedScreen = 4
  /// The device is too warm or has too little power.
  case systemPressure = 5
  /// The system hides sensitive content.
  case sensitiveContent = 6
  /// The reason is not known, or is newer than this program.
  case unknown = 0

  /// Reads the reason of a notification.
  ///
  /// - Source: Apple, *AVCaptureSession.InterruptionReason*, whose raw values these are.
  /// - Parameter reason: Its raw value; `nil` if the notification has none.
  package init(reason: Int?) {
    self = reason.flatMap(SessionInterruption.init) ?? .unknown
  }

  /// Whether the interruption stops the frames.
  ///
  /// A recording is then finished, so that its contents are safe. After an interruption of unknown
  /// length, exposure and calibration need not be the same.
  package var endsCapture: Bool { self != .audioInUse }

  /// One clause.
  public var description: String {
    switch self {
    case .background: "the app went to the background"
    case .audioInUse: "another app uses the microphone"
    case .cameraInUse: "another app uses the camera"
    case .sharedScreen: "the camera does not run beside other apps on the screen"
    case .systemPressure: "the device is too warm or low on power"
    case .sensitiveContent: "the system hid what the camera sees"
    case .unknown: "the system gave no reason"
    }
  }
}
