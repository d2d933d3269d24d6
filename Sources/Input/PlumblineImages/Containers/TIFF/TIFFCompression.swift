import PlumblineIO

/// The compression of a strip or tile.
///
/// - Source: Adobe, *TIFF Revision 6.0*, sections 9 and 13; *TIFF Technical Note 3* for deflate.
enum TIFFCompression: Int {
  case none = 1
  case lzw = 5
  case deflate = 8
  case packBits = 32773

  /// Reads the value of tag 259.
  ///
  /// - Throws: `.unsupported` with the name of any other compression.
  init(code: Int) throws(CaptureReadingError) {
    // Deflate had a private number before its official one.
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

  /// Decompresses a strip or tile to an expected size, which was already checked against a limit.
  ///
  /// - Throws: `.malformed` if fewer bytes result; for deflate also if more do. O(*n*).
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

  /// Decodes PackBits: as many bytes as there are, up to `count`.
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

/// The LZW decoder of TIFF: codes of 9 to 12 bits, most significant bit first.
///
/// - Source: Adobe, *TIFF Revision 6.0*, section 13: code 256 clears the table, 257 ends the data,
///   and the code width grows one entry before it must.
enum TIFFLZWDecoder {
  /// Decodes as many bytes as the codes give, up to `count`; O(*n*).
  ///
  /// Decoding stops at an invalid code.
  static func unpacked(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(min(count, 64 * bytes.count))
    // Each entry is a range of the output itself, with a start and a length.
    var starts = [Int](repeating: 0, count: 4096)
    var lengths = [Int](repeating: 0, count: 4096)
    var next = 258
    var width = 9
    var bits = 0
    var bitCount = 0
    var previous: (start: Int, length: Int)?
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFF_FFFF
      bitCount += 8
      guard bitCount >= width else { continue }
      bitCount -= width
      let code = bits >> bitCount & ((1 << width) - 1)
      if code == 257 { break }
      if code == 256 {
        next = 258
        width = 9
        previous = nil
        continue
      }
      let start = output.count
      if code < 256 {
        output.append(UInt8(code))
      } else if code < next {
        append(starts[code], lengths[code], to: &output)
      } else if code == next, let previous {
        append(previous.start, previous.length, to: &output)
        output.append(output[previous.start])
      } else {
        break
      }
      if let previous, next < 4096 {
        // The bytes of an entry are already in the output: those of the last code and the next
        // byte.
        starts[next] = previous.start
        lengths[next] = previous.length + 1
        next += 1
      }
      previous = (start, output.count - start)
      if next + 1 >= 1 << width, width < 12 { width += 1 }
      if output.count >= count { break }
    }
    return Array(output.prefix(count))
  }

  private static func append(_ start: Int, _ length: Int, to output: inout [UInt8]) {
    for index in start..<start + length { output.append(output[index]) }
  }
}

/// Reverses the prediction that a writer applied to each row before compression.
///
/// - Source: Adobe, *TIFF Revision 6.0*, section 14 (2); *TIFF Technical Note 3*, 2005 (3).
enum TIFFPredictor: Int {
  case none = 1
  /// Each number is stored as the integer difference from that of the pixel on its left.
  case horizontal = 2
  /// The bytes of each significance are stored together, highest first, as differences from their
  /// left neighbor.
  case floatingPoint = 3

  /// Restores rows in place, each in the file's byte order; O(*n*).
  ///
  /// - Precondition: The bytes are whole rows; fractions have one number a pixel.
  func undo(
    _ bytes: inout [UInt8], rowBytes: Int, type: NumberType, numbersPerPixel: Int = 1,
    endianness: ByteReader.Endianness
  ) {
    let step = type.byteCount, pixel = step * numbersPerPixel
    switch self {
    case .none: return
    case .horizontal:
      for row in stride(from: 0, to: bytes.count, by: rowBytes) {
        for start in stride(from: row + pixel, to: row + rowBytes, by: step) {
          var carry = 0
          for place in 0..<step {
            // Starts at the lowest byte, so that the carry propagates upward.
            let index = start + (endianness == .little ? place : step - 1 - place)
            let sum = Int(bytes[index]) + Int(bytes[index - pixel]) + carry
            bytes[index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
          }
        }
      }
    case .floatingPoint:
      let count = rowBytes / step
      for row in stride(from: 0, to: bytes.count, by: rowBytes) {
        for index in row + 1..<row + rowBytes { bytes[index] &+= bytes[index - 1] }
        let planes = Array(bytes[row..<row + rowBytes])
        for x in 0..<count {
          for place in 0..<step {
            let byte = endianness == .big ? place : step - 1 - place
            bytes[row + x * step + byte] = planes[place * count + x]
          }
        }
      }
    }
  }
}
