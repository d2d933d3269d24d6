/// A cursor over bytes that never reads past its end and names the position when it cannot.
///
/// The slice keeps the indices of the file that it was cut from, so every error carries the
/// absolute byte offset, however deeply the structure is nested.
package struct ByteReader: Sendable {
  /// The order of the bytes in a multi-byte number.
  package enum Endianness: Sendable { case big, little }

  /// All bytes that this cursor may touch; indices are offsets in the file.
  package let bytes: ArraySlice<UInt8>
  /// The file offset of the next unread byte.
  package private(set) var offset: Int
  /// The order of bytes that multi-byte reads assume.
  package var endianness: Endianness
  /// The names of the enclosing structures, outermost first, for errors.
  package var path: [String]

  /// Creates a cursor at the first byte of a slice.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to read; `startIndex` is taken as the file offset of the first.
  ///   - endianness: Big by default, as in ISO base media and JPEG.
  ///   - path: The enclosing structures, outermost first.
  package init(_ bytes: ArraySlice<UInt8>, endianness: Endianness = .big, path: [String] = []) {
    self.bytes = bytes
    self.offset = bytes.startIndex
    self.endianness = endianness
    self.path = path
  }

  /// The number of bytes left.
  package var remaining: Int { bytes.endIndex - offset }

  /// Whether every byte has been read.
  package var isAtEnd: Bool { offset == bytes.endIndex }

  /// Reads the next `count` bytes.
  ///
  /// - Throws: `.malformed` when fewer than `count` are left or `count` is negative. O(1).
  package mutating func readBytes(
    _ count: Int, as what: String = "bytes"
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      throw malformed(expected: "\(count) bytes of \(what)", found: "\(remaining) bytes left")
    }
    let start = offset
    offset += count
    return bytes[start..<offset]
  }

  /// Skips `count` bytes; throws as `readBytes` does.
  package mutating func skip(_ count: Int, as what: String = "bytes") throws(CaptureReadingError) {
    _ = try readBytes(count, as: what)
  }

  /// Moves the cursor to a file offset inside the slice (its end included).
  package mutating func seek(
    to newOffset: Int, as what: String = "data"
  ) throws(CaptureReadingError) {
    guard newOffset >= bytes.startIndex, newOffset <= bytes.endIndex else {
      throw malformed(
        expected: "\(what) between \(bytes.startIndex) and \(bytes.endIndex)",
        found: "offset \(newOffset)")
    }
    offset = newOffset
  }

  /// Reads one byte.
  package mutating func readUInt8(_ what: String = "a byte") throws(CaptureReadingError) -> UInt8 {
    try readNumber(UInt8.self, what)
  }

  /// Reads an unsigned 16-bit number in the cursor's byte order.
  package mutating func readUInt16(
    _ what: String = "a 16-bit number"
  ) throws(CaptureReadingError) -> UInt16 {
    try readNumber(UInt16.self, what)
  }

  /// Reads an unsigned 32-bit number in the cursor's byte order.
  package mutating func readUInt32(
    _ what: String = "a 32-bit number"
  ) throws(CaptureReadingError) -> UInt32 {
    try readNumber(UInt32.self, what)
  }

  /// Reads an unsigned 64-bit number in the cursor's byte order.
  package mutating func readUInt64(
    _ what: String = "a 64-bit number"
  ) throws(CaptureReadingError) -> UInt64 {
    try readNumber(UInt64.self, what)
  }

  /// Reads a four-character code; bytes outside printable ASCII are returned as `\xNN`.
  package mutating func readFourCC(
    _ what: String = "a four-character code"
  ) throws(CaptureReadingError) -> String {
    printable(try readBytes(4, as: what))
  }

  /// Reads a NUL-terminated string and skips the NUL, which must follow within `maximumLength`
  /// bytes.
  ///
  /// - Throws: `.malformed` when no NUL follows within the limit and the slice.
  package mutating func readNulTerminatedString(
    maximumLength: Int, as what: String
  ) throws(CaptureReadingError) -> String {
    let window = bytes[offset...].prefix(maximumLength + 1)
    guard let end = window.firstIndex(of: 0) else {
      throw malformed(
        expected: "\(what) ended by a zero byte within \(maximumLength) bytes",
        found: "none in \(window.count) bytes")
    }
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    offset = end + 1
    return text
  }

  /// An error at this position; its offset is that of the next unread byte.
  package func malformed(expected: String, found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, offset: offset, expected: expected, found: found)
  }

  private mutating func readNumber<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type, _ what: String
  ) throws(CaptureReadingError) -> Number {
    let width = Number.bitWidth / 8
    guard width <= remaining else {
      throw malformed(expected: what, found: "\(remaining) bytes left")
    }
    var value: Number = 0
    for index in 0..<width {
      let byte = bytes[offset + (endianness == .big ? index : width - 1 - index)]
      value = (value << 8) | Number(truncatingIfNeeded: byte)
    }
    offset += width
    return value
  }
}

/// The bytes of a number, most significant byte first.
package func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
  (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

extension [UInt8] {
  /// Encodes an integer in `count` bytes, most significant byte first; excess high bytes are
  /// dropped.
  package init(bigEndian value: Int, bytes count: Int) {
    self = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Appends an integer, most significant byte first.
  @inlinable package mutating func appendBigEndian(_ value: Int, bytes count: Int) {
    for shift in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
  }
}

extension [UInt8] {
  /// Appends an integer, least significant byte first.
  @inlinable package mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
