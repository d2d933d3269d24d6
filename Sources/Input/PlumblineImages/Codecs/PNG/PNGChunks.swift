package import PlumblineIO
package import PlumblineModel

/// The header of a PNG image (ISO/IEC 15948 §11.2.2), with derived values.
package struct PNGHeader {
  /// The channels of a pixel.
  enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    var channelCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  package let size: RasterSize
  package let bitDepth: Int
  let colorType: ColorType

  /// The size of one pixel in bytes, which is the distance to the left neighbor in filters.
  package var bytesPerPixel: Int { colorType.channelCount * bitDepth / 8 }
  /// The size of one row in bytes, without its filter byte.
  package var bytesPerRow: Int { size.width * bytesPerPixel }

  /// Reads the data of the header chunk and checks the size against a limit.
  ///
  /// - Throws: `.malformed` for values that PNG does not define; `.unsupported` for palettes,
  ///   interlacing, fewer than 8 bits and 16-bit color; `.limitExceeded`.
  package init(
    _ data: ArraySlice<UInt8>, maximumPixels: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let path = ["PNG", "IHDR"]
    var reader = ByteReader(data, path: path)
    let width = Int(try reader.readUInt32("the width"))
    let height = Int(try reader.readUInt32("the height"))
    bitDepth = Int(try reader.readUInt8("the bit depth"))
    let color = try reader.readUInt8("the color type")
    let compression = try reader.readUInt8("the compression method")
    let filtering = try reader.readUInt8("the filter method")
    let interlace = try reader.readUInt8("the interlace method")
    guard let type = ColorType(rawValue: color), [1, 2, 4, 8, 16].contains(bitDepth) else {
      throw reader.malformed(
        expected: "a PNG color type and bit depth", found: "type \(color), \(bitDepth) bits")
    }
    // Another method, such as MNG's, would give other pixels for the same bytes.
    guard compression == 0, filtering == 0 else {
      throw CaptureReadingError(
        .unsupported, path: path, offset: data.startIndex,
        expected: "compression and filter method 0, the only ones of PNG",
        found: "\(compression) and \(filtering)")
    }
    _ = try limits.pixelCount(
      width: width, height: height, atMost: maximumPixels, path: path, offset: data.startIndex)
    size = RasterSize(width: width, height: height)
    colorType = type
    let isSupported =
      bitDepth == 8 && type != .palette
      || bitDepth == 16 && (type == .gray || type == .grayAlpha)
    guard isSupported, interlace == 0 else {
      throw CaptureReadingError(
        .unsupported, path: path, offset: data.startIndex,
        expected: "gray of 8 or 16 bits or color of 8 bits, not interlaced",
        found: "\(type), \(bitDepth) bits, interlace method \(interlace)")
    }
  }
}

/// The chunks of a PNG file that affect its pixels, with verified checksums.
struct PNGChunks {
  let header: PNGHeader
  private(set) var imageData: [ArraySlice<UInt8>] = []

  /// Iterates over all chunks up to the end chunk; O(*n*).
  init(
    _ bytes: ArraySlice<UInt8>, maximumPixels: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var reader = ByteReader(bytes, path: ["PNG"])
    guard PNGImage.recognizes(bytes) else {
      throw reader.malformed(
        expected: "the PNG signature",
        found: bytes.isEmpty ? "no bytes" : printable(bytes.prefix(8)))
    }
    try reader.skip(PNGImage.signature.count)
    let first = try Self.readChunk(&reader)
    guard first.name == "IHDR" else {
      throw reader.malformed(expected: "a header chunk (IHDR)", found: first.name)
    }
    header = try PNGHeader(first.data, maximumPixels: maximumPixels, limits: limits)
    var isBehindImageData = false
    while true {
      let chunk = try Self.readChunk(&reader)
      switch chunk.name {
      case "IDAT":
        guard !isBehindImageData else {
          throw reader.malformed(expected: "image data in one run", found: "a second run")
        }
        // Empty chunks are legal, but would only make the list longer.
        if !chunk.data.isEmpty { imageData.append(chunk.data) }
        continue
      case "IEND":
        return
      case "PLTE" where header.colorType.channelCount >= 3:
        break  // Only a suggestion for displays with few colors.
      default:
        // An upper-case first letter marks a critical chunk, without which the image cannot be
        // decoded.
        guard chunk.name.utf8.first.map({ $0 & 0x20 != 0 }) ?? false else {
          throw CaptureReadingError(
            .unsupported, path: ["PNG"], offset: chunk.data.startIndex,
            expected: "a chunk that this reader knows", found: chunk.name)
        }
      }
      isBehindImageData = !imageData.isEmpty
    }
  }

  private static func readChunk(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> (name: String, data: ArraySlice<UInt8>) {
    let length = Int(try reader.readUInt32("the length of a chunk"))
    let type = try reader.readBytes(4, as: "the name of a chunk")
    let name = printable(type)
    let data = try reader.readBytes(length, as: "chunk \(name)")
    let stored = try reader.readUInt32("the checksum of chunk \(name)")
    let computed = ZlibStream.crc32(type, data)
    guard stored == computed else {
      throw reader.malformed(
        expected: "checksum \(String(computed, radix: 16)) of chunk \(name)",
        found: String(stored, radix: 16))
    }
    return (name, data)
  }
}
