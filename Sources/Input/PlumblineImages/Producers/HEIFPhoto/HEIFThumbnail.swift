package import PlumblineIO
package import PlumblineModel

/// The small image that a HEIC file may hold of its main image.
///
/// It costs a few milliseconds where all tiles of the main image cost some hundred. Programs that edit photos
/// do not always renew it, so it is for showing only.
package enum HEIFThumbnail {
  /// A thumbnail has no more pixels than this; phones write 320 × 240.
  private static let maximumPixels = 1 << 20

  /// Whether bytes begin as a HEIC photo.
  package static func canBe(in bytes: [UInt8]) -> Bool { FileSignature(bytes) == .heif }

  /// Reads it.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: What may be spent.
  /// - Returns: The image in sRGB, turned as the main image; `nil` for a file without one of the main image's
  ///   shape, or that is no HEIC file.
  /// - Throws: ``CaptureReadingError`` for a file that cannot be read. Cost: O(*n*) in its pixels.
  package static func image(
    in bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> Raster<RGB8>? {
    guard canBe(in: bytes) else { return nil }
    let file = try HEIFFile(bytes: bytes, limits: limits)
    let main = try HEIFShape(of: file.primaryItemID, in: file)
    for item in file.items(referringTo: file.primaryItemID, as: "thmb").prefix(4) {
      let shape = try HEIFShape(of: item, in: file)
      guard shape.size.pixelCount <= maximumPixels, shape.cleanAperture == nil,
        hasShape(shape, of: main)
      else { continue }
      var pixels = try HEIFImageDecoder(file, threadCount: 1).color(of: item).pixels
      pixels = try file.colorsToSRGB(of: item, limits)?.applied(to: pixels) ?? pixels
      // Some files turn the main image alone.
      let turn = shape.orientation == .up ? main.orientation : shape.orientation
      return pixels.oriented(by: turn)
    }
    return nil
  }

  /// Whether the sides have the same ratio, but for the rounding of the small ones.
  private static func hasShape(_ small: HEIFShape, of main: HEIFShape) -> Bool {
    let size = main.cleanAperture?.size ?? main.size
    let ratio = Double(small.size.width * size.height) / Double(small.size.height * size.width)
    return abs(ratio - 1) < 0.02
  }
}
