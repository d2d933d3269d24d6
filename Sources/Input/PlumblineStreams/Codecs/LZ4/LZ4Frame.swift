import PlumblineIO

/// LZ4 frames, read and written by code of this project, the same on every platform.
///
/// - Source: github.com/lz4/lz4, doc/lz4_Frame_format.md, version 1.6.4; decision 0048 says why
///   Apple's library for LZ4 is not used.
enum LZ4Frame {
  /// Decompresses frames that follow one another; frames to skip are skipped.
  ///
  /// All checksums that are present are compared. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The frames; errors contain their indices as offsets.
  ///   - count: The expected number of plain bytes, already checked against a limit.
  ///   - path: The enclosing structures, for errors.
  /// - Returns: That many bytes.
  /// - Throws: `.malformed` with the position for anything that the format does not allow, a wrong
  ///   checksum, and more or fewer bytes than expected; `.unsupported` for another version, the
  ///   format before frames and a dictionary.
  static func decoded(
    _ bytes: ArraySlice<UInt8>, exactly count: Int, path: [String] = []
  ) throws(CaptureReadingError) -> [UInt8] {
    let path = path + ["LZ4"]
    // One compressed byte gives at most 255 bytes, so a wrong count cannot allocate more.
    guard !bytes.isEmpty, count / 255 <= bytes.count else {
      throw LZ4Output.malformed(
        bytes.startIndex, path, "frames of \(count) bytes", "\(bytes.count) compressed bytes")
    }
    var plain = [UInt8](repeating: 0, count: count)
    try plain.withUnsafeMutableBufferPointer { (memory) throws(CaptureReadingError) in
      var reader = ByteReader(bytes, endianness: .little, path: path)
      var output = LZ4Output(memory)
      while !reader.isAtEnd { try readFrame(&reader, &output) }
      guard output.room == 0 else {
        throw reader.malformed(expected: "\(count) bytes", found: "\(output.written)")
      }
    }
    return plain
  }

  /// Compresses bytes into one frame whose blocks do not refer to each other; O(*n*).
  ///
  /// Equal bytes give equal frames on every run and platform.
  static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let header = LZ4FrameHeader(forContentOf: bytes.count)
    var frame = header.bytes
    var rest = bytes
    while !rest.isEmpty {
      let plain = rest.prefix(header.blockBytes)
      rest = rest.dropFirst(plain.count)
      let block = LZ4BlockEncoder.encoded(plain)
      if block.count < plain.count {
        frame.appendLittleEndian(UInt32(block.count))
        frame += block
      } else {
        frame.appendLittleEndian(UInt32(plain.count) | Self.storedFlag)
        frame += plain
      }
    }
    frame.appendLittleEndian(UInt32(0))
    return frame
  }

  /// The bit of a block's size that says that the block is not compressed.
  private static let storedFlag: UInt32 = 1 << 31

  private static func readFrame(
    _ reader: inout ByteReader, _ output: inout LZ4Output
  ) throws(CaptureReadingError) {
    let start = reader.offset
    let magic = try reader.readUInt32("the number of a frame")
    if magic & ~15 == LZ4FrameHeader.skippableMagic {
      try reader.skip(Int(try reader.readUInt32("a length")), as: "a frame to skip")
      return
    }
    guard magic == LZ4FrameHeader.magic else {
      throw LZ4FrameHeader.unknown(magic, at: start, reader.path)
    }
    let header = try LZ4FrameHeader(&reader)
    if let size = header.contentSize, size > UInt64(output.room) {
      throw LZ4Output.malformed(
        start, reader.path, "a frame of at most \(output.room) bytes", "one of \(size)")
    }
    let first = output.written
    while try readBlock(&reader, &output, header, frameStart: first) {}
    let count = UInt64(output.written - first)
    if let size = header.contentSize, size != count {
      throw reader.malformed(expected: "\(size) bytes, the stated size", found: "\(count)")
    }
    if header.hasContentChecksum {
      try compare(&reader, with: XXH32.digest(output.bytes(from: first)), "the content")
    }
  }

  /// Reads one block; `false` for the mark that ends the frame.
  private static func readBlock(
    _ reader: inout ByteReader, _ output: inout LZ4Output, _ header: LZ4FrameHeader,
    frameStart: Int
  ) throws(CaptureReadingError) -> Bool {
    let start = reader.offset
    let word = try reader.readUInt32("the size of a block")
    guard word != 0 else { return false }
    let size = Int(word & ~storedFlag)
    guard size <= header.blockBytes else {
      throw LZ4Output.malformed(
        start, reader.path, "a block of at most \(header.blockBytes) bytes", "\(size)")
    }
    let block = try reader.readBytes(size, as: "a block")
    if header.hasBlockChecksums { try compare(&reader, with: XXH32.digest(block), "a block") }
    if word & storedFlag != 0 {
      try output.append(stored: block, path: reader.path)
    } else {
      // A block that is linked may refer to the 64 kB before it; no distance is longer.
      try output.append(
        compressed: block,
        referringTo: header.hasIndependentBlocks ? output.written : frameStart,
        atMost: header.blockBytes, path: reader.path)
    }
    return true
  }

  private static func compare(
    _ reader: inout ByteReader, with computed: UInt32, _ what: String
  ) throws(CaptureReadingError) {
    let start = reader.offset
    let stored = try reader.readUInt32("the checksum of \(what)")
    guard stored == computed else {
      throw LZ4Output.malformed(
        start, reader.path, "the checksum \(String(computed, radix: 16)) of \(what)",
        String(stored, radix: 16))
    }
  }
}
