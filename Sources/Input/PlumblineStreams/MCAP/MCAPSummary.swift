import PlumblineIO
import PlumblineImages

/// The index at the end of a file, as far as it is valid.
struct MCAPSummary {
  private(set) var definitions = MCAPDefinitions()
  private(set) var statistics: MCAPStatistics?
  private(set) var chunks: [MCAPChunkIndex] = []
  private(set) var attachments: [MCAPAttachmentIndex] = []
  private(set) var metadata: [(name: String, range: Range<Int>)] = []
  /// The start of the summary, before which all indexed records must end.
  let start: Int

  /// Reads the index.
  ///
  /// - Returns: `nil` for a file whose footer states that it has no index.
  /// - Throws: `.malformed` for a file without an end or with a damaged index, `.limitExceeded`.
  init?(
    of source: any ByteSource, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let tailBytes =
      MCAPLayout.recordPrefixBytes + MCAPLayout.footerBytes + MCAPLayout.magic.count
    let footerStart = source.byteCount - tailBytes
    guard footerStart >= MCAPLayout.magic.count else { throw Self.endless(source.byteCount) }
    let tail = try source.bytes(in: footerStart..<source.byteCount)
    guard tail[0] == MCAPOpcode.footer.rawValue, tail.suffix(8) == MCAPLayout.magic[...] else {
      throw Self.endless(source.byteCount)
    }
    var cursor = ByteReader(tail.dropLast(8), endianness: .little)
    guard case .footer(let first, _, let checksum) = try MCAPRecord.next(&cursor) else {
      throw Self.endless(source.byteCount)
    }
    if first == 0 { return nil }
    guard let start = Int(exactly: first), start >= MCAPLayout.magic.count, start <= footerStart
    else {
      throw CaptureReadingError(
        .malformed, path: ["footer"], offset: footerStart,
        expected: "a summary within the file", found: "one at \(first)")
    }
    try limits.require(
      footerStart - start, atMost: limits.mcapSummaryBytes, "bytes of summary", path: ["footer"],
      offset: start)
    self.start = start
    let bytes = try source.bytes(in: start..<footerStart)
    // The checksum covers the footer up to the checksum field.
    let covered = tail.dropLast(8 + 4)
    var sum = CRC32(of: bytes[...])
    sum.update(covered)
    guard checksum == 0 || sum.value == checksum else {
      throw CaptureReadingError(
        .malformed, path: ["summary"], offset: start,
        expected: "the checksum \(String(checksum, radix: 16))",
        found: String(sum.value, radix: 16))
    }
    try read(ByteReader(bytes[...], endianness: .little, path: ["summary"]))
  }

  private mutating func read(_ bytes: ByteReader) throws(CaptureReadingError) {
    var cursor = bytes
    while !cursor.isAtEnd {
      let offset = start + cursor.offset
      switch try MCAPRecord.next(&cursor) {
      case .schema(let schema): try definitions.add(schema, at: offset)
      case .channel(let channel):
        try definitions.add(channel, at: offset, needsSchema: false)
      case .statistics(let counts): statistics = counts
      case .chunkIndex(let index):
        try require(index.range, at: offset)
        let (end, overflow) = UInt64(index.range.upperBound).addingReportingOverflow(
          index.messageIndexLength)
        guard !overflow, end <= UInt64(start) else {
          throw cursor.malformed(
            expected: "a message index before the summary", found: "one that ends after it")
        }
        chunks.append(index)
      case .attachmentIndex(let index):
        try require(index.range, at: offset)
        attachments.append(index)
      case .metadataIndex(let name, let range):
        try require(range, at: offset)
        metadata.append((name, range))
      default: continue
      }
    }
    chunks.sort { $0.range.lowerBound < $1.range.lowerBound }
    for (one, next) in zip(chunks, chunks.dropFirst()) {
      // The message index follows its chunk; its end was checked against the end of the file above.
      let end = one.range.upperBound + Int(clamping: one.messageIndexLength)
      guard end <= next.range.lowerBound else {
        throw CaptureReadingError(
          .malformed, path: ["summary"], offset: start, expected: "chunks that do not overlap",
          found: "two at \(one.range.lowerBound) and \(next.range.lowerBound)")
      }
    }
  }

  /// Schemas and channels for a file that must be scanned; empty if schemas are missing.
  var usableDefinitions: MCAPDefinitions {
    definitions.isComplete ? definitions : MCAPDefinitions()
  }

  /// Whether the index lists every message, attachment and metadata record of the file.
  var isComplete: Bool {
    guard definitions.isComplete, chunks.allSatisfy({ $0.messageIndexLength > 0 }) else {
      return false
    }
    guard let statistics else { return !chunks.isEmpty && !definitions.channels.isEmpty }
    return (statistics.messageCount == 0 || !chunks.isEmpty)
      && statistics.chunkCount == chunks.count
      && statistics.attachmentCount == attachments.count
      && statistics.metadataCount == metadata.count
      && statistics.channelCount == definitions.channels.count
  }

  private func require(_ range: Range<Int>, at offset: Int) throws(CaptureReadingError) {
    guard range.count > MCAPLayout.recordPrefixBytes, range.upperBound <= start,
      range.lowerBound >= MCAPLayout.magic.count
    else {
      throw CaptureReadingError(
        .malformed, path: ["summary"], offset: offset,
        expected: "a record before the summary at \(start)",
        found: "\(range.lowerBound) to \(range.upperBound)")
    }
  }

  private static func endless(_ byteCount: Int) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["footer"], offset: byteCount,
      expected: "a footer and the magic bytes at the end", found: "a file that was cut")
  }
}

/// The counts of a file's contents, as stated by its writer.
package struct MCAPStatistics: Sendable, Hashable {
  /// The number of messages.
  package var messageCount: UInt64 = 0
  /// The number of schemas.
  package var schemaCount: UInt16 = 0
  /// The number of channels.
  package var channelCount: UInt32 = 0
  /// The number of attachments.
  package var attachmentCount: UInt32 = 0
  /// The number of metadata records.
  package var metadataCount: UInt32 = 0
  /// The number of chunks.
  package var chunkCount: UInt32 = 0
  /// The earliest log time in nanoseconds; 0 without messages.
  package var messageStartTime: UInt64 = 0
  /// The latest log time in nanoseconds; 0 without messages.
  package var messageEndTime: UInt64 = 0
  /// The number of messages of each channel; empty if the writer did not count them.
  package var channelMessageCounts: [UInt16: UInt64] = [:]

  /// Creates statistics without messages.
  package init() {}
}

/// The position and time range of a chunk.
package struct MCAPChunkIndex: Sendable, Hashable {
  /// The earliest log time in nanoseconds; 0 without messages.
  package var messageStartTime: UInt64
  /// The latest log time in nanoseconds; 0 without messages.
  package var messageEndTime: UInt64
  /// The range of its record in the file.
  package var range: Range<Int>
  /// The offset of the message index of each channel; empty if there is none.
  package var messageIndexOffsets: [UInt16: UInt64]
  /// The size of these indexes in bytes.
  package var messageIndexLength: UInt64
  /// The name of its compression; empty for none.
  package var compression: String
  /// The size of its records as stored, in bytes.
  package var compressedSize: UInt64
  /// The size of its decompressed records, in bytes.
  package var uncompressedSize: UInt64
}

/// The position and description of an attachment.
package struct MCAPAttachmentIndex: Sendable, Hashable {
  /// The range of its record in the file.
  package var range: Range<Int>
  /// The time of recording, in nanoseconds.
  package var logTime: UInt64
  /// The time of creation, in nanoseconds; 0 if unknown.
  package var createTime: UInt64
  /// The size of the attachment in bytes.
  package var dataSize: UInt64
  /// Its name, as given by the writer.
  package var name: String
  /// The media type, such as `application/json`.
  package var mediaType: String
}

/// The position of a message in a file.
package struct MCAPMessagePlace: Sendable, Hashable {
  /// The time of recording, in nanoseconds.
  package var logTime: UInt64
  /// The chunk's position in ``MCAPFile/chunks``; `nil` for a message outside of chunks.
  package var chunk: Int? { chunkNumber < 0 ? nil : Int(chunkNumber) }
  /// The identifier of its channel.
  package var channelID: UInt16
  let chunkNumber: Int32
  /// The offset of its record: from the start of the chunk's uncompressed records, or of the file.
  package let offset: Int
}

/// A range of a file that cannot be used, and what was lost with it.
public struct MCAPGap: Sendable, Hashable {
  /// The range in the file.
  public var range: Range<Int>
  /// The damage in words.
  public var detail: String
  /// The number of lost messages, if an index states it.
  public var messages: Int?
  /// The range of log times of the lost chunk in nanoseconds, from its own header or the index.
  public var logTimes: ClosedRange<UInt64>?
}
