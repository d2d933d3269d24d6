/// The device that took a capture, and the interface that was used.
public struct CaptureSource: Hashable, Sendable {
  /// The kind of depth camera.
  public enum Camera: String, Sendable, CaseIterable {
    /// Structured light on the front side; absolute depth.
    case trueDepth
    /// Wide and telephoto cameras; relative depth.
    case dual
    /// Ultra-wide and wide cameras; relative depth.
    case dualWide
    /// Time of flight on the back side; absolute depth.
    case lidar
    /// Two images without a depth map.
    case stereo
    /// Not known.
    case unknown
  }

  /// The programming interface that delivered the depth.
  public enum Interface: String, Sendable, CaseIterable {
    /// A photo file.
    case photo
    /// AVFoundation frames.
    case avfoundation
    /// ARKit frames.
    case arkit
    /// Not known.
    case unknown
  }

  /// The maker, such as `Apple`; `nil` when not given.
  public var make: String?
  /// The model, such as `iPhone 13 Pro`; `nil` when not given.
  public var model: String?
  /// The lens as EXIF names it; `nil` when not given.
  public var lensModel: String?
  /// The version of the operating system or of the writing software; `nil` when not given.
  public var system: String?
  /// The kind of depth camera.
  public var camera: Camera
  /// The programming interface.
  public var interface: Interface
  /// Whether geometric distortion correction was on, so that images are rectified while the
  /// calibration describes the lens before rectification; `nil` when not stated.
  public var isGeometryCorrected: Bool?
  /// The time of capture as written, ISO 8601 where possible; `nil` when not given.
  public var capturedAt: String?

  /// Creates a source of which only the arguments are known.
  public init(camera: Camera = .unknown, interface: Interface = .unknown) {
    self.camera = camera
    self.interface = interface
  }
}
