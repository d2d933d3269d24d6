public import PlumblineIO
public import PlumblineModel

/// A codec for JPEG images of 8 bits that are coded by cosine transform (SOF0 to SOF2, SOF9…).
///
/// Callers use ``JPEGImage/storedSamples(limits:)`` and ``JPEGImage/color(scale:limits:)``, which
/// check the header first; an implementation may trust that size, depth and scans are in bounds. It
/// uses the image's bytes and their position alone, which is all that a worker is sent.
public protocol JPEGDecoding: Sendable {
  /// Decodes luma alone; any warning about the compressed data is an error.
  func luma(of image: JPEGImage, size: RasterSize) throws(CaptureReadingError) -> Raster<UInt8>

  /// Decodes color; damage that reaches any pixel is an error that says which rows.
  func color(
    of image: JPEGImage, size: RasterSize, scale: JPEGScale
  ) throws(CaptureReadingError) -> DecodedColorJPEG
}

/// By how much a color image is reduced while it is decoded, which costs far less than afterwards.
public enum JPEGScale: Int, Sendable, CaseIterable {
  /// The stored size.
  case full = 1
  /// Half the columns and rows.
  case half = 2
  /// A quarter of the columns and rows.
  case quarter = 4
  /// An eighth of the columns and rows.
  case eighth = 8

  /// The size after reduction; a started pixel counts.
  public func applied(to size: RasterSize) -> RasterSize {
    RasterSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}

/// A decoded color image and what the decoder remarked on it.
public struct DecodedColorJPEG: Sendable {
  /// The pixels as stored, in the color space of the file, not turned by its orientation.
  public var raster: Raster<RGB8>
  /// Warnings of the decoder that no pixel depends on.
  public var notes: [ContainerNote]
}
