import PlumblineModel

/// A depth map in the form of Google's two formats: codes from near to far, a law, a compressed image.
///
/// - Source: `Documentation/formats/gdepth-dynamic-depth.md`.
struct GoogleDepthImage {
  /// The law, and the values of code 0 and of the largest code.
  let format: DynamicDepthRange.Format
  let near: Double
  let far: Double
  /// Whether distances are meters; not for relative maps, which are right up to an unknown law only.
  let isMetric: Bool
  /// `image/png` or `image/jpeg`.
  let mime: String
  /// The compressed codes.
  let bytes: [UInt8]

  /// Turns a map round, so that code 0 is near, and compresses it.
  ///
  /// - Throws: `.unrepresentable` for disparities with holes, since the law of even steps in 1/m has no
  ///   code without distance; for depths below 0; for 9 to 15 bits; for 16 bits where coding is lossy.
  init(
    _ depth: PhotoDepth, coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws(PhotoWritingError) {
    let maximum = depth.codes.maximumCode
    func refused(_ expected: String, _ found: String) -> PhotoWritingError {
      .unrepresentable(format: "GDepth", place: "depth map", expected: expected, found: found)
    }
    guard maximum == 255 || maximum == 65_535 else {
      throw refused("codes of 8 or 16 bits", "a largest code of \(maximum)")
    }
    let ends = [depth.quantization.value(0), depth.quantization.value(maximum)]
    let codes: StoredSamples
    switch depth.quantity {
    case .disparity:
      format = .inverse
      near = 1 / ends[1]
      far = 1 / ends[0]
      guard depth.holeCount == 0, ends[0] > 0 else {
        throw refused(
          "disparities above 0 everywhere, since the format has no code for a missing one; depths "
            + "can have holes", ends[0] > 0 ? "\(depth.holeCount) holes" : "a range from \(ends[0])"
        )
      }
      codes = Self.mirrored(depth.codes)
    case .depth:
      format = .linear
      near = ends[0]
      far = ends[1]
      codes = depth.codes
    }
    do {
      _ = try DynamicDepthRange(format: format, near: near, far: far, unit: .meters)
    } catch {
      throw refused("positive, finite distances from near to far", "\(near) to \(far)")
    }
    isMetric = depth.accuracy != .relative
    switch (coding, codes) {
    case (.lossless, .uint8(let raster)):
      (mime, bytes) = ("image/png", PNGEncoder().encoded(raster))
    case (.lossless, .uint16(let raster, _)):
      (mime, bytes) = ("image/png", PNGEncoder().encoded(raster))
    case (.lossy, _):
      (mime, bytes) = ("image/jpeg", try JPEGAuxiliaryImage.compressed(codes, coding))
    }
  }

  private static func mirrored(_ codes: StoredSamples) -> StoredSamples {
    switch codes {
    case .uint8(let raster): .uint8(raster.map { 255 - $0 })
    case .uint16(let raster, let bitDepth): .uint16(raster.map { 65_535 - $0 }, bitDepth: bitDepth)
    }
  }
}
