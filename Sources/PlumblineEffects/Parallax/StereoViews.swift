public import PlumblineModel

/// A left and a right view, and what a spatial photo says of them.
public struct StereoViews: Sendable {
  /// The left eye's image.
  public var left: Raster<RGB8>
  /// The right eye's.
  public var right: Raster<RGB8>
  /// The distance between the cameras; `nil` where the scene has no meters.
  public var baselineMeters: Double?
  /// The camera of both images; `nil` when not known, or when borders were cut off.
  public var intrinsics: PinholeIntrinsics?
  /// Notes that a user should know.
  public var notes: [EffectNote]

  /// Creates a pair.
  public init(left: Raster<RGB8>, right: Raster<RGB8>, notes: [EffectNote] = []) {
    self.left = left
    self.right = right
    self.notes = notes
  }
}
