/// The facts on geometric distortion correction of a device's depth camera.
///
/// Where it is on, images and depth come rectified, and focal length and tables describe the lens
/// before that.
/// - Source: Apple, *AVCaptureDevice.h*: on by default where supported.
public struct GeometryCorrection: SourcedFact, Hashable {
  /// Whether the camera has it.
  public enum State: String, Sendable, CaseIterable {
    /// It is on unless an app switches it off.
    case enabled
    /// The camera does not have it; its images are not rectified.
    case unsupported
  }

  /// Whether the camera has it.
  public var state: State
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}
