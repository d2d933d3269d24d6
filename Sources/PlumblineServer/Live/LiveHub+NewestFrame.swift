internal import NIOCore
public import PlumblineViewer

extension LiveHub: LiveFrameSource {
  /// The latest frame of the source that is shown, copied: O(bytes).
  public var newestFrame: LiveFrameMessage? {
    guard let feed = shown, let frame = feed.newest else { return nil }
    return LiveFrameMessage(
      camera: feed.name, sequence: frame.sequence,
      bytes: [UInt8](frame.message.buffer.readableBytesView))
  }
}
