public import PlumblineIO
public import PlumblineStreams
/// A frame as a publisher sent it: its message, and the header that was read of it.
public struct PublishedFrame: Sendable {
  /// The whole message.
  public let bytes: [UInt8]
  /// Its header.
  public let header: StreamFrameHeader

  /// Reads the header; the images are left as they are.
  ///
  /// - Throws: ``CaptureReadingError`` for bytes that are no message.
  public init(_ bytes: [UInt8]) throws(CaptureReadingError) {
    header = try StreamFrameHeader(bytes)
    self.bytes = bytes
  }

  /// The whole frame; O(*n*).
  ///
  /// - Throws: ``CaptureReadingError`` that names the part.
  public func decoded() throws(CaptureReadingError) -> StreamFrame {
    try StreamFrame(header, bytes)
  }
}
