public import PlumblineModel

/// What a system says of a depth camera, at the calibration's own reference size.
public struct FactoryCalibration: SourcedFact, Hashable {
  /// The color camera's intrinsics as they come with the image.
  public struct ColorIntrinsics: Hashable, Sendable {
    /// The size of the image, in pixels.
    public var size: RasterSize
    /// The focal lengths, in pixels of `size`.
    public var focalLength: SIMD2<Double>
    /// The principal point, in pixels of `size`; the first pixel center is (0, 0).
    public var principalPoint: SIMD2<Double>
  }

  /// Which specimen of the model, in the source's own words.
  public var specimen: String
  /// The interface that delivered it.
  public var interface: CaptureSource.Interface
  /// The depth camera; `nil` means TrueDepth.
  public var camera: CaptureSource.Camera?
  /// The version of the system; `nil` when not said.
  public var system: String?
  /// The reference size, in pixels.
  public var size: RasterSize
  /// The focal lengths, in pixels of `size`.
  public var focalLength: SIMD2<Double>
  /// The principal point, in pixels of `size`; the first pixel center is (0, 0); `nil` when not
  /// known.
  public var principalPoint: SIMD2<Double>?
  /// The distortion center, in pixels of `size`; `nil` when not known.
  public var distortionCenter: SIMD2<Double>?
  /// The color camera's own numbers; `nil` when not known.
  public var color: ColorIntrinsics?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// The pinhole of the depth map at its reference size; `nil` without a principal point.
  public var intrinsics: PinholeIntrinsics? {
    principalPoint.map {
      PinholeIntrinsics(focalLength: focalLength, principalPoint: $0, size: size)
    }
  }
}
