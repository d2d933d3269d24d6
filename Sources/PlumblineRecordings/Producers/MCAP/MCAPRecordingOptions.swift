public import PlumblineImages
public import PlumblineStreams

/// The options for writing a recording as MCAP.
public struct MCAPRecordingOptions: Sendable, Hashable {
  /// The encoding of color images.
  public enum Color: Sendable, Hashable {
    /// JPEG of a quality from 1 (worst) to 100 (best), color differences as they are (4:4:4).
    case jpeg(quality: Int)
    /// PNG, without loss; about ten times the time and three times the bytes of JPEG.
    case png
    /// Three bytes a pixel, without loss.
    case raw
  }

  /// The encoding of color images.
  public var color = Color.jpeg(quality: 95)
  /// The layout of the file, such as its compression.
  public var container = MCAPWritingOptions()
  /// What may be spent on color that has to be decoded to be stored, and where that happens.
  public var limits = ReadingLimits()

  /// JPEG of quality 95 in chunks without compression.
  public init() {}
}
