import PlumblineIO
import PlumblineImages

/// One record with its fields, checked against its length.
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
  /// A record of a later version or of an application.
  case other(UInt8)

  /// Reads the fields of a record.
  ///
  /// - Parameters:
  ///   - opcode: The kind of record.
  ///   - body: The bytes without opcode and length; indices are offsets in the file.
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

  /// Reads the record at a cursor, including its opcode and length.
  ///
  /// - Throws: `.malformed`, for example for a length beyond the end.
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

  /// The decompressed and checked records.
  ///
  /// - Throws: `.limitExceeded`; `.unsupported` for an unknown compression; `.malformed` for a
  ///   wrong size or checksum.
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

/// The definition of a message type, such as a ROS message definition.
package struct MCAPSchema: Sendable, Hashable {
  /// The identifier, unique in the file and not 0.
  package var id: UInt16
  /// The name, such as `sensor_msgs/msg/Image`.
  package var name: String
  /// The language of `data`, such as `ros2msg`; empty if there is none.
  package var encoding: String
  /// The definition in that language.
  package var data: [UInt8]

  /// Creates a schema from its parts.
  package init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    self.id = id
    self.name = name
    self.encoding = encoding
    self.data = data
  }
}

/// A stream of messages of one topic and one encoding.
package struct MCAPChannel: Sendable, Hashable {
  /// The identifier, unique in the file.
  package var id: UInt16
  /// The identifier of the messages' schema; 0 for none.
  package var schemaID: UInt16
  /// The topic, such as `/camera/depth/image`.
  package var topic: String
  /// The encoding of the messages, such as `cdr`.
  package var messageEncoding: String
  /// The recorder's information about the channel.
  package var metadata: [String: String]

  /// Creates a channel from its parts.
  package init(
    id: UInt16, schemaID: UInt16, topic: String, messageEncoding: String,
    metadata: [String: String] = [:]
  ) {
    self.id = id
    self.schemaID = schemaID
    self.topic = topic
    self.messageEncoding = messageEncoding
    self.metadata = metadata
  }
}

/// One message with its times.
package struct MCAPMessage: Sendable, Hashable {
  /// The identifier of its channel.
  package var channelID: UInt16
  /// A counter of the publisher, or 0.
  package var sequence: UInt32
  /// The time of recording, in nanoseconds of a clock that the recorder chose.
  package var logTime: UInt64
  /// The time of publishing, in nanoseconds of the same clock.
  package var publishTime: UInt64
  /// The payload, in the channel's encoding.
  ///
  /// For a message that was read, it is a slice of its chunk with an arbitrary start index; keeping
  /// it keeps the chunk in memory.
  package var data: ArraySlice<UInt8>

  /// Creates a message from its parts.
  package init(
    channelID: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64,
    data: ArraySlice<UInt8>
  ) {
    self.channelID = channelID
    self.sequence = sequence
    self.logTime = logTime
    self.publishTime = publishTime
    self.data = data
  }
}

/// Named key-value pairs, such as the settings of a recorder.
package struct MCAPMetadata: Sendable, Hashable {
  /// The name of the record.
  package var name: String
  /// The key-value pairs.
  package var values: [String: String]

  /// Creates metadata from its parts.
  package init(name: String, values: [String: String]) {
    self.name = name
    self.values = values
  }
}

/// An embedded file, such as a calibration.
package struct MCAPAttachment: Sendable, Hashable {
  /// Its name, such as `calibration.json`; it must not be used as a path without a check.
  package var name: String
  /// The media type, such as `application/json`.
  package var mediaType: String
  /// The time of recording, in nanoseconds.
  package var logTime: UInt64
  /// The time of creation, in nanoseconds; 0 if unknown.
  package var createTime: UInt64
  /// Its bytes.
  package var data: [UInt8]

  /// Creates an attachment from its parts.
  package init(
    name: String, mediaType: String, logTime: UInt64, createTime: UInt64 = 0, data: [UInt8]
  ) {
    self.name = name
    self.mediaType = mediaType
    self.logTime = logTime
    self.createTime = createTime
    self.data = data
  }
}
