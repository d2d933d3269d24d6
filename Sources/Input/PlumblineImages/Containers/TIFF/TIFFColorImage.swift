package import PlumblineIO
package import PlumblineModel

/// The first image of a TIFF file as colors of 8 bits, as cameras and image editors store photos.
///
/// Read are gray and RGB of 8 and 16 bits a channel, in strips or tiles, uncompressed or by LZW, Deflate
/// or PackBits; further channels, such as alpha, are ignored. Of 16 bits the upper 8 are kept: those of
/// 65,535, or of 4,095 where no number of the image is larger, as in files of 12-bit sensors.
/// - Source: Adobe, *TIFF Revision 6.0*, 1992: §3 to §6, §14, §15.
package struct TIFFColorImage: Sendable {
  /// The pixels as stored.
  package let color: Raster<RGB8>
  /// How they must be turned to be upright.
  package let orientation: ImageOrientation
  /// Whether the file holds further images, which are not read.
  package let isFollowed: Bool

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - maximumPixels: The maximum number of pixels of the image, and of its tiles together.
  ///   - limits: The limits of the directory.
  /// - Throws: `.malformed` for damage; `.unsupported`, with what was found, for palettes, other colors,
  ///   channels in planes of their own, other numbers and other compressions; `.limitExceeded` before
  ///   anything is allocated. O(*n*).
  package init(
    _ bytes: ArraySlice<UInt8>, maximumPixels: Int, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let path = ["TIFF"]
    let block = try TIFFBlock(bytes, path: path)
    let tags = try block.directory(at: block.firstDirectory, limits: limits)
    func integer(_ tag: UInt16, _ fallback: Int?) throws(CaptureReadingError) -> Int {
      if let value = tags[tag]?.integer ?? (tags[tag] == nil ? fallback : nil) { return value }
      throw CaptureReadingError(
        .malformed, path: path + ["tag \(tag)"], expected: "a whole number",
        found: tags[tag].map { "type \($0.type)" } ?? "none")
    }
    let size = RasterSize(width: try integer(256, nil), height: try integer(257, nil))
    _ = try limits.pixelCount(
      width: size.width, height: size.height, atMost: maximumPixels, path: path)
    let channels = try Self.channels(tags, path: path, integer)
    let (predictor, compression) = try TIFFImage.coding(of: channels.type, path: path, integer)
    let segments = try TIFFSegments(
      tags, size: size, limits: limits, maximumPixels: maximumPixels, path: path, integer: integer)
    let pixelBytes = channels.count * channels.type.byteCount
    let samples = try segments.assembled(block, pixelBytes: pixelBytes) {
      packed, count, path
        throws(CaptureReadingError) in
      var unpacked = try compression.unpacked(packed, count: count, path: path)
      predictor.undo(
        &unpacked, rowBytes: segments.segmentSize.width * pixelBytes, type: channels.type,
        numbersPerPixel: channels.count, endianness: block.endianness)
      return unpacked
    }
    color = channels.raster(samples, size: size, endianness: block.endianness)
    isFollowed = block.isFollowed(directoryAt: block.firstDirectory)
    orientation = ImageOrientation(rawValue: try integer(274, 1)) ?? .up
  }

  /// What the numbers of a pixel are.
  private struct Channels {
    var type: NumberType
    var count: Int
    var isColor: Bool
    /// Whether 0 is white.
    var isInverted: Bool

    /// The colors of all pixels.
    func raster(
      _ bytes: [UInt8], size: RasterSize, endianness: ByteReader.Endianness
    ) -> Raster<RGB8> {
      let codes = type == .uint8 ? bytes : upperBytes(bytes, endianness)
      return Raster(size: size) { x, y in
        let place = (y * size.width + x) * count
        func code(_ channel: Int) -> UInt8 {
          isInverted ? 255 - codes[place + channel] : codes[place + channel]
        }
        let first = code(0)
        return isColor
          ? RGB8(red: first, green: code(1), blue: code(2))
          : RGB8(red: first, green: first, blue: first)
      }
    }

    private func upperBytes(_ bytes: [UInt8], _ endianness: ByteReader.Endianness) -> [UInt8] {
      let high = endianness == .little ? 1 : 0
      func number(_ index: Int) -> Int {
        Int(bytes[2 * index + high]) << 8 | Int(bytes[2 * index + 1 - high])
      }
      let largest = (0..<bytes.count / 2).reduce(0) { max($0, number($1)) }
      // An image of 16 bits without a number above 4,095 would be black.
      let bits = largest <= 4095 ? 4 : 8
      return (0..<bytes.count / 2).map { UInt8(truncatingIfNeeded: number($0) >> bits) }
    }
  }

  private static func channels(
    _ tags: [UInt16: TIFFEntry], path: [String],
    _ integer: (UInt16, Int?) throws(CaptureReadingError) -> Int
  ) throws(CaptureReadingError) -> Channels {
    func refusal(_ expected: String, _ found: String) -> CaptureReadingError {
      CaptureReadingError(.unsupported, path: path, expected: expected, found: found)
    }
    let photometric = try integer(262, 1)
    guard (0...2).contains(photometric) else {
      let names = [
        3: "a palette", 4: "a mask", 5: "CMYK", 6: "YCbCr", 8: "CIE L*a*b*", 32803: "a raw mosaic",
        34892: "linear raw",
      ]
      throw refusal(
        "gray or RGB", names[photometric] ?? "photometric interpretation \(photometric)")
    }
    let count = try integer(277, 1), isColor = photometric == 2
    guard (isColor ? 3...8 : 1...8).contains(count) else {
      throw refusal(isColor ? "3 to 8 channels" : "1 to 8 channels", "\(count)")
    }
    let planes = try integer(284, 1)
    guard count == 1 || planes == 1 else {
      throw refusal("the channels of a pixel together", "each in a plane of its own")
    }
    guard try integer(266, 1) == 1 else {
      throw refusal("bits from the highest on", "the reverse order")
    }
    let firstBits = try integer(258, 1)
    let bits = tags[258]?.integers ?? [firstBits]
    let formats = tags[339]?.integers ?? [1]
    guard Set(formats) == [1], Set(bits).count == 1, let depth = bits.first,
      depth == 8 || depth == 16
    else {
      let kind = Set(formats) == [1] ? "unsigned" : "signed numbers or fractions"
      throw refusal(
        "8 or 16 bits a channel, unsigned",
        "\(bits.map(\.description).joined(separator: ", ")) bits, \(kind)")
    }
    return Channels(
      type: depth == 8 ? .uint8 : .uint16, count: count, isColor: isColor,
      isInverted: photometric == 0)
  }
}
