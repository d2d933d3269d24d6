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
