extension Mutation {
  /// A recording with one record changed, whose lengths, checksums and index are right but for at
  /// most one field of the index that is wrong on purpose; `nil` where the bytes are no MCAP.
  ///
  /// Chunks come out without compression; compressed ones stay as they are.
  public mutating func mcap(_ bytes: [UInt8]) -> [UInt8]? {
    guard var parts = MCAPParts(bytes) else { return nil }
    let inside = parts.records.indices.filter { parts.records[$0].inner != nil }
    if let chunk = index(of: inside), !once(in: 3) {
      var inner = parts.records[inside[chunk]].inner ?? []
      changeRecord(of: &inner)
      parts.records[inside[chunk]].inner = inner
    } else {
      changeRecord(of: &parts.records)
    }
    let ending = MCAPParts.Ending.allCases[below(MCAPParts.Ending.allCases.count)]
    var output = parts.bytes(ending: ending, checksums: !once(in: 4))
    if ending == .summary, once(in: 4) { changeSummary(of: &output) }
    return output
  }

  private mutating func changeRecord(of records: inout [MCAPParts.Record]) {
    guard let index = index(of: records) else { return }
    switch below(6) {
    case 0: changeOrder(of: &records)
    case 1:
      records[index].opcode = UInt8(truncatingIfNeeded: once(in: 4) ? next() : UInt64(below(17)))
    case 2, 3: records[index].content = withAwkwardField(records[index].content, bigEndian: false)
    default: records[index].content = changedBlindly(records[index].content)
    }
  }

  /// Changes a field of the summary in place; its checksum then says 0, that there is none.
  private mutating func changeSummary(of output: inout [UInt8]) {
    let footer = output.count - 8 - 20
    guard let start = output.littleEndian(at: footer, width: 8), start < footer - 9 else { return }
    let changed = withAwkwardField(Array(output[start..<footer + 16]), bigEndian: false)
    output.replaceSubrange(start..<footer + 20, with: changed + [0, 0, 0, 0])
  }
}

/// What a recording is put together from.
///
/// - Source: mcap.dev/spec, "Records".
struct MCAPParts {
  struct Record {
    var opcode: UInt8
    /// The content; for a chunk that is taken apart nothing.
    var content: [UInt8]
    /// The records of a chunk without compression.
    var inner: [Record]?
  }

  /// What stands after the data.
  enum Ending: CaseIterable {
    case summary, footerAlone, cutOff
  }

  static let magic: [UInt8] = [0x89] + Array("MCAP0\r\n".utf8)

  var records: [Record] = []

  /// Takes a recording apart, up to the first record that is not whole; what the summary, the message
  /// indexes and the end of data say is left out, since it is made again.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    for record in Self.records(of: Array(bytes.dropFirst(8))) {
      if record.opcode == 0x0F { break }
      if record.opcode == 0x07 { continue }
      records.append(Self.opened(record))
    }
    guard !records.isEmpty else { return nil }
  }

  private static func records(of bytes: [UInt8]) -> [Record] {
    var records: [Record] = []
    var place = 0
    while records.count < 4096, let count = bytes.littleEndian(at: place + 1, width: 8),
      let content = bytes.run(at: place + 9, count: count)
    {
      records.append(Record(opcode: bytes[place], content: content))
      place += 9 + count
    }
    return records
  }

  /// A chunk whose records lie open, where it has no compression.
  private static func opened(_ record: Record) -> Record {
    guard record.opcode == 0x06, record.content.littleEndian(at: 28, width: 4) == 0,
      let count = record.content.littleEndian(at: 32, width: 8),
      let inside = record.content.run(at: 40, count: count)
    else { return record }
    return Record(opcode: 0x06, content: [], inner: records(of: inside))
  }

  /// The recording.
  func bytes(ending: Ending, checksums: Bool) -> [UInt8] {
    var output = Self.magic
    var index = Index()
    for record in records {
      guard let inner = record.inner else {
        index.note(record, at: nil)
        output += Self.bytes(of: record)
        continue
      }
      let start = output.count
      output += Self.chunk(inner, checksums: checksums, noting: &index)
      index.closeChunk(at: start, end: output.count)
      for indexRecord in index.messageIndexes { output += Self.bytes(of: indexRecord) }
      index.closeMessageIndexes()
    }
    if ending == .cutOff { return output }
    let dataChecksum = checksums ? crc32(output) : 0
    output += Self.bytes(of: Record(opcode: 0x0F, content: number(dataChecksum, 4)))
    let start = output.count
    var summary: [UInt8] = []
    if ending == .summary { for record in index.summary { summary += Self.bytes(of: record) } }
    let footer = [2] + number(20, 8) + number(summary.isEmpty ? 0 : UInt64(start), 8) + number(0, 8)
    let checksum = checksums && !summary.isEmpty ? crc32(summary + footer) : 0
    return output + summary + footer + number(checksum, 4) + Self.magic
  }

  private static func chunk(
    _ inner: [Record], checksums: Bool, noting index: inout Index
  ) -> [UInt8] {
    var inside: [UInt8] = []
    index.openChunk()
    for record in inner {
      index.note(record, at: inside.count)
      inside += bytes(of: record)
    }
    index.insideCount = inside.count
    let times = number(index.firstTime, 8) + number(index.lastTime, 8)
    let sizes = number(UInt64(inside.count), 8) + number(checksums ? crc32(inside) : 0, 4)
    let content = times + sizes + number(0, 4) + number(UInt64(inside.count), 8) + inside
    return bytes(of: Record(opcode: 0x06, content: content))
  }

  static func bytes(of record: Record) -> [UInt8] {
    [record.opcode] + number(UInt64(record.content.count), 8) + record.content
  }
}

private func number(_ value: UInt64, _ width: Int) -> [UInt8] {
  [UInt8](value, width: width, bigEndian: false)
}

extension MCAPParts {
  /// What the index of a recording says, gathered while it is written.
  struct Index {
    private var channels: [Record] = []
    private var chunks: [Record] = []
    private var messageCounts: [UInt64: UInt64] = [:]
    private var places: [UInt64: [(time: UInt64, place: Int)]] = [:]
    private(set) var firstTime: UInt64 = 0
    private(set) var lastTime: UInt64 = 0
    private var isFirst = true
    private var chunk = 0..<0
    private var indexPlaces: [(channel: UInt64, place: Int)] = []
    private(set) var messageIndexes: [Record] = []
    var insideCount = 0

    mutating func openChunk() {
      places = [:]
      (firstTime, lastTime, isFirst) = (0, 0, true)
    }

    /// Notes a schema or channel, or a message at its place in the chunk.
    mutating func note(_ record: Record, at place: Int?) {
      if record.opcode == 0x03 || record.opcode == 0x04 { channels.append(record) }
      guard record.opcode == 0x05, let start = record.content.run(at: 0, count: 14) else { return }
      let channel = Array(start[..<2]).number(bigEndian: false)
      let time = Array(start[6...]).number(bigEndian: false)
      messageCounts[channel, default: 0] += 1
      guard let place else { return }
      places[channel, default: []].append((time, place))
      firstTime = isFirst ? time : min(firstTime, time)
      lastTime = max(lastTime, time)
      isFirst = false
    }

    /// Makes the message indexes, which follow the chunk.
    mutating func closeChunk(at start: Int, end: Int) {
      chunk = start..<end
      var place = end
      messageIndexes = []
      indexPlaces = []
      for (channel, entries) in places.sorted(by: { $0.key < $1.key }) {
        let array = entries.flatMap { number($0.time, 8) + number(UInt64($0.place), 8) }
        let content = number(channel, 2) + number(UInt64(array.count), 4) + array
        messageIndexes.append(Record(opcode: 0x07, content: content))
        indexPlaces.append((channel, place))
        place += 9 + content.count
      }
    }

    /// Makes the chunk's entry, now that its message indexes stand.
    mutating func closeMessageIndexes() {
      let indexCount = messageIndexes.reduce(0) { $0 + 9 + $1.content.count }
      let map = indexPlaces.flatMap { number($0.channel, 2) + number(UInt64($0.place), 8) }
      var content = number(firstTime, 8) + number(lastTime, 8) + number(UInt64(chunk.lowerBound), 8)
      content += number(UInt64(chunk.count), 8) + number(UInt64(map.count), 4) + map
      content += number(UInt64(indexCount), 8) + number(0, 4)
      content += number(UInt64(insideCount), 8) + number(UInt64(insideCount), 8)
      chunks.append(Record(opcode: 0x08, content: content))
    }

    /// Schemas, channels, statistics and the chunks' entries.
    var summary: [Record] {
      let total = messageCounts.values.reduce(0, +)
      let counts = messageCounts.sorted { $0.key < $1.key }
        .flatMap { number($0.key, 2) + number($0.value, 8) }
      let schemas = channels.count { $0.opcode == 0x03 }
      var content = number(total, 8) + number(UInt64(schemas), 2)
      content += number(UInt64(channels.count - schemas), 4) + number(0, 8)
      content += number(UInt64(chunks.count), 4) + number(firstTime, 8) + number(lastTime, 8)
      content += number(UInt64(counts.count), 4) + counts
      return channels + [Record(opcode: 0x0B, content: content)] + chunks
    }
  }
}
