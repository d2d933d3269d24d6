import PlumblineImages
import PlumblineIO

/// One record, its fields read and held against its length.
///
/// - Source: mcap.dev/spec, "Records"; fields that follow the known ones are ignored.
enum MCAPRecord: Sendable, Hashable {
  case header(profile: String, library: String)
  case footer(summaryStart: UInt64, summaryOffsetStart: UInt64, summaryChecksum: UInt32)
  case schema(MCAPSchema)
  case channel(MCAPChannel)
  case message(MCAPMessage)
  case chunk(MCAPChunk)
  case messageIndex(channel: UInt16, entries: [MCAPChunkBuilder.Entry])
  case chunkIndex(MCAPChunkIndex)
  case attachment(MCAPAttachment)
  case attachmentIndex(MCAPAttachmentIndex)
  case statistics(MCAPStatistics)
  case metadata(MCAPMetadata)
  case metadataIndex(name: String, range: Range<Int>)
  case summaryOffset(opcode: UInt8, start: UInt64, length: UInt64)
  case dataEnd(checksum: UInt32)
  /// Of a later version or of an application.
  case other(UInt8)

  /// Reads the fields of a record.
  ///
  /// - Parameters:
  ///   - opcode: What it is.
  ///   - body: Its bytes without opcode and length; indices are offsets in the file.
  /// - Throws: `.malformed`.
  init(_ opcode: UInt8, _ body: ArraySlice<UInt8>) throws(CaptureReadingError) {
    guard let known = MCAPOpcode(rawValue: opcode) else {
      guard opcode != 0 else {
        throw CaptureReadingError(
          .malformed, path: ["record"], offset: body.startIndex, expected: "a kind of record",
          found: "0")
      }
      self = .other(opcode)
      return
    }
    var fields = ByteReader(body, endianness: .little, path: [known.name])
    switch known {
    case .header:
      self = .header(profile: try fields.readCountedText(), library: try fields.readCountedText())
    case .footer:
      self = .footer(
        summaryStart: try fields.readUInt64(), summaryOffsetStart: try fields.readUInt64(),
        summaryChecksum: try fields.readUInt32())
    case .schema: self = .schema(try MCAPSchema(&fields))
    case .channel: self = .channel(try MCAPChannel(&fields))
    case .message: self = .message(try MCAPMessage(&fields))
    case .chunk: self = .chunk(try MCAPChunk(&fields))
    case .messageIndex:
      self = .messageIndex(channel: try fields.readUInt16(), entries: try fields.readEntries())
    case .chunkIndex: self = .chunkIndex(try MCAPChunkIndex(&fields))
    case .attachment: self = .attachment(try MCAPAttachment(&fields))
    case .attachmentIndex: self = .attachmentIndex(try MCAPAttachmentIndex(&fields))
    case .statistics: self = .statistics(try MCAPStatistics(&fields))
    case .metadata:
      self = .metadata(
        MCAPMetadata(name: try fields.readCountedText(), values: try fields.readCountedTexts()))
    case .metadataIndex:
      let range = try fields.readRange()
      self = .metadataIndex(name: try fields.readCountedText(), range: range)
    case .summaryOffset:
      self = .summaryOffset(
        opcode: try fields.readUInt8(), start: try fields.readUInt64(),
        length: try fields.readUInt64())
    case .dataEnd: self = .dataEnd(checksum: try fields.readUInt32())
    }
  }

  /// Reads the record at a cursor, its opcode and length included.
  ///
  /// - Throws: `.malformed`, such as for a length past the end.
  static func next(_ cursor: inout ByteReader) throws(CaptureReadingError) -> MCAPRecord {
    let opcode = try cursor.readUInt8("the kind of a record")
    let length = try cursor.readUInt64("the length of a record")
    guard let count = Int(exactly: length) else {
      throw cursor.malformed(
        expected: "a record of at most \(cursor.remaining) bytes", found: "\(length)")
    }
    return try MCAPRecord(opcode, cursor.readBytes(count, as: "a record"))
  }
}

/// A chunk as stored.
struct MCAPChunk: Sendable, Hashable {
  var messageStartTime: UInt64
  var messageEndTime: UInt64
  var uncompressedSize: UInt64
  var checksum: UInt32
  var compression: String
  var records: ArraySlice<UInt8>

  /// The records, decompressed and checked.
  ///
  /// - Throws: `.limitExceeded`; `.unsupported` for its compression; `.malformed` for sizes or a
  ///   checksum that do not fit.
  func plainRecords(_ limits: ReadingLimits) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let size = Int(clamping: uncompressedSize)
    try limits.require(
      size, atMost: limits.fileBytes, "bytes of a chunk", path: ["chunk"],
      offset: records.startIndex)
    let plain = try MCAPCompression.decompressed(records, named: compression, exactly: size)
    let found = checksum == 0 ? 0 : CRC32(of: plain).value
    guard found == checksum else {
      throw CaptureReadingError(
        .malformed, path: ["chunk"], offset: records.startIndex,
        expected: "records with the checksum \(String(checksum, radix: 16))",
        found: String(found, radix: 16))
    }
    return plain
  }
}
