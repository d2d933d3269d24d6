/// Frames that a camera or a buffer did not deliver.
public struct DroppedFrame: Hashable, Sendable {
  /// Why a frame is missing; the first three are `AVCaptureOutput.DataDroppedReason`.
  public enum Reason: String, Sendable, CaseIterable {
    /// It came too late to be processed.
    case lateData
    /// No buffer was free.
    case outOfBuffers
    /// The stream was interrupted.
    case discontinuity
    /// The consumer was slower than the camera.
    case slowConsumer
    /// The camera gave no depth for this color frame.
    case noDepth
    /// The frame of a recording that is played again could not be read.
    case unreadable
  }

  /// The camera's clock at the first of the frames, in seconds; `nil` when not known.
  public var timestampSeconds: Double?
  /// Why the frames are missing.
  public var reason: Reason
  /// The number of frames; above 1 where a buffer counted several together.
  public var count: Int

  /// Creates a loss of one frame or more.
  ///
  /// - Precondition: One frame at least.
  public init(timestampSeconds: Double?, reason: Reason, count: Int = 1) {
    precondition(count >= 1, "\(count) frames cannot be lost")
    self.timestampSeconds = timestampSeconds
    self.reason = reason
    self.count = count
  }
}
