/// The device that took a capture, and the interface that was used.
public struct CaptureSource: Hashable, Sendable {
  /// The kind of depth camera.
  public enum Camera: String, Sendable, CaseIterable {
    /// Structured light at the front; absolute.
    case trueDepth
    /// Wide and tele; relative.
    case dual
    /// Ultra wide and wide; relative.
    case dualWide
    /// Time of flight at the back; absolute.
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
  /// The version of the operating system or the writing software; `nil` when not given.
  public var system: String?
  /// The kind of depth camera.
  public var camera: Camera
  /// The programming interface.
  public var interface: Interface
  /// Whether the device had geometric distortion correction switched on, so that images come
  /// rectified while the calibration is that of the lens before it; `nil` when not said.
  public var isGeometryCorrected: Bool?
  /// The time of capture as written, ISO 8601 where possible; `nil` when not given.
  public var capturedAt: String?

  /// Creates a source about which nothing is known.
  public init(camera: Camera = .unknown, interface: Interface = .unknown) {
    self.camera = camera
    self.interface = interface
  }
}
