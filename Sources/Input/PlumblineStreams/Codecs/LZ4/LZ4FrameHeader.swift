import PlumblineIO

/// The descriptor at the start of an LZ4 frame.
///
/// - Source: github.com/lz4/lz4, doc/lz4_Frame_format.md, version 1.6.4, "Frame Descriptor".
struct LZ4FrameHeader: Sendable, Hashable {
  /// The number that begins a frame.
  static let magic: UInt32 = 0x184D_2204
  /// The first of the 16 numbers that begin a frame to skip.
  static let skippableMagic: UInt32 = 0x184D_2A50
  /// The number that began a frame before there was a frame format.
  private static let legacyMagic: UInt32 = 0x184C_2102

  /// Whether no block refers to an earlier one.
  var hasIndependentBlocks = true
  /// Whether a checksum follows each block.
  var hasBlockChecksums = false
  /// Whether a checksum of the plain bytes ends the frame.
  var hasContentChecksum = false
  /// The code of the size of a block: 4 to 7.
  var sizeCode = 7
  /// The number of plain bytes, if the frame states it.
  var contentSize: UInt64?

  /// The maximum number of plain bytes of a block: 64 kB, 256 kB, 1 MB or 4 MB.
  var blockBytes: Int { 1 << (8 + 2 * sizeCode) }

  /// A header with independent blocks of the smallest size that holds all bytes, or of 4 MB.
  init(forContentOf count: Int) {
    while sizeCode > 4, blockBytes >> 2 >= count { sizeCode -= 1 }
    contentSize = UInt64(count)
  }

  /// Reads the descriptor that follows the frame's number.
  ///
  /// - Throws: `.malformed` for bits that must be 0 and a wrong checksum; `.unsupported` for
  ///   another version and a frame that needs a dictionary.
  init(_ reader: inout ByteReader) throws(CaptureReadingError) {
    let start = reader.offset
    let flags = try reader.readUInt8("the flags of a frame")
    let sizes = try reader.readUInt8("the block size of a frame")
    guard flags >> 6 == 1 else {
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: start,
        expected: "version 1 of the LZ4 frame format", found: "version \(flags >> 6)")
    }
    sizeCode = Int(sizes >> 4)
    guard flags & 0b10 == 0, sizes & 0x0F == 0, 4...7 ~= sizeCode else {
      throw CaptureReadingError(
        .malformed, path: reader.path, offset: start,
        expected: "a frame descriptor with a known block size and reserved bits of 0",
        found: String(flags, radix: 16) + " " + String(sizes, radix: 16))
    }
    hasIndependentBlocks = flags & 0x20 != 0
    hasBlockChecksums = flags & 0x10 != 0
    hasContentChecksum = flags & 0x04 != 0
    contentSize = flags & 0x08 == 0 ? nil : try reader.readUInt64("the size of the content")
    if flags & 1 != 0 {
      let number = try reader.readUInt32("the number of a dictionary")
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: start, expected: "a frame without a dictionary",
        found: "dictionary \(number), which the file does not contain")
    }
    let computed = Self.checksum(of: reader.bytes[start..<reader.offset])
    let stored = try reader.readUInt8("the checksum of a frame descriptor")
    guard stored == computed else {
      throw CaptureReadingError(
        .malformed, path: reader.path, offset: start,
        expected: "a frame descriptor with the checksum \(String(computed, radix: 16))",
        found: String(stored, radix: 16))
    }
  }

  /// The frame's number and the descriptor.
  var bytes: [UInt8] {
    var descriptor: [UInt8] = []
    descriptor.append(
      0x40 | (hasIndependentBlocks ? 0x20 : 0) | (hasBlockChecksums ? 0x10 : 0)
        | (contentSize == nil ? 0 : 0x08) | (hasContentChecksum ? 0x04 : 0))
    descriptor.append(UInt8(sizeCode << 4))
    if let contentSize { descriptor.appendLittleEndian(contentSize) }
    descriptor.append(Self.checksum(of: descriptor[...]))
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(Self.magic)
    return bytes + descriptor
  }

  /// The error for a number that begins no frame.
  static func unknown(
    _ magic: UInt32, at offset: Int, _ path: [String]
  ) -> CaptureReadingError {
    CaptureReadingError(
      magic == legacyMagic ? .unsupported : .malformed, path: path, offset: offset,
      expected: "the number 184d2204 of an LZ4 frame",
      found: String(magic, radix: 16) + (magic == legacyMagic ? ", the format before frames" : ""))
  }

  private static func checksum(of descriptor: ArraySlice<UInt8>) -> UInt8 {
    UInt8(truncatingIfNeeded: XXH32.digest(descriptor) >> 8)
  }
}
