public import PlumblineImages
public import PlumblineIO
public import PlumblineModel

extension Capture {
  /// The color image as pixels, decoded where the capture has it as a file; `nil` for none.
  ///
  /// - Throws: ``CaptureReadingError`` for a damaged file or one over the limits.
  public func decodedColor(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> Raster<RGB8>? {
    if let color { return color }
    guard let colorFile else { return nil }
    switch colorFile.kind {
    case .jpeg:
      return try CaptureReader(limits: limits, threads: 1).capture(from: colorFile.bytes).color
    case .png:
      return try PNGImage(
        colorFile.bytes[...], maximumPixels: limits.colorPixels, limits: limits
      ).colorRaster
    case .hevc: return try HEVCByteStream(colorFile.bytes, limits: limits).color()
    }
  }

  /// The color image as a JPEG file: its own bytes where it came as one, else encoded; `nil` for
  /// none.
  ///
  /// A file whose Exif turns it is encoded again all the same, since viewers would turn it and leave
  /// the depth map beside it as it lies.
  /// - Throws: ``CaptureReadingError`` for a damaged file, and for sides over 65,500 pixels.
  public func colorJPEG(
    _ encoder: JPEGEncoder, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> [UInt8]? {
    if let colorFile, colorFile.kind == .jpeg, colorOrientation == .up { return colorFile.bytes }
    guard let color = try decodedColor(limits: limits) else { return nil }
    guard max(color.width, color.height) <= JPEGEncoder.maximumSide else {
      throw CaptureReadingError(
        .unsupported, path: ["JPEG"], expected: "sides of up to 65,500 pixels",
        found: "\(color.size)")
    }
    return try encoder.encoded(color)
  }
}
