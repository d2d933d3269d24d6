import PlumblineIO

/// Builds records, little-endian.
struct MCAPRecordBuilder {
  /// The records so far.
  var bytes: [UInt8] = []
  /// Bytes to add after the fields of records that may be extended.
  var padding: [UInt8] = []

  /// Appends a record with the fields that `body` appends; its length is filled in afterwards.
  mutating func append(
    _ opcode: MCAPOpcode, isPadded: Bool = true, _ body: (inout MCAPRecordBuilder) -> Void
  ) {
    bytes.append(opcode.rawValue)
    let place = bytes.count
    append(UInt64(0))
    body(&self)
    if isPadded { bytes += padding }
    replace(at: place, by: UInt64(bytes.count - place - 8))
  }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    // A string of 4 GiB is impossible: `MCAPWriter` rejects it.
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a map with its keys in byte order, so that equal maps give equal bytes.
  mutating func append(_ map: [String: String]) {
    let pairs = map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    append(UInt32(pairs.reduce(0) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count }))
    for (key, value) in pairs {
      append(key)
      append(value)
    }
  }

  /// Appends a map from channel identifiers to numbers.
  mutating func append(_ map: [UInt16: UInt64]) {
    append(UInt32(map.count * 10))
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      append(key)
      append(value)
    }
  }

  mutating func replace<Number: FixedWidthInteger>(at place: Int, by number: Number) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (index, byte) in source.enumerated() { bytes[place + index] = byte }
    }
  }
}

extension MCAPRecordBuilder {
  mutating func append(_ schema: MCAPSchema) {
    append(.schema) { record in
      record.append(schema.id)
      record.append(schema.name)
      record.append(schema.encoding)
      record.append(UInt32(schema.data.count))
      record.bytes += schema.data
    }
  }

  mutating func append(_ channel: MCAPChannel) {
    append(.channel) { record in
      record.append(channel.id)
      record.append(channel.schemaID)
      record.append(channel.topic)
      record.append(channel.messageEncoding)
      record.append(channel.metadata)
    }
  }

  mutating func append(_ message: MCAPMessage) {
    let added =
      MCAPLayout.recordPrefixBytes + MCAPLayout.messageFieldBytes + message.data.count
    // A large message takes what it needs. An array that grows by itself would double, and the messages of
    // many small records must go on doing so.
    if added > bytes.count { bytes.reserveCapacity(bytes.count + added) }
    append(.message, isPadded: false) { record in
      record.append(message.channelID)
      record.append(message.sequence)
      record.append(message.logTime)
      record.append(message.publishTime)
      record.bytes += message.data
    }
  }

  mutating func append(_ metadata: MCAPMetadata) {
    append(.metadata) { record in
      record.append(metadata.name)
      record.append(metadata.values)
    }
  }

  mutating func append(_ attachment: MCAPAttachment) {
    append(.attachment) { record in
      let start = record.bytes.count
      record.append(attachment.logTime)
      record.append(attachment.createTime)
      record.append(attachment.name)
      record.append(attachment.mediaType)
      record.append(UInt64(attachment.data.count))
      record.bytes += attachment.data
      record.append(CRC32(of: record.bytes[start...]).value)
    }
  }

  /// Appends the message index of one channel in a chunk.
  mutating func append(channel: UInt16, entries: [MCAPChunkBuilder.Entry]) {
    append(.messageIndex) { record in
      record.append(channel)
      record.append(UInt32(entries.count * 16))
      for entry in entries {
        record.append(entry.logTime)
        record.append(entry.offset)
      }
    }
  }
}
