package import PlumblineIO
package import PlumblineModel

/// A raw gray (`P5`) or color (`P6`) image of the Netpbm programs.
///
/// - Source: Netpbm, *pgm* and *ppm*: header fields separated by white space, comments from `#` to
///   the end of a line, one white-space byte, then rows; 16-bit numbers are big-endian.
package enum NetpbmImage: Sendable, Equatable {
  /// Codes of 8 or 16 bits; `maximum` is the maximum code that the header declares.
  case gray(StoredSamples, maximum: Int)
  /// Color of 8 bits a channel; of 16 bits, or of another maximum than 255, brought to that.
  case color(Raster<RGB8>)

  /// Whether bytes start with the signature of such an image.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    let start = Array(bytes.prefix(3))
    guard start.count == 3, start[0] == UInt8(ascii: "P") else { return false }
    return (start[1] == UInt8(ascii: "5") || start[1] == UInt8(ascii: "6"))
      && ([9, 10, 13, 32, UInt8(ascii: "#")] as [UInt8]).contains(start[2])
  }

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - maximumPixels: The maximum number of pixels; `limits.auxiliaryPixels` when `nil`.
  ///   - limits: The limits for reading.
  /// - Throws: `.malformed` for damage; `.limitExceeded` before anything is allocated. O(*n*).
  package init(
    _ bytes: ArraySlice<UInt8>, maximumPixels: Int? = nil, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    var reader = ByteReader(bytes, path: ["PNM"])
    let header = try NetpbmHeader(from: &reader)
    let count = try limits.pixelCount(
      width: header.size.width, height: header.size.height,
      atMost: maximumPixels ?? limits.auxiliaryPixels, path: ["PNM"])
    if header.isColor {
      let bytesPerCode = header.maximum < 256 ? 1 : 2
      let data = try reader.readBytes(3 * bytesPerCode * count, as: "colors")
      self = .color(
        NetpbmLevels(maximum: header.maximum).colors(of: Array(data), size: header.size))
      return
    }
    let type: NumberType = header.maximum < 256 ? .uint8 : .uint16
    let data = try reader.readBytes(count * type.byteCount, as: "gray samples")
    switch NumericRaster(data, type: type, endianness: .big, size: header.size) {
    case .uint8(let raster): self = .gray(.uint8(raster), maximum: header.maximum)
    case .uint16(let raster):
      self = .gray(.uint16(raster, bitDepth: 16), maximum: header.maximum)
    default: throw reader.malformed(expected: "8 or 16 bits", found: "\(type)")
    }
  }
}

/// The header of a Netpbm image.
struct NetpbmHeader {
  let isColor: Bool
  let size: RasterSize
  /// The maximum code (white), 1 to 65535.
  let maximum: Int

  /// Reads the header and leaves the cursor at the first sample.
  ///
  /// - Throws: `.malformed` if the bytes are not such a header.
  init(from reader: inout ByteReader) throws(CaptureReadingError) {
    let magic = printable(try reader.readBytes(2, as: "the letter P and a digit"))
    guard magic == "P5" || magic == "P6" else {
      throw CaptureReadingError(
        .malformed, path: reader.path, offset: reader.offset - 2, expected: "P5 or P6",
        found: magic)
    }
    isColor = magic == "P6"
    let width = try Self.readNumber(&reader, "a width")
    let height = try Self.readNumber(&reader, "a height")
    maximum = try Self.readNumber(&reader, "a maximum")
    guard (1...65535).contains(maximum) else {
      throw reader.malformed(expected: "a maximum from 1 to 65535", found: "\(maximum)")
    }
    size = RasterSize(width: width, height: height)
    try reader.skip(1, as: "a space before the samples")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func readNumber(
    _ reader: inout ByteReader, _ what: String
  ) throws(CaptureReadingError) -> Int {
    while !reader.isAtEnd {
      let rest = reader.bytes[reader.offset...]
      if rest.first == UInt8(ascii: "#") {
        try reader.skip(rest.prefix { $0 != 10 && $0 != 13 }.count)
      } else if let byte = rest.first, isSpace(byte) {
        try reader.skip(1)
      } else {
        break
      }
    }
    let digits = reader.bytes[reader.offset...].prefix(9).prefix { (48...57).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
      throw reader.malformed(
        expected: what, found: printable(reader.bytes[reader.offset...].prefix(8)))
    }
    try reader.skip(digits.count)
    return number
  }
}
