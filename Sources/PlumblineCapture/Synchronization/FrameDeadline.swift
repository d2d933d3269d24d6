/// Refuses frames that waited too long for their turn, where the system itself would pile them up.
///
/// ARKit calls its delegate for every frame and has only a few of them: one that is turned into a
/// capture too slowly must let later ones go at once. `AVCaptureVideoDataOutput` has
/// `alwaysDiscardsLateVideoFrames` for that.
public struct FrameDeadline: Hashable, Sendable {
  /// The longest wait in seconds; three frames at 30 a second, this project's choice.
  public var seconds: Double

  /// Creates a deadline.
  public init(seconds: Double = 0.1) { self.seconds = seconds }

  /// Holds a frame against the deadline.
  ///
  /// - Parameters:
  ///   - timestampSeconds: The frame's time.
  ///   - nowSeconds: The same clock's now, for ARKit the time since the device started.
  /// - Returns: The loss to report; `nil` for a frame in time.
  public func loss(of timestampSeconds: Double, at nowSeconds: Double) -> DroppedFrame? {
    guard nowSeconds - timestampSeconds > seconds else { return nil }
    return DroppedFrame(timestampSeconds: timestampSeconds, reason: .lateData)
  }
}
