extension FindingCode {
  /// What a kind of finding means, where it comes from and what helps.
  public struct Explanation: Hashable, Sendable {
    /// The consequence for a measurement.
    public var meaning: String
    /// The usual cause.
    public var cause: String
    /// What the user can do.
    public var remedy: String
  }

  /// The meaning of this code, its cause and the remedy.
  public var explanation: Explanation {
    let explanations =
      switch family {
      case .file: Explanation.file
      case .depth: Explanation.depth
      case .calibration: Explanation.calibration
      case .image: Explanation.image
      case .photo: Explanation.photo
      case .device: Explanation.device
      case .estimate: Explanation.estimate
      case .sequence: Explanation.sequence
      case .stereo: Explanation.stereo
      case .face: Explanation.face
      }
    guard let explanation = explanations[self] else {
      preconditionFailure("\(rawValue) has no explanation")
    }
    return explanation
  }
}
