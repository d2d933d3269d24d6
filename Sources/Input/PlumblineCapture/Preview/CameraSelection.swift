public import PlumblineModel

/// The cameras that an app offers, and what each of them can do.
public enum CameraSelection: String, Hashable, Sendable, CaseIterable {
  /// TrueDepth through AVFoundation.
  case trueDepth
  /// LiDAR through AVFoundation.
  case lidar
  /// Wide and tele through AVFoundation.
  case dual
  /// Ultra wide and wide through AVFoundation.
  case dualWide
  /// LiDAR through ARKit, with poses.
  case arkitWorld
  /// TrueDepth through ARKit, with a face to track.
  case arkitFace

  /// The name for people.
  public var name: String {
    switch self {
    case .trueDepth: "TrueDepth"
    case .lidar: "LiDAR"
    case .dual: "Dual, wide and tele"
    case .dualWide: "Dual, ultra wide and wide"
    case .arkitWorld: "ARKit world, with poses"
    case .arkitFace: "ARKit face"
    }
  }

  /// The camera for AVFoundation; `nil` for ARKit.
  public var device: DepthDevice? {
    switch self {
    case .trueDepth: .trueDepth
    case .lidar: .lidar
    case .dual: .dual
    case .dualWide: .dualWide
    case .arkitWorld, .arkitFace: nil
    }
  }

  /// Whether it faces its user, so that the preview is a mirror.
  public var isAtFront: Bool { self == .trueDepth || self == .arkitFace }

  /// Whether the system can be asked to smooth depth; ARKit's face tracking has no choice.
  public var hasFilterChoice: Bool { self != .arkitFace }

  /// Whether photos with depth can be taken.
  public var takesPhotos: Bool { device != nil }

  /// Which way the world of its poses is up.
  ///
  /// - Source: Apple, *ARConfiguration.WorldAlignment.gravity*, the default: y is parallel to
  ///   gravity. Nothing else has poses.
  public var worldAxes: WorldAxes { self == .arkitWorld ? .yUp : .unknown }

  /// How its depth is shown: what TrueDepth is made for lies within a meter, LiDAR reaches 5 m.
  public var previewColors: DepthColors {
    isAtFront
      ? DepthColors(span: .fixed(nearMeters: 0.2, farMeters: 1.2))
      : DepthColors(span: .fixed(nearMeters: 0.3, farMeters: 5))
  }
}
