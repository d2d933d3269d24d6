public import PlumblineModel

/// The cameras that an app offers, with their capabilities.
public enum CameraSelection: String, Hashable, Sendable, CaseIterable {
  /// TrueDepth through AVFoundation.
  case trueDepth
  /// LiDAR through AVFoundation.
  case lidar
  /// Wide and telephoto cameras through AVFoundation.
  case dual
  /// Ultra-wide and wide cameras through AVFoundation.
  case dualWide
  /// LiDAR through ARKit, with poses.
  case arkitWorld
  /// TrueDepth through ARKit, with face tracking.
  case arkitFace

  /// The display name.
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

  /// Whether it is on the front, so that the preview is mirrored.
  public var isAtFront: Bool { self == .trueDepth || self == .arkitFace }

  /// Whether smoothing of depth can be chosen; ARKit's face tracking has no such option.
  public var hasFilterChoice: Bool { self != .arkitFace }

  /// Whether photos with depth can be taken.
  public var takesPhotos: Bool { device != nil }

  /// The up axis of the world of its poses.
  ///
  /// - Source: Apple, *ARConfiguration.WorldAlignment.gravity*, the default: y is parallel to
  ///   gravity. No other camera has poses.
  public var worldAxes: WorldAxes { self == .arkitWorld ? .yUp : .unknown }

  /// The colors for its depth: TrueDepth is designed for less than a meter, LiDAR reaches 5 m.
  public var previewColors: DepthColors {
    isAtFront
      ? DepthColors(span: .fixed(nearMeters: 0.2, farMeters: 1.2))
      : DepthColors(span: .fixed(nearMeters: 0.3, farMeters: 5))
  }
}
