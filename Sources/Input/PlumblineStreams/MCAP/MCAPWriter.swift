import PlumblineIO

/// Writes an MCAP file of which everything except the current chunk survives a crash or a kill.
///
/// ```swift
/// var writer = try MCAPWriter(file: file, profile: "ros2", library: "plumbline")
/// let schema = try writer.addSchema(name: name, encoding: "ros2msg", data: definition)
/// let channel = try writer.addChannel(topic: "/depth", messageEncoding: "cdr", schemaID: schema)
/// try writer.write(MCAPMessage(channelID: channel, …))
/// try writer.finish()
/// ```
///
/// If ``write(_:)`` or ``flush()`` throws, the message was not accepted and no record is
/// incomplete. Both can be retried, and ``finish()`` still writes the pending data and the index,
/// for which the file may have reserved disk space.
package struct MCAPWriter {
  /// The number of messages accepted so far.
  package private(set) var messageCount = 0
  /// The number of messages that would survive a power failure, counted from the first.
  package private(set) var storedMessageCount = 0

  var summary = MCAPSummaryBuilder()
  package let options: MCAPWritingOptions
  package let file: any RecordingFile
  private var chunk: MCAPChunkBuilder
  private var dataChecksum = CRC32()
  private var hasEnd = false
  private var definedChannels: Set<UInt16> = []

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - file: A new file.
  ///   - profile: The convention of the channels, such as `ros2`; empty for none.
  ///   - library: The name of the writing program.
  ///   - options: The layout options.
  /// - Throws: `.unrepresentable` for a compression that this build has no encoder for; `.output`.
  package init(
    file: any RecordingFile, profile: String = "", library: String,
    options: MCAPWritingOptions = MCAPWritingOptions()
  ) throws(RecordingWritingError) {
    precondition(options.chunkBytes > 0, "a chunk must have room")
    guard options.compression.isWritable else {
      throw .unrepresentable(
        format: "MCAP", frame: nil, expected: "a compression by lz4 or none in this build",
        found: options.compression.rawValue)
    }
    self.file = file
    self.options = options
    chunk = MCAPChunkBuilder(compression: options.compression)
    var records = MCAPRecordBuilder(bytes: MCAPLayout.magic, padding: options.padding)
    records.append(.header) { record in
      record.append(profile)
      record.append(library)
    }
    try append(records.bytes[...])
  }

  /// Declares a message type.
  ///
  /// - Returns: Its identifier, from 1 on.
  /// - Throws: `.unrepresentable` after 65,535 schemas; `.output`.
  package mutating func addSchema(
    name: String, encoding: String, data: [UInt8]
  ) throws(RecordingWritingError) -> UInt16 {
    try requireIdentifier(after: summary.schemas.count, of: "schemas")
    let id = UInt16(summary.schemas.count + 1)
    try add(MCAPSchema(id: id, name: name, encoding: encoding, data: data))
    return id
  }

  /// Declares a channel.
  ///
  /// Its schema is one from ``addSchema(name:encoding:data:)``, or 0 for none.
  ///
  /// - Returns: Its identifier, from 1 on.
  /// - Throws: `.unrepresentable` after 65,535 channels; `.output`.
  package mutating func addChannel(
    topic: String, messageEncoding: String, schemaID: UInt16, metadata: [String: String] = [:]
  ) throws(RecordingWritingError) -> UInt16 {
    try requireIdentifier(after: summary.channels.count, of: "channels")
    let id = UInt16(summary.channels.count + 1)
    try add(
      MCAPChannel(
        id: id, schemaID: schemaID, topic: topic, messageEncoding: messageEncoding,
        metadata: metadata))
    return id
  }

  /// Adds a schema that already has an identifier.
  package mutating func add(_ schema: MCAPSchema) throws(RecordingWritingError) {
    if !options.isChunked {
      var records = MCAPRecordBuilder(padding: options.padding)
      records.append(schema)
      try append(records.bytes[...])
    } else if options.definitions == .once {
      chunk.define(schema)
    }
    summary.schemas[schema.id] = schema
  }

  /// Adds a channel that already has an identifier.
  package mutating func add(_ channel: MCAPChannel) throws(RecordingWritingError) {
    precondition(
      channel.schemaID == 0 || summary.schemas[channel.schemaID] != nil,
      "there is no schema \(channel.schemaID)")
    if !options.isChunked {
      var records = MCAPRecordBuilder(padding: options.padding)
      records.append(channel)
      try append(records.bytes[...])
    } else if options.definitions == .once {
      chunk.define(channel)
    }
    summary.channels[channel.id] = channel
  }

  /// Adds a message to the current chunk, which is written first if it is full or too old.
  ///
  /// - Precondition: The channel was added.
  /// - Throws: `.output`; the message was then not accepted.
  package mutating func write(_ message: MCAPMessage) throws(RecordingWritingError) {
    guard let channel = summary.channels[message.channelID] else {
      preconditionFailure("there is no channel \(message.channelID)")
    }
    if options.isChunked {
      if mustSeal(before: message) { try seal() }
      if options.definitions == .inEveryChunk {
        if let schema = summary.schemas[channel.schemaID] { chunk.define(schema) }
        chunk.define(channel)
      }
      chunk.append(message)
    } else {
      var records = MCAPRecordBuilder()
      records.append(message)
      try append(records.bytes[...])
    }
    messageCount += 1
    summary.count(message)
  }

  /// Writes metadata immediately.
  ///
  /// - Throws: `.output`; nothing was then written.
  package mutating func addMetadata(
    _ name: String, _ values: [String: String]
  ) throws(RecordingWritingError) {
    let start = file.byteCount
    var records = MCAPRecordBuilder(padding: options.padding)
    records.append(MCAPMetadata(name: name, values: values))
    try append(records.bytes[...])
    summary.metadata.append((name: name, range: start..<file.byteCount))
  }

  /// Writes an attachment immediately.
  ///
  /// - Throws: `.output`; nothing was then written.
  package mutating func addAttachment(
    _ attachment: MCAPAttachment
  ) throws(RecordingWritingError) {
    let start = file.byteCount
    var records = MCAPRecordBuilder(padding: options.padding)
    records.append(attachment)
    try append(records.bytes[...])
    summary.attachments.append(
      MCAPAttachmentIndex(
        range: start..<file.byteCount, logTime: attachment.logTime,
        createTime: attachment.createTime, dataSize: UInt64(attachment.data.count),
        name: attachment.name, mediaType: attachment.mediaType))
  }

  /// Ends the current chunk and waits until all accepted messages would survive a power failure.
  ///
  /// - Throws: `.output`; ``storedMessageCount`` is then unchanged.
  package mutating func flush() throws(RecordingWritingError) {
    if options.isChunked { try seal() }
    try file.synchronize()
    storedMessageCount = messageCount
  }

  /// Writes the pending data, the index and the footer, and closes the file.
  ///
  /// - Throws: `.output`; a second call continues where the first one stopped.
  package mutating func finish() throws(RecordingWritingError) {
    if options.isChunked { try seal() }
    if !hasEnd {
      try file.append(summary.end(at: file.byteCount, dataChecksum, options)[...])
      hasEnd = true
    }
    try file.close()
    storedMessageCount = messageCount
  }
}

extension MCAPWriter {
  /// Writes channels and their schemas as separate records, each once, before chunks of another
  /// file that use them without declaring them.
  package mutating func define(_ channels: [MCAPChannel]) throws(RecordingWritingError) {
    var records = MCAPRecordBuilder(padding: options.padding)
    for channel in channels where !definedChannels.contains(channel.id) {
      if let schema = summary.schemas[channel.schemaID] { records.append(schema) }
      records.append(channel)
    }
    if !records.bytes.isEmpty { try append(records.bytes[...]) }
    definedChannels.formUnion(channels.map(\.id))
  }

  /// Writes a chunk of another file, with an index of its messages.
  package mutating func append(
    chunk record: ArraySlice<UInt8>, _ index: MCAPChunkIndex,
    entries: [UInt16: [MCAPChunkBuilder.Entry]]
  ) throws(RecordingWritingError) {
    try seal()
    let start = file.byteCount
    var records = MCAPRecordBuilder(padding: options.padding)
    records.bytes += record
    var moved = index
    moved.range = start..<(start + record.count)
    moved.messageIndexOffsets = [:]
    for (channel, entries) in entries.sorted(by: { $0.key < $1.key }) {
      moved.messageIndexOffsets[channel] = UInt64(start + records.bytes.count)
      records.append(channel: channel, entries: entries)
    }
    moved.messageIndexLength = UInt64(records.bytes.count - record.count)
    try append(records.bytes[...])
    summary.chunks.append(moved)
    for (channel, entries) in entries {
      summary.count(entries.map(\.logTime), channel: channel)
      messageCount += entries.count
    }
  }

  private func mustSeal(before message: MCAPMessage) -> Bool {
    guard let first = chunk.firstTime else { return false }
    let bytes = MCAPLayout.recordPrefixBytes + MCAPLayout.messageFieldBytes + message.data.count
    if chunk.byteCount + bytes > options.chunkBytes { return true }
    // If the clock goes backwards, the age of the chunk is unknown.
    return message.logTime > first && message.logTime - first >= options.chunkNanoseconds
  }

  private mutating func seal() throws(RecordingWritingError) {
    guard chunk.byteCount > 0 else { return }
    let index = chunk.seal(at: file.byteCount, options)
    do throws(RecordingWritingError) { try append(chunk.sealedBytes) } catch {
      chunk.unseal()
      throw error
    }
    chunk.clear()
    summary.chunks.append(index)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) {
    try file.append(bytes)
    if options.hasDataChecksum { dataChecksum.update(bytes) }
  }

  private func requireIdentifier(
    after count: Int, of what: String
  ) throws(RecordingWritingError) {
    guard count < Int(UInt16.max) else {
      throw .unrepresentable(
        format: "MCAP", frame: nil, expected: "at most \(UInt16.max) \(what)", found: "one more")
    }
  }
}
