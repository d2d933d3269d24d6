package import PlumblineIO

/// The kinds of records; later versions may have others, which are skipped.
///
/// - Source: mcap.dev/spec, "Records".
enum MCAPOpcode: UInt8 {
  case header = 0x01
  case footer, schema, channel, message, chunk, messageIndex, chunkIndex, attachment
  case attachmentIndex, statistics, metadata, metadataIndex, summaryOffset, dataEnd

  /// The name in error messages.
  var name: String { Self.names[Int(rawValue) - 1] }

  private static let names = [
    "header", "footer", "schema", "channel", "message", "chunk", "message index", "chunk index",
    "attachment", "attachment index", "statistics", "metadata", "metadata index",
    "summary offset", "data end",
  ]
}

/// The constants of the container.
///
/// - Source: mcap.dev/spec, "Magic", "Records", "Footer".
enum MCAPLayout {
  /// The magic bytes at the start and end of a file; the digit is the version.
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// The size of an opcode and a length.
  static let recordPrefixBytes = 9
  /// The size of the footer's fields, which are never extended.
  static let footerBytes = 20
  /// The size of a message's fields before its payload.
  static let messageFieldBytes = 22
  /// The size of a chunk's fields without the name of its compression and its records.
  static let chunkFieldBytes = 40
}

extension MCAPSchema {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    id = try fields.readUInt16()
    name = try fields.readCountedText()
    encoding = try fields.readCountedText()
    data = Array(try fields.readCounted())
  }
}

extension MCAPChannel {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    id = try fields.readUInt16()
    schemaID = try fields.readUInt16()
    topic = try fields.readCountedText()
    messageEncoding = try fields.readCountedText()
    metadata = try fields.readCountedTexts()
  }
}

extension MCAPMessage {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    channelID = try fields.readUInt16()
    sequence = try fields.readUInt32()
    logTime = try fields.readUInt64()
    publishTime = try fields.readUInt64()
    data = try fields.readBytes(fields.remaining)
  }
}

extension MCAPChunk {
  init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    messageStartTime = try fields.readUInt64()
    messageEndTime = try fields.readUInt64()
    uncompressedSize = try fields.readUInt64()
    checksum = try fields.readUInt32()
    compression = try fields.readCountedText()
    records = try fields.readLongCounted()
  }
}

extension MCAPChunkIndex {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    messageStartTime = try fields.readUInt64()
    messageEndTime = try fields.readUInt64()
    range = try fields.readRange()
    var offsets = ByteReader(
      try fields.readCounted(), endianness: .little, path: fields.path + ["offsets"])
    messageIndexOffsets = [:]
    while !offsets.isAtEnd {
      messageIndexOffsets[try offsets.readUInt16()] = try offsets.readUInt64()
    }
    messageIndexLength = try fields.readUInt64()
    compression = try fields.readCountedText()
    compressedSize = try fields.readUInt64()
    uncompressedSize = try fields.readUInt64()
  }
}

extension MCAPAttachment {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    let start = fields.offset
    logTime = try fields.readUInt64()
    createTime = try fields.readUInt64()
    name = try fields.readCountedText()
    mediaType = try fields.readCountedText()
    data = Array(try fields.readLongCounted())
    let end = fields.offset
    let checksum = try fields.readUInt32()
    let found = checksum == 0 ? 0 : CRC32(of: fields.bytes[start..<end]).value
    guard found == checksum else {
      throw fields.malformed(
        expected: "an attachment with the checksum \(String(checksum, radix: 16))",
        found: String(found, radix: 16))
    }
  }
}

extension MCAPAttachmentIndex {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    range = try fields.readRange()
    logTime = try fields.readUInt64()
    createTime = try fields.readUInt64()
    dataSize = try fields.readUInt64()
    name = try fields.readCountedText()
    mediaType = try fields.readCountedText()
  }
}

extension MCAPStatistics {
  package init(_ fields: inout ByteReader) throws(CaptureReadingError) {
    messageCount = try fields.readUInt64()
    schemaCount = try fields.readUInt16()
    channelCount = try fields.readUInt32()
    attachmentCount = try fields.readUInt32()
    metadataCount = try fields.readUInt32()
    chunkCount = try fields.readUInt32()
    messageStartTime = try fields.readUInt64()
    messageEndTime = try fields.readUInt64()
    var counts = ByteReader(
      try fields.readCounted(), endianness: .little, path: fields.path + ["counts"])
    while !counts.isAtEnd {
      channelMessageCounts[try counts.readUInt16()] = try counts.readUInt64()
    }
  }
}

/// The types of fields.
///
/// - Source: mcap.dev/spec, "Serialization".
extension ByteReader {
  /// Reads a 32-bit length and that many bytes.
  fileprivate mutating func readCounted() throws(CaptureReadingError) -> ArraySlice<UInt8> {
    try readBytes(Int(readUInt32("a number of bytes")))
  }

  /// Reads a 64-bit length and that many bytes.
  fileprivate mutating func readLongCounted() throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let count = try readUInt64("a number of bytes")
    guard let count = Int(exactly: count) else {
      throw malformed(expected: "at most \(remaining) bytes", found: "\(count)")
    }
    return try readBytes(count)
  }

  /// Reads a string; invalid UTF-8 becomes replacement characters.
  mutating func readCountedText() throws(CaptureReadingError) -> String {
    String(decoding: try readCounted(), as: UTF8.self)
  }

  mutating func readCountedTexts() throws(CaptureReadingError) -> [String: String] {
    var pairs = ByteReader(try readCounted(), endianness: .little, path: path + ["map"])
    var texts: [String: String] = [:]
    while !pairs.isAtEnd { texts[try pairs.readCountedText()] = try pairs.readCountedText() }
    return texts
  }

  mutating func readEntries() throws(CaptureReadingError) -> [MCAPChunkBuilder.Entry] {
    var pairs = ByteReader(try readCounted(), endianness: .little, path: path + ["entries"])
    var entries: [MCAPChunkBuilder.Entry] = []
    entries.reserveCapacity(pairs.remaining / 16)
    while !pairs.isAtEnd {
      entries.append(
        MCAPChunkBuilder.Entry(logTime: try pairs.readUInt64(), offset: try pairs.readUInt64()))
    }
    return entries
  }

  /// Reads the offset and length of a record.
  mutating func readRange() throws(CaptureReadingError) -> Range<Int> {
    let start = try readUInt64("a place in the file")
    let length = try readUInt64("a length")
    let (end, overflow) = start.addingReportingOverflow(length)
    guard !overflow, end <= UInt64(Int.max) else {
      throw malformed(expected: "a place in the file", found: "\(start) and \(length) bytes")
    }
    return Int(start)..<Int(end)
  }
}
