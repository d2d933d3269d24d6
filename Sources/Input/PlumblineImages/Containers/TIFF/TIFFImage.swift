package import PlumblineIO
import PlumblineModel

/// The first image of a TIFF file with one number per pixel, as programs store depth.
///
/// - Source: Adobe, *TIFF Revision 6.0*, 1992: §2 structure, §8 baseline fields, §15 tiles, §19
///   sample format.
package struct TIFFImage: Sendable {
  /// The storage type of a number.
  package let numberType: NumberType
  /// The numbers; half precision is converted to single precision.
  package let values: NumericRaster
  /// The writer's description of the image; `nil` if there is none.
  package let description: String?

  /// Whether bytes start with the signature of a TIFF file, in either byte order.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A])
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - limits: `auxiliaryPixels` limits the pixels of the image and of one tile.
  /// - Throws: `.malformed` for damage; `.unsupported`, with a name, for color, signed numbers,
  ///   other compressions and rotated images; `.limitExceeded` before anything is allocated.
  ///   O(*n*).
  package init(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let path = ["TIFF"]
    let block = try TIFFBlock(bytes, path: path)
    let tags = try block.directory(at: block.firstDirectory, limits: limits)
    func integer(_ tag: UInt16, default fallback: Int? = nil) throws(CaptureReadingError) -> Int {
      guard let entry = tags[tag] else {
        if let fallback { return fallback }
        throw CaptureReadingError(
          .malformed, path: path, offset: bytes.startIndex, expected: "tag \(tag)", found: "none")
      }
      guard let value = entry.integer else {
        throw CaptureReadingError(
          .malformed, path: path + ["tag \(tag)"], expected: "a whole number",
          found: "type \(entry.type)")
      }
      return value
    }
    let size = RasterSize(
      width: try integer(256), height: try integer(257))
    _ = try limits.pixelCount(
      width: size.width, height: size.height, atMost: limits.auxiliaryPixels, path: path)
    try Self.requireGray(path: path, integer)
    let type = try Self.type(
      bits: try integer(258, default: 1), format: try integer(339, default: 1))
    let (predictor, compression) = try Self.coding(of: type, path: path, integer)
    let segments = try TIFFSegments(
      tags, size: size, limits: limits, maximumPixels: limits.auxiliaryPixels, path: path,
      integer: integer)
    let samples = try segments.assembled(block, pixelBytes: type.byteCount) {
      packed, count, path
        throws(CaptureReadingError) in
      var unpacked = try compression.unpacked(packed, count: count, path: path)
      predictor.undo(
        &unpacked, rowBytes: segments.segmentSize.width * type.byteCount, type: type,
        endianness: block.endianness)
      return unpacked
    }
    numberType = type
    values = NumericRaster(samples[...], type: type, endianness: block.endianness, size: size)
    description = tags[270]?.text.map { printable(text: $0.prefix(200)) }
  }

  /// Rejects all images except upright ones with one gray number per pixel.
  private static func requireGray(
    path: [String], _ integer: (UInt16, Int?) throws(CaptureReadingError) -> Int
  ) throws(CaptureReadingError) {
    for (tag, legal, name, found) in [
      (277, 1, "one number a pixel", "numbers a pixel"),
      (262, 1, "gray whose 0 is black", "as photometric interpretation"),
      (266, 1, "bits from the highest on", "as fill order"),
      (274, 1, "an image that is not turned", "as orientation"),
    ] as [(UInt16, Int, String, String)] {
      let value = try integer(tag, 1)
      guard value == legal else {
        throw CaptureReadingError(
          .unsupported, path: path + ["tag \(tag)"], expected: name, found: "\(value) \(found)")
      }
    }
  }

  /// The compression of segments, and the prediction applied before it.
  static func coding(
    of type: NumberType, path: [String],
    _ integer: (UInt16, Int?) throws(CaptureReadingError) -> Int
  ) throws(CaptureReadingError) -> (predictor: TIFFPredictor, compression: TIFFCompression) {
    let predictorCode = try integer(317, 1)
    guard let predictor = TIFFPredictor(rawValue: predictorCode),
      predictor != .floatingPoint || type.isFloatingPoint
    else {
      throw CaptureReadingError(
        .unsupported, path: path + ["predictor"], expected: "none, 2, or 3 for fractions",
        found: "\(predictorCode)")
    }
    let compression = try TIFFCompression(code: try integer(259, 1))
    // libtiff uses the tag only with these two compressions, other readers with all.
    guard predictor == .none || compression == .lzw || compression == .deflate else {
      throw CaptureReadingError(
        .unsupported, path: path + ["predictor"], expected: "none without LZW or Deflate",
        found: "\(predictorCode), which readers take in different ways there")
    }
    return (predictor, compression)
  }

  private static func type(bits: Int, format: Int) throws(CaptureReadingError) -> NumberType {
    switch (format, bits) {
    case (1, 8): return .uint8
    case (1, 16): return .uint16
    case (1, 32): return .uint32
    case (3, 16): return .float16
    case (3, 32): return .float32
    case (3, 64): return .float64
    default:
      let kind = [1: "unsigned", 2: "signed", 3: "fractions"][format] ?? "format \(format)"
      throw CaptureReadingError(
        .unsupported, path: ["TIFF"],
        expected: "8, 16 or 32 bits unsigned, or fractions of 16, 32 or 64 bits",
        found: "\(bits) bits, \(kind)")
    }
  }
}

/// The strips or tiles of an image.
struct TIFFSegments {
  /// The columns and rows of one segment, including any part outside the image.
  let segmentSize: RasterSize
  private let size: RasterSize
  private let isTiled: Bool
  private let offsets: [Int]
  private let byteCounts: [Int]
  private let path: [String]

  /// Reads the positions of the segments.
  ///
  /// - Throws: `.malformed` when there are fewer than the image needs; `.limitExceeded` for tiles.
  init(
    _ tags: [UInt16: TIFFEntry], size: RasterSize, limits: ReadingLimits, maximumPixels: Int,
    path: [String],
    integer: (UInt16, Int?) throws(CaptureReadingError) -> Int
  ) throws(CaptureReadingError) {
    self.size = size
    self.path = path
    isTiled = tags[322] != nil
    if isTiled {
      let (width, height) = (try integer(322, nil), try integer(323, nil))
      _ = try limits.pixelCount(
        width: width, height: height, atMost: maximumPixels, path: path + ["tile"])
      segmentSize = RasterSize(width: width, height: height)
    } else {
      let rows = min(try integer(278, size.height), size.height)
      guard rows > 0 else {
        throw CaptureReadingError(
          .malformed, path: path + ["strip"], expected: "rows", found: "none")
      }
      segmentSize = RasterSize(width: size.width, height: rows)
    }
    let across = (size.width + segmentSize.width - 1) / segmentSize.width
    let down = (size.height + segmentSize.height - 1) / segmentSize.height
    if isTiled {
      // A tile far larger than the image would cost its whole size.
      _ = try limits.pixelCount(
        width: across * segmentSize.width, height: down * segmentSize.height,
        atMost: maximumPixels, path: path + ["tiles"])
    }
    let (places, lengths) = (tags[isTiled ? 324 : 273], tags[isTiled ? 325 : 279])
    guard let offsets = places?.integers, let byteCounts = lengths?.integers,
      offsets.count >= across * down, byteCounts.count >= across * down
    else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "\(across * down) offsets and lengths",
        found: "\(places?.count ?? 0) and \(lengths?.count ?? 0)")
    }
    self.offsets = offsets
    self.byteCounts = byteCounts
  }

  /// Decompresses all segments and assembles their rows.
  ///
  /// `unpacked` decompresses one segment from its bytes, expected size and path; `step` is the bytes of
  /// a pixel.
  ///
  /// - Throws: `.malformed` for a segment outside the file, and errors of `unpacked`.
  func assembled(
    _ block: TIFFBlock, pixelBytes step: Int,
    unpacked: (ArraySlice<UInt8>, Int, [String]) throws(CaptureReadingError) -> [UInt8]
  ) throws(CaptureReadingError) -> [UInt8] {
    var image: [UInt8] = []
    let across = (size.width + segmentSize.width - 1) / segmentSize.width
    var index = 0
    for y in stride(from: 0, to: size.height, by: segmentSize.height) {
      let rows = min(segmentSize.height, size.height - y)
      var tiles: [[UInt8]] = []
      for _ in 0..<across {
        let path = path + ["\(isTiled ? "tile" : "strip") \(index)"]
        var reader = ByteReader(block.bytes, path: path)
        // The sum of two 32-bit numbers fits.
        try reader.seek(to: block.bytes.startIndex + offsets[index])
        let packed = try reader.readBytes(byteCounts[index], as: "samples")
        // The last strip ends with the image, but tiles always have their full size.
        let height = isTiled ? segmentSize.height : rows
        tiles.append(try unpacked(packed, segmentSize.width * height * step, path))
        index += 1
      }
      if tiles.count == 1, segmentSize.width == size.width {
        image += tiles[0].prefix(rows * size.width * step)
        continue
      }
      for row in 0..<rows {
        for (column, tile) in tiles.enumerated() {
          let width = min(segmentSize.width, size.width - column * segmentSize.width)
          let start = row * segmentSize.width * step
          image += tile[start..<start + width * step]
        }
      }
    }
    return image
  }
}
