public import PlumblineModel

/// Something that is known to be wrong with what a device delivers.
public struct DeviceFault: SourcedFact, Hashable {
  /// The kind of fault.
  public enum Code: String, Sendable, CaseIterable {
    /// Images are rectified; the focal length is that of the lens before it, thus too long.
    case focalBeforeCorrection
    /// The depth map shows a smaller field of view than the color image.
    case arkitZoom
    /// Image and depth are mirrored.
    case arkitMirrored
    /// Another version of the system states another focal length.
    case focalDrift
    /// Numbers of one file contradict each other.
    case calibrationInconsistent
    /// The sensor is built in turned.
    case orientation
  }

  /// The kind of fault.
  public var code: Code
  /// The interface through which it shows; `nil` for all.
  public var interface: CaptureSource.Interface?
  /// Its number where it has one: for ``Code/arkitZoom`` color pixels for each depth pixel.
  public var factor: Double?
  /// What it costs, in percent of a length across the image; `nil` when not known.
  public var lengthPercent: Double?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// Whether the fault shows through an interface.
  public func concerns(_ interface: CaptureSource.Interface) -> Bool {
    self.interface == nil || self.interface == interface
  }
}
