public import PlumblineModel

/// The image that an effect made.
public struct EffectImage: Sendable {
  /// The colors, not multiplied with ``opacity``.
  public var color: Raster<RGB8>
  /// How opaque each pixel is, 255 fully; `nil` where all are.
  public var opacity: Raster<UInt8>?
  /// What a user should know.
  public var notes: [EffectNote]

  /// Creates a result.
  public init(color: Raster<RGB8>, opacity: Raster<UInt8>? = nil, notes: [EffectNote] = []) {
    self.color = color
    self.opacity = opacity
    self.notes = notes
  }
}
