package import PlumblineIO
package import PlumblineModel

/// A codec for JPEG images of 8 bits that are coded by cosine transform (SOF0 to SOF2, SOF9…).
///
/// Callers use ``JPEGImage/storedSamples(limits:)`` and ``JPEGImage/color(scale:limits:)``, which
/// check the header first; an implementation may trust that size, depth and scans are in bounds. It
/// uses the image's bytes and their position alone, which is all that a worker is sent.
package protocol JPEGDecoding: Sendable {
  /// Decodes luma alone; any warning about the compressed data is an error.
  func luma(of image: JPEGImage, size: RasterSize) throws(CaptureReadingError) -> Raster<UInt8>

  /// Decodes color; damage that reaches any pixel is an error that says which rows.
  func color(
    of image: JPEGImage, size: RasterSize, scale: JPEGScale
  ) throws(CaptureReadingError) -> DecodedColorJPEG
}

/// By how much a color image is reduced while it is decoded, which costs far less than afterwards.
package enum JPEGScale: Int, Sendable, CaseIterable {
  /// The stored size.
  case full = 1
  /// Half the columns and rows.
  case half = 2
  /// A quarter of the columns and rows.
  case quarter = 4
  /// An eighth of the columns and rows.
  case eighth = 8

  /// The size after reduction; a started pixel counts.
  package func applied(to size: RasterSize) -> RasterSize {
    RasterSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}

/// A decoded color image and what the decoder remarked on it.
package struct DecodedColorJPEG: Sendable {
  /// The pixels as stored, in the color space of the file, not turned by its orientation.
  package var raster: Raster<RGB8>
  /// Warnings of the decoder that no pixel depends on.
  package var notes: [ContainerNote]
}

extension JPEGImage {
  #if canImport(CTurboJPEG)
    static let platformDecoder: any JPEGDecoding = TurboJPEGDecoder()
  #elseif canImport(ImageIO)
    static let platformDecoder: any JPEGDecoding = ImageIOJPEGDecoder()
  #endif

  /// Decodes depth, disparity, a matte or a gain map: luma, 8 bits, or lossless samples.
  ///
  /// - Throws: `.limitExceeded` before anything is allocated; `.malformed` when the image is cut
  ///   or damaged anywhere, since depth that was never stored must not be returned;
  ///   `.unsupported` for 12-bit transform coding.
  package func storedSamples(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> StoredSamples {
    let frame = try checkedFrame(maximumPixels: limits.auxiliaryPixels, limits: limits)
    if let damage { throw damage }
    if frame.isLossless { return try LosslessJPEGDecoder(self, limits: limits).decoded() }
    try Self.requireEightBits(frame, of: self)
    return .uint8(try limits.jpegDecoder.luma(of: self, size: frame.size))
  }

  /// Decodes color, reduced on the way if a preview is enough.
  ///
  /// - Throws: `.limitExceeded` before anything is allocated; `.unsupported` for four-channel or
  ///   12-bit images; `.malformed` when damage reaches any pixel, with the rows that it may concern:
  ///   shifted color would lie on the wrong depth.
  package func color(
    scale: JPEGScale = .full, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> DecodedColorJPEG {
    let frame = try checkedFrame(maximumPixels: limits.colorPixels, limits: limits)
    guard !frame.isLossless else {
      throw CaptureReadingError(
        .unsupported, offset: range.lowerBound, expected: "a transform-coded color image",
        found: "lossless JPEG")
    }
    try Self.requireEightBits(frame, of: self)
    guard frame.components.count == 1 || frame.components.count == 3 else {
      throw CaptureReadingError(
        .unsupported, offset: range.lowerBound, expected: "1 or 3 color components",
        found: "\(frame.components.count)")
    }
    return try limits.jpegDecoder.color(of: self, size: frame.size, scale: scale)
  }

  /// The frame, once its size, its scans and the memory that decoding takes are within limits.
  func checkedFrame(
    maximumPixels: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) -> JPEGFrame {
    guard let frame else {
      throw CaptureReadingError(
        .malformed, path: ["JPEG"], offset: range.lowerBound, expected: "a frame header",
        found: damage.map { "\($0)" } ?? "none")
    }
    let pixels = try limits.pixelCount(
      width: frame.size.width, height: frame.size.height, atMost: maximumPixels, path: ["JPEG"],
      offset: range.lowerBound)
    try requireData(for: frame, limits: limits)
    try limits.require(
      scanCount, atMost: limits.jpegScans, "scans", path: ["JPEG"], offset: range.lowerBound)
    // Each scan is a pass over the whole image even when it holds next to nothing; ten passes over
    // 48 million pixels are real, a hundred over 128 million would take many seconds.
    try limits.require(
      pixels * scanCount, atMost: 8 * limits.colorPixels, "pixels in all scans together",
      path: ["JPEG"], offset: range.lowerBound)
    // Three bytes of output, and in several scans two bytes for every coefficient in between.
    let bytesPerPixel = 3 + (scanCount > 1 ? 2 * frame.components.count : 0)
    try limits.require(
      pixels * bytesPerPixel, atMost: limits.decodedBytes, "decoded bytes", path: ["JPEG"],
      offset: range.lowerBound)
    guard scanCount > 0 else {
      throw CaptureReadingError(
        .malformed, path: ["JPEG"], offset: range.lowerBound, expected: "a scan", found: "none")
    }
    return frame
  }

  private static func requireEightBits(
    _ frame: JPEGFrame, of image: JPEGImage
  ) throws(CaptureReadingError) {
    guard frame.precision == 8 else {
      throw CaptureReadingError(
        .unsupported, path: ["JPEG"], offset: image.range.lowerBound,
        expected: "8 bits in transform coding", found: "\(frame.precision)")
    }
  }
}
