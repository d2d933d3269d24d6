public import PlumblineCapture

/// How far a shot has come, from the button to the verdict.
///
/// The preview pauses for a shot: photos need a session of their own, and the camera has one user at a
/// time.
public enum ShotPhase: Hashable, Sendable {
  /// The preview runs, and a shot can be asked for.
  case idle
  /// The preview is being stopped.
  case pausingPreview
  /// The photo session starts, and exposure, focus and white balance settle.
  case preparing
  /// The photo is taken.
  case taking
  /// The file is stored.
  case storing
  /// The file is read and assessed.
  case checking
  /// No photo came of it.
  case failed(DepthCameraError)

  /// What is shown; `nil` where nothing happens.
  public var text: String? {
    switch self {
    case .idle: nil
    case .pausingPreview: "Pausing the preview"
    case .preparing: "Waiting for exposure and focus"
    case .taking: "Hold still"
    case .storing: "Storing"
    case .checking: "Checking whether it can be measured"
    case .failed(let error): "No photo: \(error)."
    }
  }

  /// Whether a shot is under way, so that the preview waits.
  public var isBusy: Bool {
    switch self {
    case .idle, .failed: false
    case .pausingPreview, .preparing, .taking, .storing, .checking: true
    }
  }

  /// The position of a phase of a shot that is under way; `nil` for others.
  var order: Int? {
    switch self {
    case .pausingPreview: 0
    case .preparing: 1
    case .taking: 2
    case .storing: 3
    case .checking: 4
    case .idle, .failed: nil
    }
  }
}
