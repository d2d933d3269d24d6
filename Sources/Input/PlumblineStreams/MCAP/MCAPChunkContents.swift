package import PlumblineIO
import Synchronization

/// The contents of a chunk, found by parsing its records.
struct MCAPChunkContents {
  /// The messages of each channel, in the order of the chunk.
  private(set) var entries: [UInt16: [MCAPChunkBuilder.Entry]] = [:]
  private(set) var messageCount = 0
  /// The log times of its messages.
  private(set) var startTime = UInt64.max
  private(set) var endTime = UInt64.min

  /// Parses the records.
  ///
  /// - Parameters:
  ///   - records: The decompressed records; offsets are relative to their start.
  ///   - definitions: The schemas and channels declared so far; those of the chunk are added,
  ///     unless this throws.
  ///   - limit: The maximum number of messages.
  /// - Throws: `.malformed` if the records do not fill the chunk or a message has an undeclared
  ///   channel; `.limitExceeded`.
  init(
    _ records: ArraySlice<UInt8>, definitions: inout MCAPDefinitions, limit: Int
  ) throws(CaptureReadingError) {
    var known = definitions
    var cursor = ByteReader(records, endianness: .little, path: ["chunk"])
    while !cursor.isAtEnd {
      let offset = cursor.offset - records.startIndex
      switch try MCAPRecord.next(&cursor) {
      case .schema(let schema): try known.add(schema, at: offset)
      case .channel(let channel): try known.add(channel, at: offset)
      case .message(let message):
        guard known.channels[message.channelID] != nil else {
          throw cursor.malformed(
            expected: "messages of declared channels",
            found: "one of channel \(message.channelID), which nothing declares")
        }
        messageCount += 1
        guard messageCount <= limit else {
          throw CaptureReadingError(
            .limitExceeded, path: ["chunk"], offset: cursor.offset,
            expected: "fewer messages", found: "over \(limit) more")
        }
        entries[message.channelID, default: []].append(
          MCAPChunkBuilder.Entry(logTime: message.logTime, offset: UInt64(offset)))
        startTime = min(startTime, message.logTime)
        endTime = max(endTime, message.logTime)
      case .other: continue
      default:
        throw cursor.malformed(
          expected: "schemas, channels and messages in a chunk", found: "another record")
      }
    }
    definitions = known
  }
}

/// The schemas and channels that a file declares.
struct MCAPDefinitions: Sendable {
  private(set) var schemas: [UInt16: MCAPSchema] = [:]
  private(set) var channels: [UInt16: MCAPChannel] = [:]

  /// Whether the schema of every channel is known.
  var isComplete: Bool {
    channels.values.allSatisfy { $0.schemaID == 0 || schemas[$0.schemaID] != nil }
  }

  /// Adds a schema; a schema with number 0 is ignored, as the specification requires.
  ///
  /// - Throws: `.malformed` if another schema has the same number.
  mutating func add(_ schema: MCAPSchema, at offset: Int) throws(CaptureReadingError) {
    guard schema.id != 0 else { return }
    guard schemas[schema.id, default: schema] == schema else {
      throw CaptureReadingError(
        .malformed, path: ["schema"], offset: offset,
        expected: "one meaning of schema \(schema.id)", found: "two")
    }
    schemas[schema.id] = schema
  }

  /// Adds a channel.
  ///
  /// `needsSchema` states whether its schema must already be declared, as in the data section; a
  /// summary may repeat only channels.
  ///
  /// - Throws: `.malformed` if another channel has the same number, or if its schema is not
  ///   declared.
  mutating func add(
    _ channel: MCAPChannel, at offset: Int, needsSchema: Bool = true
  ) throws(CaptureReadingError) {
    guard channels[channel.id, default: channel] == channel else {
      throw CaptureReadingError(
        .malformed, path: ["channel"], offset: offset,
        expected: "one meaning of channel \(channel.id)", found: "two")
    }
    guard !needsSchema || channel.schemaID == 0 || schemas[channel.schemaID] != nil else {
      throw CaptureReadingError(
        .malformed, path: ["channel"], offset: offset, expected: "a schema that is declared",
        found: "schema \(channel.schemaID) of channel \(channel.id)")
    }
    channels[channel.id] = channel
  }
}

/// A cache of the chunks that were read last, shared by all threads.
package final class MCAPChunkCache: Sendable {
  private struct Entry {
    let chunk: Int
    let records: ArraySlice<UInt8>
  }

  /// The most recently used entry is at the end.
  private let entries = Mutex<[Entry]>([])
  private let limitBytes: Int

  /// An empty cache.
  ///
  /// - Parameter limitBytes: The maximum total size of the chunks; the last one is always kept.
  package init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// The records of a chunk, read from the file if they are not cached.
  ///
  /// Reading blocks no other thread; two threads that miss the same chunk both read it.
  package func records(
    of chunk: Int, read: () throws(CaptureReadingError) -> ArraySlice<UInt8>
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let kept = entries.withLock { entries -> ArraySlice<UInt8>? in
      guard let index = entries.lastIndex(where: { $0.chunk == chunk }) else { return nil }
      if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
      return entries[entries.count - 1].records
    }
    if let kept { return kept }
    let records = try read()
    entries.withLock { entries in
      entries.append(Entry(chunk: chunk, records: records))
      var bytes = entries.reduce(0) { $0 + $1.records.count }
      while bytes > limitBytes, entries.count > 1 { bytes -= entries.removeFirst().records.count }
    }
    return records
  }
}
