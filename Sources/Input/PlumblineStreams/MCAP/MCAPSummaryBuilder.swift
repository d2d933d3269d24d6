import PlumblineIO

/// Collects the data for the end of the file.
struct MCAPSummaryBuilder {
  var schemas: [UInt16: MCAPSchema] = [:]
  var channels: [UInt16: MCAPChannel] = [:]
  var chunks: [MCAPChunkIndex] = []
  var attachments: [MCAPAttachmentIndex] = []
  var metadata: [(name: String, range: Range<Int>)] = []
  private var startTime = UInt64.max
  private var endTime = UInt64.min
  private var messageCounts: [UInt16: UInt64] = [:]

  mutating func count(_ message: MCAPMessage) {
    messageCounts[message.channelID, default: 0] += 1
    startTime = min(startTime, message.logTime)
    endTime = max(endTime, message.logTime)
  }

  mutating func count(_ logTimes: [UInt64], channel: UInt16) {
    messageCounts[channel, default: 0] += UInt64(logTimes.count)
    startTime = min(startTime, logTimes.min() ?? .max)
    endTime = max(endTime, logTimes.max() ?? .min)
  }

  var statistics: MCAPStatistics {
    var statistics = MCAPStatistics()
    statistics.messageCount = messageCounts.values.reduce(0, +)
    statistics.schemaCount = UInt16(schemas.count)
    statistics.channelCount = UInt32(channels.count)
    statistics.attachmentCount = UInt32(attachments.count)
    statistics.metadataCount = UInt32(metadata.count)
    statistics.chunkCount = UInt32(chunks.count)
    statistics.messageStartTime = messageCounts.isEmpty ? 0 : startTime
    statistics.messageEndTime = endTime
    statistics.channelMessageCounts = messageCounts
    return statistics
  }

  /// The bytes after the data section, for a position `offset` in the file.
  ///
  /// The order of the groups is one that readers in every language accept: definitions come first,
  /// since indexes refer to them.
  func end(at offset: Int, _ dataChecksum: CRC32, _ options: MCAPWritingOptions) -> [UInt8] {
    var records = MCAPRecordBuilder(padding: options.padding)
    records.append(.dataEnd, isPadded: false) { record in record.append(dataChecksum.value) }
    let summaryStart = records.bytes.count
    var groups: [(opcode: MCAPOpcode, range: Range<Int>)] = []
    func group(
      _ opcode: MCAPOpcode, _ isWanted: Bool = true, _ body: (inout MCAPRecordBuilder) -> Void
    ) {
      guard isWanted else { return }
      let start = records.bytes.count
      body(&records)
      if records.bytes.count > start {
        groups.append((opcode, (offset + start)..<(offset + records.bytes.count)))
      }
    }
    group(.schema, options.repeatsSchemas) { records in
      for (_, schema) in schemas.sorted(by: { $0.key < $1.key }) { records.append(schema) }
    }
    group(.channel, options.repeatsChannels) { records in
      for (_, channel) in channels.sorted(by: { $0.key < $1.key }) { records.append(channel) }
    }
    group(.statistics, options.hasStatistics) { $0.append(statistics) }
    group(.metadataIndex, options.hasMetadataIndex) { records in
      for (name, range) in metadata { records.append(metadata: name, at: range) }
    }
    group(.attachmentIndex, options.hasAttachmentIndex) { records in
      for index in attachments { records.append(index) }
    }
    group(.chunkIndex, options.hasChunkIndex) { records in
      for index in chunks { records.append(index) }
    }
    let hasSummary = !groups.isEmpty
    let offsetStart = records.bytes.count
    if options.hasSummaryOffsets {
      for (opcode, range) in groups { records.append(group: opcode, at: range) }
    }
    let hasOffsets = records.bytes.count > offsetStart
    records.bytes.append(MCAPOpcode.footer.rawValue)
    records.append(UInt64(MCAPLayout.footerBytes))
    records.append(UInt64(hasSummary ? offset + summaryStart : 0))
    records.append(UInt64(hasOffsets ? offset + offsetStart : 0))
    records.append(CRC32(of: records.bytes[summaryStart...]).value)
    records.bytes += MCAPLayout.magic
    return records.bytes
  }
}

/// The records of the summary.
extension MCAPRecordBuilder {
  mutating func append(_ index: MCAPChunkIndex) {
    append(.chunkIndex) { record in
      record.append(index.messageStartTime)
      record.append(index.messageEndTime)
      record.append(UInt64(index.range.lowerBound))
      record.append(UInt64(index.range.count))
      record.append(index.messageIndexOffsets)
      record.append(index.messageIndexLength)
      record.append(index.compression)
      record.append(index.compressedSize)
      record.append(index.uncompressedSize)
    }
  }

  mutating func append(_ index: MCAPAttachmentIndex) {
    append(.attachmentIndex) { record in
      record.append(UInt64(index.range.lowerBound))
      record.append(UInt64(index.range.count))
      record.append(index.logTime)
      record.append(index.createTime)
      record.append(index.dataSize)
      record.append(index.name)
      record.append(index.mediaType)
    }
  }

  mutating func append(metadata name: String, at range: Range<Int>) {
    append(.metadataIndex) { record in
      record.append(UInt64(range.lowerBound))
      record.append(UInt64(range.count))
      record.append(name)
    }
  }

  mutating func append(_ statistics: MCAPStatistics) {
    append(.statistics) { record in
      record.append(statistics.messageCount)
      record.append(statistics.schemaCount)
      record.append(statistics.channelCount)
      record.append(statistics.attachmentCount)
      record.append(statistics.metadataCount)
      record.append(statistics.chunkCount)
      record.append(statistics.messageStartTime)
      record.append(statistics.messageEndTime)
      record.append(statistics.channelMessageCounts)
    }
  }

  mutating func append(group opcode: MCAPOpcode, at range: Range<Int>) {
    append(.summaryOffset) { record in
      record.append(opcode.rawValue)
      record.append(UInt64(range.lowerBound))
      record.append(UInt64(range.count))
    }
  }
}
