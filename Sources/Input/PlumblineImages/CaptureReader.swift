public import PlumblineIO
public import PlumblineModel

/// Reads a capture from the bytes of a file of any producer; the entry point of this target.
///
/// The colors of photos are sRGB, whatever profile the file has: one of primaries and curves, or codes of
/// H.273, is applied, and colors beyond sRGB become the nearest. `PhotoContents` keeps them as they are.
///
/// ```swift
/// let capture = try CaptureReader().capture(from: bytes)
/// ```
public struct CaptureReader: Sendable {
  /// The amount of the color image to decode; depth never needs it.
  public enum ColorRequest: Sendable, Hashable {
    /// None of it.
    case none
    /// All of it.
    case full
    /// A smaller image of the same field of view, its longer side at most this many pixels, of
    /// which there must be one or more.
    case preview(maximumSide: Int)
    /// All of it, undecoded as ``Capture/colorFile`` where it lies as a file of one of these kinds of
    /// its own, with its pixels upright or as they come; else decoded as by ``full``.
    ///
    /// Photos that hold more than color are always decoded.
    case stored(Set<EncodedImage.Kind>)
  }

  /// The limits of memory and work for reading.
  public var limits: ReadingLimits
  /// The amount of the color image to decode.
  public var color: ColorRequest
  /// Whether mattes and gain maps are decoded; assessing depth does not need them.
  public var readsCompanions = true
  /// The maximum number of threads for tiles; the result does not depend on it.
  public var threads: Int
  /// Whether colors of photos stay as the file has them, for callers that keep the profile; else
  /// they become sRGB, which everything means that says nothing.
  package var keepsOwnColors = false

  /// Creates a reader.
  ///
  /// - Precondition: At least one thread.
  public init(
    limits: ReadingLimits = ReadingLimits(), color: ColorRequest = .full, threads: Int = 2
  ) {
    precondition(threads >= 1, "\(threads) threads cannot read")
    self.limits = limits
    self.color = color
    self.threads = threads
  }

  private static let readableFiles = "a HEIC or JPEG photo, a PLY depth frame or RGB-D JSON"

  /// Reads a capture.
  ///
  /// A file without a depth map gives a capture without one; what was odd but readable is in its
  /// findings.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The capture, its maps as stored.
  /// - Throws: Where and why the bytes cannot be read.
  public func capture(from bytes: [UInt8]) throws(CaptureReadingError) -> Capture {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    switch FileSignature(bytes) {
    case .heif: return try HEIFPhotoReader(bytes, self).capture()
    case .jpeg: return try JPEGPhotoReader(bytes, self).capture()
    case .ply: return try StandardCyborgFrame(bytes[...], limits: limits).capture(color: color)
    case .json: return try RGBDJSONFrame(bytes[...], limits: limits).capture()
    case .other(let name):
      throw CaptureReadingError(
        .unsupported, offset: 0, expected: Self.readableFiles, found: name)
    case .empty:
      throw CaptureReadingError(
        .malformed, offset: 0, expected: Self.readableFiles, found: "an empty file")
    }
  }
}

extension CaptureReader.ColorRequest {
  /// An image that was decoded whole, made as small as requested.
  package func reduced(_ color: Raster<RGB8>) -> Raster<RGB8> {
    guard case .preview(let side) = self else { return color }
    return color.reduced(toMaximumSide: side)
  }

  /// Whether files of a kind are wanted as they are.
  package func takes(_ kind: EncodedImage.Kind) -> Bool {
    guard case .stored(let kinds) = self else { return false }
    return kinds.contains(kind)
  }
}
