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
  /// A recording is then finished, so that its contents are safe: the system may end an app in the
  /// background, and after an interruption exposure and calibration need not be the same. The
  /// camera itself goes on when the interruption ends.
  public var endsCapture: Bool { self != .audioInUse }

  /// One clause.
  public var description: String {
    switch self {
    case .background: "the app went to the background"
    case .audioInUse: "another app uses the microphone"
    case .cameraInUse: "another app uses the camera"
    case .sharedScreen: "the camera does not run while several apps share the screen"
    case .systemPressure: "the device is too warm or low on power"
    case .sensitiveContent: "the system hid what the camera sees"
    case .unknown: "the system gave no reason"
    }
  }

  /// What the user can do, in one sentence.
  public var advice: String {
    switch self {
    case .background: "It goes on when the app is in front again."
    case .audioInUse: "The depth camera is not affected."
    case .cameraInUse: "End the other app's use of the camera; it then goes on by itself."
    case .sharedScreen: "Give this app the whole screen; it then goes on by itself."
    case .systemPressure: "Let the device cool or charge it; it then goes on by itself."
    case .sensitiveContent: "It goes on when the system allows it."
    case .unknown: "It goes on when the system allows it."
    }
  }
}
