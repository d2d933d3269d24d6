package import PlumblineIO
package import PlumblineModel

/// The header of a PNG image (ISO/IEC 15948 §11.2.2) and what follows from it.
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

  /// Bytes of one pixel; filters look this far to the left.
  package var bytesPerPixel: Int { colorType.channelCount * bitDepth / 8 }
  /// Bytes of one row without its filter byte.
  package var bytesPerRow: Int { size.width * bytesPerPixel }

  /// Reads the data of the header chunk and holds the size against a limit.
  ///
  /// - Throws: `.malformed` for values that PNG does not have; `.unsupported` for palettes,
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
    // Another method, such as MNG's, would give other pixels from the same bytes.
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
