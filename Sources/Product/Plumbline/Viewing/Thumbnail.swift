import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings

/// A small upright image of a capture: its color, or else its depth in colors.
struct Thumbnail {
  /// The longest side in pixels.
  static let maximumSide = 320

  /// A JPEG; `nil` for a capture with neither color nor depth.
  static func jpeg(
    of check: CaptureAnalysis, limits: ReadingLimits
  ) throws(CaptureReadingError) -> [UInt8]? {
    guard let image = try image(of: check, limits) else { return nil }
    return try JPEGEncoder(quality: 80).encoded(image)
  }

  private static func image(
    of check: CaptureAnalysis, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> Raster<RGB8>? {
    if let color = try check.capture.decodedColor(limits: limits) {
      return reduced(color).oriented(by: check.capture.colorOrientation)
    }
    guard let corrected = check.corrected, let record = check.capture.depth else { return nil }
    let map = DepthColors(span: .automatic).colors(of: .depth(corrected.depth))
    return reduced(map).oriented(by: record.orientation)
  }

  private static func reduced(_ image: Raster<RGB8>) -> Raster<RGB8> {
    let mean = image.reduced(toMaximumSide: maximumSide)
    let longer = max(mean.width, mean.height)
    guard longer > maximumSide else { return mean }
    // A ribbon has no squares to take the mean of.
    return mean.scaledNearest(
      to: RasterSize(
        width: max(1, mean.width * maximumSide / longer),
        height: max(1, mean.height * maximumSide / longer)))
  }
}
