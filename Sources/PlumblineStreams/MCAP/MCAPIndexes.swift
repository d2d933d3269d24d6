/// Counts of a file, as its writer states them.
public struct MCAPStatistics: Sendable, Hashable {
  /// Messages.
  public var messageCount: UInt64 = 0
  /// Schemas.
  public var schemaCount: UInt16 = 0
  /// Channels.
  public var channelCount: UInt32 = 0
  /// Attachments.
  public var attachmentCount: UInt32 = 0
  /// Metadata records.
  public var metadataCount: UInt32 = 0
  /// Chunks.
  public var chunkCount: UInt32 = 0
  /// The earliest log time in nanoseconds; 0 without messages.
  public var messageStartTime: UInt64 = 0
  /// The latest log time in nanoseconds; 0 without messages.
  public var messageEndTime: UInt64 = 0
  /// Messages of each channel; empty where the writer did not count them.
  public var channelMessageCounts: [UInt16: UInt64] = [:]

  /// No messages.
  public init() {}
}

/// Where a chunk lies and what it spans.
public struct MCAPChunkIndex: Sendable, Hashable {
  /// The earliest log time in nanoseconds; 0 without messages.
  public var messageStartTime: UInt64
  /// The latest log time in nanoseconds; 0 without messages.
  public var messageEndTime: UInt64
  /// The bytes of its record in the file.
  public var range: Range<Int>
  /// Where the index of each channel's messages begins; empty where there is none.
  public var messageIndexOffsets: [UInt16: UInt64]
  /// The bytes of those indexes.
  public var messageIndexLength: UInt64
  /// The name of its compression; empty for none.
  public var compression: String
  /// The bytes of its records as stored.
  public var compressedSize: UInt64
  /// The bytes of its records.
  public var uncompressedSize: UInt64
}

/// Where an attachment lies and what it is.
public struct MCAPAttachmentIndex: Sendable, Hashable {
  /// The bytes of its record in the file.
  public var range: Range<Int>
  /// When it was recorded, in nanoseconds.
  public var logTime: UInt64
  /// When it was made, in nanoseconds; 0 for unknown.
  public var createTime: UInt64
  /// The number of its bytes.
  public var dataSize: UInt64
  /// Its name, as the writer gave it.
  public var name: String
  /// Such as `application/json`.
  public var mediaType: String
}

/// The position of a message in a file.
public struct MCAPMessagePlace: Sendable, Hashable {
  /// When it was recorded, in nanoseconds.
  public var logTime: UInt64
  /// The chunk's position in ``MCAPFile/chunks``; `nil` for a message outside of chunks.
  public var chunk: Int? { chunkNumber < 0 ? nil : Int(chunkNumber) }
  /// The channel that it belongs to.
  public var channelID: UInt16
  let chunkNumber: Int32
  /// Of its record: from the start of the chunk's uncompressed records, else of the file.
  package let offset: Int
}

/// Bytes of a file that cannot be used, and what went with them.
public struct MCAPGap: Sendable, Hashable {
  /// The bytes in the file.
  public var range: Range<Int>
  /// The fault in words.
  public var detail: String
  /// The number of lost messages, where an index states it.
  public var messages: Int?
  /// The log times in nanoseconds that the lost chunk spans, as its own header or the index says.
  public var logTimes: ClosedRange<UInt64>?
}
