public import PlumblineIO
import PlumblineModel

/// Reads the images of a pair: from two files, or from one that holds both.
///
/// ```swift
/// let (left, right) = try StereoImageReader().pair(from: bytes)
/// ```
public struct StereoImageReader: Sendable {
  /// The limits of memory and work for reading.
  public var limits: ReadingLimits
  /// The maximum number of threads for tiles; the result does not depend on it.
  public var threads: Int

  /// Creates a reader.
  ///
  /// - Precondition: At least one thread.
  public init(limits: ReadingLimits = ReadingLimits(), threads: Int = 2) {
    precondition(threads >= 1, "\(threads) threads cannot read")
    self.limits = limits
    self.threads = threads
  }

  /// Reads one image: a HEIC or JPEG photo, with the calibration of its depth map where it has
  /// one, a PNG or a PPM.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The image as stored.
  /// - Throws: Where and why the bytes cannot be read.
  public func image(from bytes: [UInt8]) throws(CaptureReadingError) -> StereoImage {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    if PNGImage.recognizes(bytes.prefix(64)) {
      let image = try PNGImage(bytes[...], maximumPixels: limits.colorPixels, limits: limits)
      return StereoImage(color: image.colorRaster)
    }
    if NetpbmImage.recognizes(bytes.prefix(64)),
      case .color(let image) = try NetpbmImage(
        bytes[...], maximumPixels: limits.colorPixels, limits: limits)
    {
      return StereoImage(color: image)
    }
    switch FileSignature(bytes) {
    case .heif, .jpeg: return try photo(bytes)
    case .empty: throw Self.unreadable("an empty file", .malformed)
    case .ply: throw Self.unreadable("a PLY file")
    case .json: throw Self.unreadable("a JSON text")
    case .other(let name): throw Self.unreadable(name)
    }
  }

  /// Reads both images of one file: a spatial photo, or a JPEG of two views (MPO).
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The images as stored.
  /// - Throws: `.missing` for a file with one image; else where and why the bytes cannot be read.
  public func pair(
    from bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoImage, right: StereoImage) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    switch FileSignature(bytes) {
    case .heif: return try spatialPhoto(bytes)
    case .jpeg: return try viewsOfJPEG(bytes)
    case .empty: throw Self.unreadable("an empty file", .malformed)
    default: throw Self.oneImage("no HEIC or JPEG photo")
    }
  }

  private static func unreadable(
    _ found: String, _ reason: CaptureReadingError.Reason = .unsupported
  ) -> CaptureReadingError {
    CaptureReadingError(
      reason, offset: 0, expected: "an image (HEIC, JPEG, PNG or PPM)", found: found)
  }

  /// What a file lacks that holds one image.
  static func oneImage(_ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .missing,
      expected: "a file that holds two images (a spatial photo, an MPO, or --side-by-side), or "
        + "two files", found: found)
  }

  private func photo(_ bytes: [UInt8]) throws(CaptureReadingError) -> StereoImage {
    var reader = CaptureReader(limits: limits, threads: threads)
    reader.readsCompanions = false
    let capture = try reader.capture(from: bytes)
    guard let color = capture.color else {
      throw CaptureReadingError(
        .missing, expected: "a color image", found: capture.findings.first?.message ?? "none")
    }
    var image = StereoImage(color: color, source: capture.source)
    image.orientation = capture.colorOrientation
    image.findings = capture.findings
    let stored = capture.colorSize ?? color.size
    if let record = capture.depth, let calibration = record.calibration,
      record.orientation == capture.colorOrientation,
      calibration.intrinsics.matchesAspect(of: stored)
    {
      let camera = calibration.scaled(to: stored)
      // A shown part (clap) was cut out; the calibration counts the pixels around it.
      let aperture = shownPart(of: bytes)
      image.camera = aperture.map { camera.cropped(to: $0) } ?? camera
      image.cameraBasis = .calibration
      image.referenceFromCamera = calibration.extrinsics?.referenceFromCamera
    } else if let camera = ExifMetadata(photo: bytes, limits: limits)?.camera(of: color.size) {
      image.camera = CameraCalibration(intrinsics: camera)
      image.cameraBasis = .exif
    }
    return image
  }

  /// The part of a HEIC photo's stored pixels that is shown; `nil` for all of them.
  private func shownPart(of bytes: [UInt8]) -> PixelRectangle? {
    guard FileSignature(bytes) == .heif, let file = try? HEIFFile(bytes: bytes, limits: limits)
    else { return nil }
    return try? HEIFShape(of: file.primaryItemID, in: file).cleanAperture
  }
}
