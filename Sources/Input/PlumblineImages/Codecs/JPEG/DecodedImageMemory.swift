import PlumblineIO
import PlumblineModel

/// The memory of an image that a platform's library has decoded, with its layout as the library
/// states it.
///
/// The stored codes are read from it directly: drawing the image would convert them to the color
/// space of the target.
struct DecodedImageMemory {
  /// The place of the unused or transparent byte of a pixel.
  enum FourthByte: Sendable {
    /// There is none.
    case none
    /// Before red.
    case first
    /// After blue.
    case last
  }

  /// The layout of a pixel.
  struct Layout: Sendable, Hashable {
    /// Bits of a component.
    var bitsPerComponent: Int
    /// Bits of a pixel.
    var bitsPerPixel: Int
    /// The place of the fourth byte.
    var fourthByte = FourthByte.none
    /// Whether a pixel of 32 bits is a little-endian number, so that its bytes lie in reverse order.
    var isReversed = false
  }

  /// The columns and rows.
  let size: RasterSize
  /// The layout of a pixel.
  let layout: Layout
  /// The distance between the starts of two rows.
  let bytesPerRow: Int
  /// All rows.
  let bytes: [UInt8]

  /// The codes of an image with one component; O(*n*).
  ///
  /// - Throws: `.unsupported` for other layouts: luma that is computed from color would not be the
  ///   stored codes; `.malformed` for less memory than the size needs.
  func gray(path: [String]) throws(CaptureReadingError) -> Raster<UInt8> {
    guard layout == Layout(bitsPerComponent: 8, bitsPerPixel: 8) else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "one component of 8 bits for stored codes",
        found: "\(layout.bitsPerPixel) bits in components of \(layout.bitsPerComponent)")
    }
    try requireMemory(bytesPerPixel: 1, path)
    var samples: [UInt8] = []
    samples.reserveCapacity(size.pixelCount)
    for y in 0..<size.height {
      samples += bytes[y * bytesPerRow..<y * bytesPerRow + size.width]
    }
    return Raster(size: size, samples: samples)
  }

  /// The colors in the color space of the file; O(*n*).
  ///
  /// Gray gives equal components.
  ///
  /// - Throws: `.unsupported` for other layouts; `.malformed` for less memory than the size needs.
  func color(path: [String]) throws(CaptureReadingError) -> Raster<RGB8> {
    if layout.bitsPerPixel == 8 {
      return try gray(path: path).map { RGB8(red: $0, green: $0, blue: $0) }
    }
    guard let places = layout.places else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "three components of 8 bits",
        found: "\(layout.bitsPerPixel) bits in components of \(layout.bitsPerComponent)")
    }
    let step = layout.bitsPerPixel / 8
    try requireMemory(bytesPerPixel: step, path)
    var pixels: [RGB8] = []
    pixels.reserveCapacity(size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = y * bytesPerRow + x * step
        pixels.append(
          RGB8(
            red: bytes[pixel + places.red], green: bytes[pixel + places.green],
            blue: bytes[pixel + places.blue]))
      }
    }
    return Raster(size: size, samples: pixels)
  }

  private func requireMemory(
    bytesPerPixel: Int, _ path: [String]
  ) throws(CaptureReadingError) {
    let rowBytes = size.width * bytesPerPixel
    guard bytesPerRow >= rowBytes, size.height > 0,
      bytes.count >= bytesPerRow * (size.height - 1) + rowBytes
    else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "\(size.height) rows of at least \(rowBytes) bytes",
        found: "\(bytes.count) bytes in rows of \(bytesPerRow)")
    }
  }
}

extension DecodedImageMemory.Layout {
  /// The places of the colors in a pixel; `nil` for layouts without three bytes of color.
  fileprivate var places: (red: Int, green: Int, blue: Int)? {
    guard bitsPerComponent == 8 else { return nil }
    switch (bitsPerPixel, fourthByte) {
    // The byte order concerns numbers of 32 bits; 24 bits are three bytes.
    case (24, .none): return (0, 1, 2)
    case (32, .last): return isReversed ? (3, 2, 1) : (0, 1, 2)
    case (32, .first): return isReversed ? (2, 1, 0) : (1, 2, 3)
    default: return nil
    }
  }
}
