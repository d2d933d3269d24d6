/// The two images of a spatial photo: what is needed to compute depth from them.
public struct StereoPair: Hashable, Sendable {
  /// The size of each image.
  public var size: RasterSize
  /// The focal length in pixels of each image; `nil` when not given.
  public var focalLengthPixels: Double?
  /// The distance between the two cameras in millimeters; `nil` when not given.
  public var baselineMillimeters: Double?

  /// Creates a pair from its parts.
  public init(size: RasterSize, focalLengthPixels: Double?, baselineMillimeters: Double?) {
    self.size = size
    self.focalLengthPixels = focalLengthPixels
    self.baselineMillimeters = baselineMillimeters
  }
}
