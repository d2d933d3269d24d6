import PlumblineIO
import PlumblineModel

/// Decodes single HEVC images; one conforming type per codec.
protocol HEVCStillDecoding: Sendable {
  /// Decodes an image and lends its planes to a closure.
  ///
  /// - Parameters:
  ///   - image: A checked image.
  ///   - path: The enclosing structures, for errors.
  ///   - body: Called once with planes that must not outlive the call.
  /// - Throws: `.malformed` when the codec finds damage, `.unsupported` when it cannot decode the
  ///   kind of image or is missing in this build, and whatever `body` throws.
  func decode(
    _ image: HEVCStillImage, path: [String],
    _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError)
}

/// The decoded planes of one image, in memory that belongs to the codec.
struct HEVCPlanes {
  /// One plane: samples of one byte up to 8 bits, of two bytes in this machine's order above.
  struct Plane {
    /// The first byte of the first row to the last byte of the last row.
    let bytes: UnsafeRawBufferPointer
    /// The distance between the starts of two rows.
    let bytesPerRow: Int
  }

  /// The columns and rows of luma.
  let size: RasterSize
  /// The planes' layout.
  let chroma: ChromaFormat
  /// Bits of a sample, the same in every plane.
  let bitDepth: Int
  /// Luma.
  let luma: Plane
  /// The two chroma planes, blue then red; `nil` for monochrome.
  let blueAndRed: (blue: Plane, red: Plane)?
}

/// Stands in where this build has no HEVC codec; it refuses every image by name.
struct MissingHEVCDecoder: HEVCStillDecoding {
  func decode(
    _ image: HEVCStillImage, path: [String],
    _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError) {
    throw CaptureReadingError(
      .unsupported, path: path, expected: "a build with an HEVC codec", found: "none")
  }
}

/// The codec of this build.
var defaultHEVCDecoder: any HEVCStillDecoding {
  #if canImport(CLibDE265)
    LibDE265Decoder()
  #else
    // ImageIO decodes whole files only; until a path through it is tried on a device, say so.
    MissingHEVCDecoder()
  #endif
}
