/// A source of a live camera's latest frame, such as the hub of a server.
public protocol LiveFrameSource: Sendable {
  /// The latest frame of the camera that is shown; `nil` before the first, and after the last camera.
  var newestFrame: LiveFrameMessage? { get }
}

/// A frame of a live camera as its message, `Documentation/formats/stream.md`.
public struct LiveFrameMessage: Sendable, Hashable {
  /// The name of the camera in viewers.
  public var camera: String
  /// The frame's position in its session, from 0.
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
