import PlumblineIO
import PlumblineModel

/// The header of a Netpbm image.
struct NetpbmHeader {
  let isColor: Bool
  let size: RasterSize
  /// The code of white, 1 to 65535.
  let maximum: Int

  /// Reads the header; leaves the cursor at the first sample.
  ///
  /// - Throws: `.malformed` for one that is none.
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
