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
