@testable import PlumblineStreams
extension MCAPConformanceCase.Fields {
  /// What our reader should give for the record.
  var record: MCAPRecord {
    switch type {
    case "Header": .header(profile: text("profile"), library: text("library"))
    case "Footer":
      .footer(
        summaryStart: number("summary_start"), summaryOffsetStart: number("summary_offset_start"),
        summaryChecksum: number("summary_crc"))
    case "Schema":
      .schema(
        MCAPSchema(
          id: number("id"), name: text("name"), encoding: text("encoding"), data: bytes("data")))
    case "Channel":
      .channel(
        MCAPChannel(
          id: number("id"), schemaID: number("schema_id"), topic: text("topic"),
          messageEncoding: text("message_encoding"), metadata: texts("metadata")))
    case "Message": .message(message)
    case "Attachment": .attachment(attachment)
    case "Metadata": .metadata(MCAPMetadata(name: text("name"), values: texts("metadata")))
    case "DataEnd": .dataEnd(checksum: number("data_section_crc"))
    case "Statistics": .statistics(statistics)
    case "MetadataIndex": .metadataIndex(name: text("name"), range: range("offset", "length"))
    case "SummaryOffset":
      .summaryOffset(
        opcode: number("group_opcode"), start: number("group_start"),
        length: number("group_length"))
    case "AttachmentIndex":
      .attachmentIndex(
        MCAPAttachmentIndex(
          range: range("offset", "length"), logTime: number("log_time"),
          createTime: number("create_time"), dataSize: number("data_size"), name: text("name"),
          mediaType: text("media_type")))
    case "ChunkIndex":
      .chunkIndex(
        MCAPChunkIndex(
          messageStartTime: number("message_start_time"),
          messageEndTime: number("message_end_time"),
          range: range("chunk_start_offset", "chunk_length"),
          messageIndexOffsets: numbers("message_index_offsets"),
          messageIndexLength: number("message_index_length"), compression: text("compression"),
          compressedSize: number("compressed_size"),
          uncompressedSize: number("uncompressed_size")))
    default: .other(0)
    }
  }

  private var statistics: MCAPStatistics {
    var statistics = MCAPStatistics()
    statistics.messageCount = number("message_count")
    statistics.schemaCount = number("schema_count")
    statistics.channelCount = number("channel_count")
    statistics.attachmentCount = number("attachment_count")
    statistics.metadataCount = number("metadata_count")
    statistics.chunkCount = number("chunk_count")
    statistics.messageStartTime = number("message_start_time")
    statistics.messageEndTime = number("message_end_time")
    statistics.channelMessageCounts = numbers("channel_message_counts")
    return statistics
  }

  private func numbers(_ name: String) -> [UInt16: UInt64] {
    texts(name).reduce(into: [:]) { map, pair in map[UInt16(pair.key) ?? 0] = UInt64(pair.value) }
  }

  private func range(_ start: String, _ length: String) -> Range<Int> {
    let first: Int = number(start)
    return first..<(first + number(length))
  }
}
