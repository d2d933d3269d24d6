/// Where the newest frame of a live camera is found, such as the hub of a server.
public protocol LiveFrameSource: Sendable {
  /// The newest frame of the camera that is shown; `nil` before the first, and after the last camera.
  var newestFrame: LiveFrameMessage? { get }
}

/// A frame of a live camera as its message, `Documentation/formats/stream.md`.
public struct LiveFrameMessage: Sendable, Hashable {
  /// What viewers call the camera.
  public var camera: String
  /// The frame's place in its session, from 0.
  public var sequence: Int
  /// The whole message.
  public var bytes: [UInt8]

  /// Creates a frame.
  public init(camera: String, sequence: Int, bytes: [UInt8]) {
    self.camera = camera
    self.sequence = sequence
    self.bytes = bytes
  }
}
