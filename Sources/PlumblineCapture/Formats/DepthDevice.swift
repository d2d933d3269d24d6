public import PlumblineModel

/// The kinds of capture devices that deliver depth; the raw value is the name that
/// `AVCaptureDevice.DeviceType` gives.
public enum DepthDevice: String, Hashable, Sendable, CaseIterable {
  /// Wide and tele at the back.
  case dual = "builtInDualCamera"
  /// Ultra wide and wide at the back.
  case dualWide = "builtInDualWideCamera"
  /// Structured light at the front.
  case trueDepth = "builtInTrueDepthCamera"
  /// Time of flight at the back.
  case lidar = "builtInLiDARDepthCamera"

  /// The first system on which the device streams depth to AVFoundation.
  ///
  /// - Source: Apple, *AVCaptureDevice.DeviceType*: dual 10.2, TrueDepth 11.1, dual wide 13.0, LiDAR
  ///   15.4; depth itself came with iOS 11 (WWDC17 session 507).
  public var firstSystem: SystemVersion {
    switch self {
    case .dual: SystemVersion(11)
    case .trueDepth: SystemVersion(11, 1)
    case .dualWide: SystemVersion(13)
    case .lidar: SystemVersion(15, 4)
    }
  }

  /// The zoom that the system sets, and forbids to change, while depth is streamed; `nil` for none.
  ///
  /// - Source: WWDC17 session 507: the dual camera zooms to 2× and zoom is disabled.
  public var forcedZoomFactor: Double? { self == .dual ? 2 : nil }

  /// The accuracy that the device states for its depths.
  ///
  /// - Source: Apple, *Capturing Photos with Depth*: two lenses give relative, the TrueDepth camera
  ///   absolute accuracy; LiDAR measures time of flight.
  public var accuracy: DepthRecord.Accuracy {
    switch self {
    case .dual, .dualWide: .relative
    case .trueDepth, .lidar: .absolute
    }
  }

  /// Whether it faces its user.
  public var isAtFront: Bool { self == .trueDepth }

  /// The value by which captures name it.
  public var camera: CaptureSource.Camera {
    switch self {
    case .dual: .dual
    case .dualWide: .dualWide
    case .trueDepth: .trueDepth
    case .lidar: .lidar
    }
  }
}
