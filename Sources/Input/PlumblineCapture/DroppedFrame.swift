/// Frames that a camera or a buffer did not deliver.
public struct DroppedFrame: Hashable, Sendable {
  /// Why a frame is missing; the first three reasons are `AVCaptureOutput.DataDroppedReason`.
  public enum Reason: String, Sendable, CaseIterable {
    /// The frame came too late for processing.
    case lateData
    /// No buffer was free.
    case outOfBuffers
    /// The stream was interrupted.
    case discontinuity
    /// The consumer was slower than the camera.
    case slowConsumer
    /// The camera gave no depth for this color frame.
    case noDepth
    /// A frame of a replayed recording could not be read.
    case unreadable
  }

  /// The stream that lost them.
  public var stream: FrameStream
  /// The time of the first lost frame on the camera's clock, in seconds; `nil` if unknown.
  public var timestampSeconds: Double?
  /// Why the frames are missing.
  public var reason: Reason
  /// The number of frames; above 1 if a buffer combined several losses.
  public var count: Int

  /// Creates a loss of one or more frames.
  ///
  /// - Precondition: `count` is at least 1.
  package init(
    timestampSeconds: Double?, reason: Reason, count: Int = 1, stream: FrameStream = .capture
  ) {
    precondition(count >= 1, "\(count) frames cannot be lost")
    self.stream = stream
    self.timestampSeconds = timestampSeconds
    self.reason = reason
    self.count = count
  }
}

/// The streams of a camera, for losses and settings.
public enum FrameStream: String, Hashable, Sendable, CaseIterable {
  /// The color images.
  case color
  /// The depth maps.
  case depth
  /// Color and depth together, as a consumer receives them.
  case capture
}
