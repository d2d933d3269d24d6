/// What is known of a recording's frame before any of its images is read.
public struct RecordedFrame: Hashable, Sendable {
  /// What findings and outputs call it, such as `143277`; unique in its recording.
  public var name: String
  /// The recording's clock at the frame, in seconds since an unknown start; `nil` when not given.
  public var timestampSeconds: Double?

  /// Creates a frame.
  public init(name: String, timestampSeconds: Double? = nil) {
    self.name = name
    self.timestampSeconds = timestampSeconds
  }
}
