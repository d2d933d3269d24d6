import PlumblineImages
public import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// Makes the image that is sent of a frame's color: JPEG here, or HEVC by a device's own encoder.
public protocol StreamColorEncoder: Sendable {
  /// The image as a file; of HEVC one self-contained image in Annex B.
  ///
  /// - Returns: The file and its size in pixels.
  /// - Throws: ``CaptureReadingError``; the frame is sent without color then, and counted.
  func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize)
}

/// Color as JPEG, made smaller first where that is wanted.
///
/// A smaller image covers the same field of view; calibrations keep the size that they are for.
public struct JPEGStreamColor: StreamColorEncoder {
  /// 1 to 100.
  public let quality: Int
  /// The longest side in pixels; `nil` for color as it is.
  public let maximumSide: Int?

  /// Creates an encoder.
  ///
  /// - Precondition: `quality` is 1 to 100, `maximumSide` at least 1.
  public init(quality: Int = 80, maximumSide: Int? = nil) {
    precondition((1...100).contains(quality) && (maximumSide ?? 1) >= 1)
    self.quality = quality
    self.maximumSide = maximumSide
  }

  /// The image; O(*n*).
  public func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize) {
    let side = min(maximumSide ?? JPEGEncoder.maximumSide, JPEGEncoder.maximumSide)
    let image = color.reduced(toMaximumSide: side)
    let bytes = try JPEGEncoder(quality: quality).encoded(image)
    return (EncodedImage(.jpeg, bytes: bytes), image.size)
  }
}
