public import PlumblineModel

/// The image that an effect made.
public struct EffectImage: Sendable {
  /// The colors, not multiplied with ``opacity``.
  public var color: Raster<RGB8>
  /// The opacity of each pixel, 255 for full; `nil` where all are opaque.
  public var opacity: Raster<UInt8>?
  /// Notes that a user should know.
  public var notes: [EffectNote]

  /// Creates a result.
  public init(color: Raster<RGB8>, opacity: Raster<UInt8>? = nil, notes: [EffectNote] = []) {
    self.color = color
    self.opacity = opacity
    self.notes = notes
  }
}
