import PlumblineIO

/// The current chunk: records that will be compressed, checksummed and written together.
///
/// Space for the chunk's own fields is reserved before the records, so that an uncompressed chunk
/// is written without a copy.
package struct MCAPChunkBuilder {
  /// A message of the chunk: its log time, and its offset from the start of the records.
  package struct Entry: Sendable, Hashable {
    package var logTime: UInt64
    package var offset: UInt64
  }

  package private(set) var entries: [UInt16: [Entry]] = [:]
  package private(set) var messageCount = 0
  private(set) var startTime = UInt64.max
  private(set) var endTime = UInt64.min
  private(set) var firstTime: UInt64?
  private var records = MCAPRecordBuilder()
  private let compression: MCAPWritingOptions.Compression
  private let headBytes: Int
  private var channels: Set<UInt16> = []
  private var schemas: Set<UInt16> = []
  private var packed: [UInt8]?
  private var recordsEnd = 0

  package init(compression: MCAPWritingOptions.Compression) {
    self.compression = compression
    headBytes =
      MCAPLayout.recordPrefixBytes + MCAPLayout.chunkFieldBytes + compression.rawValue.utf8.count
    clear()
  }

  /// The size of the records so far, in bytes.
  package var byteCount: Int { records.bytes.count - headBytes }

  /// Removes all records but keeps the memory.
  package mutating func clear() {
    records.bytes.removeAll(keepingCapacity: true)
    records.bytes += repeatElement(0, count: headBytes)
    entries = [:]
    channels = []
    schemas = []
    packed = nil
    messageCount = 0
    (startTime, endTime, firstTime) = (.max, .min, nil)
  }

  /// Adds a schema unless the chunk contains it.
  package mutating func define(_ schema: MCAPSchema) {
    if schemas.insert(schema.id).inserted { records.append(schema) }
  }

  /// Adds a channel unless the chunk contains it.
  package mutating func define(_ channel: MCAPChannel) {
    if channels.insert(channel.id).inserted { records.append(channel) }
  }

  package mutating func append(_ message: MCAPMessage) {
    entries[message.channelID, default: []].append(
      Entry(logTime: message.logTime, offset: UInt64(byteCount)))
    records.append(message)
    messageCount += 1
    startTime = min(startTime, message.logTime)
    endTime = max(endTime, message.logTime)
    firstTime = firstTime ?? message.logTime
  }

  /// The chunk record and its message index; valid between ``seal(at:_:)`` and ``unseal()`` or
  /// ``clear()``.
  var sealedBytes: ArraySlice<UInt8> { (packed ?? records.bytes)[...] }

  /// Completes the chunk for a position `offset` in the file.
  mutating func seal(at offset: Int, _ options: MCAPWritingOptions) -> MCAPChunkIndex {
    let plainCount = byteCount
    recordsEnd = records.bytes.count
    let checksum = options.hasChunkChecksum ? CRC32(of: records.bytes[headBytes...]).value : 0
    // Swapped, so that an uncompressed chunk is completed in place. No slice of the records is kept: with
    // one, completing them would copy them.
    var chunk = MCAPRecordBuilder(padding: options.padding)
    if compression == .none {
      swap(&chunk.bytes, &records.bytes)
    } else {
      chunk.bytes = Array(repeating: 0, count: headBytes)
      chunk.bytes += MCAPCompression.compressed(records.bytes[headBytes...], by: compression)
    }
    let length = chunk.bytes.count
    var index = MCAPChunkIndex(
      messageStartTime: messageCount > 0 ? startTime : 0, messageEndTime: endTime,
      range: offset..<(offset + length), messageIndexOffsets: [:], messageIndexLength: 0,
      compression: compression.rawValue, compressedSize: UInt64(length - headBytes),
      uncompressedSize: UInt64(plainCount))
    fillIn(&chunk.bytes, index, checksum: checksum)
    if options.hasMessageIndex {
      for (channel, entries) in entries.sorted(by: { $0.key < $1.key }) {
        index.messageIndexOffsets[channel] = UInt64(offset + chunk.bytes.count)
        chunk.append(channel: channel, entries: entries)
      }
      index.messageIndexLength = UInt64(chunk.bytes.count - length)
    }
    if compression == .none { swap(&chunk.bytes, &records.bytes) } else { packed = chunk.bytes }
    return index
  }

  /// Undoes the completion, if the chunk could not be written.
  mutating func unseal() {
    packed = nil
    records.bytes.removeSubrange(recordsEnd...)
  }

  private func fillIn(_ chunk: inout [UInt8], _ index: MCAPChunkIndex, checksum: UInt32) {
    var head = MCAPRecordBuilder()
    head.bytes.append(MCAPOpcode.chunk.rawValue)
    head.append(UInt64(index.range.count - MCAPLayout.recordPrefixBytes))
    head.append(index.messageStartTime)
    head.append(index.messageEndTime)
    head.append(index.uncompressedSize)
    head.append(checksum)
    head.append(index.compression)
    head.append(index.compressedSize)
    chunk.replaceSubrange(0..<headBytes, with: head.bytes)
  }
}
