/// That a photo's depth was written into it later, and where it came from.
///
/// It is read from the provenance, as ``EstimateOrigin`` is: the ± of the phone's own sensor is not that
/// of such a map.
public enum AttachedDepth {
  /// The name of the step that says it; its detail is where the depth came from.
  public static let step = "attached"
}

extension Capture {
  /// Where depth that was written into the photo came from; `nil` for a photo's own.
  public var attachedDepth: String? {
    depth == nil ? nil : provenance.last { $0.name == AttachedDepth.step }?.detail
  }
}

/// That a photo was cropped with its depth, so that its camera's center may lie anywhere.
public enum CroppedPhoto {
  /// The name of the step that says it; its detail is the rectangle.
  public static let step = "photo-cropped"
}

extension Capture {
  /// Whether the photo was cropped with its depth.
  public var isCroppedPhoto: Bool { provenance.contains { $0.name == CroppedPhoto.step } }
}
