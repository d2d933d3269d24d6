package import PlumblineIO
package import PlumblineModel

/// A codec for 8-bit JPEG images with cosine transform (SOF0 to SOF2, SOF9…).
///
/// Callers use ``JPEGImage/storedSamples(limits:)`` and ``JPEGImage/color(scale:limits:)``, which
/// check the header first; an implementation may rely on size, bit depth and scans being in bounds.
/// It uses only the image's bytes and their position, since a worker receives nothing else.
package protocol JPEGDecoding: Sendable {
  /// Decodes luma only; any warning about the compressed data is an error.
  func luma(of image: JPEGImage, size: RasterSize) throws(CaptureReadingError) -> Raster<UInt8>

  /// Decodes color; damage that reaches a pixel is an error with the affected rows.
  func color(
    of image: JPEGImage, size: RasterSize, scale: JPEGScale
  ) throws(CaptureReadingError) -> DecodedColorJPEG
}

/// The reduction of a color image during decoding, which is much faster than a later reduction.
package enum JPEGScale: Int, Sendable, CaseIterable {
  /// The stored size.
  case full = 1
  /// Half the columns and rows.
  case half = 2
  /// A quarter of the columns and rows.
  case quarter = 4
  /// An eighth of the columns and rows.
  case eighth = 8

  /// The size after reduction, rounded up.
  package func applied(to size: RasterSize) -> RasterSize {
    RasterSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}

/// A decoded color image with the decoder's notes.
package struct DecodedColorJPEG: Sendable {
  /// The pixels as stored, in the color space of the file, without its orientation applied.
  package var raster: Raster<RGB8>
  /// Warnings of the decoder that affect no pixel.
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
  /// - Throws: `.limitExceeded` before anything is allocated; `.malformed` when the image is
  ///   truncated or damaged anywhere, since depth that was never stored must not be returned;
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

  /// Decodes color, reduced during decoding if a preview suffices.
  ///
  /// - Throws: `.limitExceeded` before anything is allocated; `.unsupported` for four-channel or
  ///   12-bit images; `.malformed` when damage reaches any pixel, with the affected rows, since
  ///   shifted color would be combined with the wrong depth.
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

  /// The frame header, after its size, its scans and the memory for decoding were checked against
  /// the limits.
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
    // Each scan is a pass over the whole image even if it contains almost nothing; ten passes over
    // 48 million pixels occur in practice, a hundred over 128 million would take many seconds.
    try limits.require(
      pixels * scanCount, atMost: 8 * limits.colorPixels, "pixels in all scans together",
      path: ["JPEG"], offset: range.lowerBound)
    // Three bytes of output and, for several scans, two bytes for every coefficient in between.
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
