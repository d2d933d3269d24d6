import PlumblineIO

/// The compression of a strip or tile.
///
/// - Source: Adobe, *TIFF Revision 6.0*, sections 9 and 13; *TIFF Technical Note 3* for deflate.
enum TIFFCompression: Int {
  case none = 1
  case lzw = 5
  case deflate = 8
  case packBits = 32773

  /// Reads the number of tag 259.
  ///
  /// - Throws: `.unsupported` with the name of the other ways.
  init(code: Int) throws(CaptureReadingError) {
    // Deflate had a private number before it got one of its own.
    guard let known = TIFFCompression(rawValue: code == 32946 ? 8 : code) else {
      let names = [
        2: "CCITT", 3: "CCITT G3", 4: "CCITT G4", 6: "old JPEG", 7: "JPEG", 34712: "JPEG 2000",
        34887: "LERC", 34925: "LZMA", 50000: "Zstandard", 50001: "WebP", 50002: "JPEG XL",
      ]
      throw CaptureReadingError(
        .unsupported, path: ["TIFF", "compression"],
        expected: "none, LZW, deflate or PackBits", found: names[code] ?? "number \(code)")
    }
    self = known
  }

  /// Unpacks a strip or tile to the bytes that must come out, already held against a limit.
  ///
  /// - Throws: `.malformed` when fewer come out; for deflate also when more do. O(*n*).
  func unpacked(
    _ bytes: ArraySlice<UInt8>, count: Int, path: [String]
  ) throws(CaptureReadingError) -> [UInt8] {
    switch self {
    case .deflate: return try ZlibStream.inflated([bytes], exactly: count, path: path)
    case .none, .packBits, .lzw:
      let output: [UInt8] =
        switch self {
        case .packBits: Self.unpackedBits(bytes, count: count)
        case .lzw: TIFFLZWDecoder.unpacked(bytes, count: count)
        default: Array(bytes.prefix(count))
        }
      guard output.count == count else {
        throw CaptureReadingError(
          .malformed, path: path, offset: bytes.startIndex, expected: "\(count) bytes of samples",
          found: "\(output.count)")
      }
      return output
    }
  }

  /// Runs and copies, as many bytes as there are up to `count`.
  private static func unpackedBits(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(min(count, 64 * bytes.count))
    var index = bytes.startIndex
    while index < bytes.endIndex, output.count < count {
      let code = Int(Int8(bitPattern: bytes[index]))
      index += 1
      if code >= 0 {
        let end = min(index + code + 1, bytes.endIndex)
        output += bytes[index..<end].prefix(count - output.count)
        index = end
      } else if code != -128, index < bytes.endIndex {
        output += repeatElement(bytes[index], count: min(1 - code, count - output.count))
        index += 1
      }
    }
    return output
  }
}
