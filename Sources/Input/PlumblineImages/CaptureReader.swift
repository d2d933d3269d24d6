public import PlumblineIO
public import PlumblineModel

/// Reads a capture from the bytes of a file of any producer; the entry point of this target.
///
/// The colors of photos are converted to sRGB: a matrix ICC profile or H.273 codes are applied, and
/// colors outside sRGB are clamped. `PhotoContents` keeps the colors unchanged.
///
/// ```swift
/// let capture = try CaptureReader().capture(from: bytes)
/// ```
public struct CaptureReader: Sendable {
  /// How much of the color image is decoded; depth never needs it.
  public enum ColorRequest: Sendable, Hashable {
    /// No color.
    case none
    /// The whole image.
    case full
    /// A smaller image with the same field of view, whose longer side has at most this many pixels;
    /// the number must be at least 1.
    case preview(maximumSide: Int)
    /// The encoded image as ``Capture/colorFile``, if it is a separate file of one of these kinds;
    /// its orientation is not applied. Otherwise decoded as for ``full``.
    ///
    /// Photos that contain more than color are always decoded.
    case stored(Set<EncodedImage.Kind>)
  }

  /// The limits of memory and work for reading.
  public var limits: ReadingLimits
  /// How much of the color image is decoded.
  public var color: ColorRequest
  /// Whether mattes and gain maps are decoded; the assessment of depth does not need them.
  public var readsCompanions = true
  /// The maximum number of threads for tiles; the result does not depend on it.
  public var threads: Int
  /// Whether colors of photos stay unchanged, for callers that keep the profile; otherwise they are
  /// converted to sRGB, which is also assumed for images without color information.
  package var keepsOwnColors = false

  /// Creates a reader.
  ///
  /// - Precondition: There is at least one thread.
  public init(
    limits: ReadingLimits = ReadingLimits(), color: ColorRequest = .full, threads: Int = 2
  ) {
    precondition(threads >= 1, "\(threads) threads cannot read")
    self.limits = limits
    self.color = color
    self.threads = threads
  }

  /// The endings of photos that can hold depth themselves, in lower case.
  ///
  /// They choose the photos of a folder. A file that is given by itself is known by its bytes,
  /// whatever its name.
  package static let photoEndings = ["heic", "heif", "hif", "jpg", "jpeg"]

  private static let readableFiles = "a HEIC or JPEG photo, a PLY depth frame or RGB-D JSON"

  /// Reads a capture.
  ///
  /// A file without a depth map gives a capture without one; problems that did not prevent reading
  /// are in its findings.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The capture, its maps as stored.
  /// - Throws: The position and the reason if the bytes cannot be read.
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
  /// A fully decoded image, reduced as requested.
  package func reduced(_ color: Raster<RGB8>) -> Raster<RGB8> {
    guard case .preview(let side) = self else { return color }
    return color.reduced(toMaximumSide: side)
  }

  /// Whether encoded files of a kind are requested.
  package func takes(_ kind: EncodedImage.Kind) -> Bool {
    guard case .stored(let kinds) = self else { return false }
    return kinds.contains(kind)
  }
}
