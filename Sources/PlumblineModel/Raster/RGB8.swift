/// One color pixel of 8 bits a channel, non-linear (as stored), without alpha.
///
/// Three bytes without padding, so that a `Raster<RGB8>` lies in memory as codecs write it.
public struct RGB8: BitwiseCopyable, Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// Creates a pixel from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}
