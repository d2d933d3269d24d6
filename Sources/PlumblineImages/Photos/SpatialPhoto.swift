public import PlumblineModel

/// Two images of one scene from two cameras side by side, before they are written as a spatial
/// photo.
///
/// Both are upright and rectified: their rows correspond, and the right camera stands to the right of
/// the left one by the baseline.
public struct SpatialPhoto: Sendable {
  /// The left eye's image.
  public var left: Raster<RGB8>
  /// The right eye's image, of the same size.
  public var right: Raster<RGB8>
  /// The pinhole camera of both, at the images' size.
  public var intrinsics: PinholeIntrinsics
  /// The distance between the cameras in millimeters, above 0.
  public var baselineMillimeters: Double
  /// Exif, XMP and ICC of both; its orientation is not written.
  public var metadata: PhotoMetadata

  /// Creates a photo.
  ///
  /// - Precondition: Images of one size, which the camera has too, and a finite baseline above 0.
  public init(
    left: Raster<RGB8>, right: Raster<RGB8>, intrinsics: PinholeIntrinsics,
    baselineMillimeters: Double, metadata: PhotoMetadata = PhotoMetadata()
  ) {
    precondition(left.size == right.size, "images of \(left.size) and \(right.size)")
    precondition(intrinsics.size == left.size, "a camera of \(intrinsics.size) for \(left.size)")
    precondition(
      baselineMillimeters.isFinite && baselineMillimeters > 0,
      "a baseline of \(baselineMillimeters)")
    self.left = left
    self.right = right
    self.intrinsics = intrinsics
    self.baselineMillimeters = baselineMillimeters
    self.metadata = metadata
  }
}
