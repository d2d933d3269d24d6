/// The subject of a finding: the first part of its code.
public enum FindingFamily: String, Sendable, CaseIterable {
  /// The file as a whole.
  case file
  /// The depth map.
  case depth
  /// The camera's calibration.
  case calibration
  /// The color image.
  case image
  /// The parts of a photo that a written one keeps.
  case photo
  /// The device.
  case device
  /// Depth that a network estimated.
  case estimate
  /// A recording: its frames, times, poses and motion.
  case sequence
  /// Depth from two images.
  case stereo
  /// Faces.
  case face
}

extension FindingCode {
  /// The subject of findings of this code.
  public var family: FindingFamily {
    guard let family = FindingFamily(rawValue: String(rawValue.prefix { $0 != "." })) else {
      preconditionFailure("\(rawValue) starts with no family")
    }
    return family
  }
}
