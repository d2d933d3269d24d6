import PlumblineImages
import PlumblineIO

/// Scans a file from its beginning without its index and collects all complete records.
///
/// After damage the scan continues at the next chunk with a correct checksum; the bytes before it
/// are a gap.
struct MCAPScan {
  private(set) var profile = ""
  private(set) var library = ""
  private(set) var definitions: MCAPDefinitions
  private(set) var chunks: [MCAPChunkIndex] = []
  private(set) var contents: [[UInt16: [MCAPChunkBuilder.Entry]]] = []
  /// Messages outside chunks, by the offset of their record.
  private(set) var looseMessages: [(logTime: UInt64, channelID: UInt16, offset: Int)] = []
  private(set) var attachments: [MCAPAttachmentIndex] = []
  private(set) var metadata: [MCAPMetadata] = []
  private(set) var gaps: [MCAPGap] = []
  /// The number of chunks that were found but not usable.
  private(set) var chunksDropped = 0
  /// Whether the end of the data section was found.
  private(set) var isComplete = false
  /// Whether the checksum of the data section shows that a byte outside chunks is wrong.
  private(set) var isChecksumWrong = false

  private let source: any ByteSource
  private let limits: ReadingLimits
  private var window: MCAPWindow
  private var checksum = CRC32()
  private var messageCount = 0

  /// Prepares a scan.
  ///
  /// `definitions` are schemas and channels known from elsewhere, for example from the summary of a
  /// file whose first chunk is damaged.
  init(
    _ source: any ByteSource, definitions: MCAPDefinitions = MCAPDefinitions(),
    limits: ReadingLimits
  ) {
    self.source = source
    self.limits = limits
    self.definitions = definitions
    window = MCAPWindow(source)
  }

  /// Scans the data section.
  ///
  /// - Throws: `.missing` if the file cannot be read, `.limitExceeded` for too many messages.
  mutating func run() throws(CaptureReadingError) {
    var place = MCAPLayout.magic.count
    checksum.update(try window.bytes(in: 0..<place).bytes)
    while place < source.byteCount, !isComplete {
      let problem: CaptureReadingError
      let end = try recordEnd(at: place)
      do throws(CaptureReadingError) {
        guard let end else {
          throw CaptureReadingError(
            .malformed, offset: place, expected: "a whole record", found: "none")
        }
        try take(place..<end)
        place = end
        continue
      } catch {
        if error.reason == .missing { throw error }
        if error.path == ["messages"] { throw error }
        problem = error
      }
      place = try skip(from: place, to: end, problem)
    }
  }

  /// Reads a message outside chunks again.
  func message(at offset: Int) throws(CaptureReadingError) -> MCAPMessage {
    var window = window
    var prefix = try window.bytes(in: offset..<(offset + MCAPLayout.recordPrefixBytes))
    try prefix.skip(1)
    let count = Int(clamping: try prefix.readUInt64())
    let end = min(offset + MCAPLayout.recordPrefixBytes + count, source.byteCount)
    return try MCAPMessage(in: window.bytes(in: offset..<end).bytes, at: 0)
  }

  /// The end of the record at a position; `nil` if there cannot be a record.
  private mutating func recordEnd(at place: Int) throws(CaptureReadingError) -> Int? {
    guard place + MCAPLayout.recordPrefixBytes <= source.byteCount else { return nil }
    var cursor = try window.bytes(in: place..<(place + MCAPLayout.recordPrefixBytes))
    let opcode = try cursor.readUInt8()
    let length = try cursor.readUInt64()
    let room = source.byteCount - place - MCAPLayout.recordPrefixBytes
    guard opcode != 0, length <= UInt64(room) else { return nil }
    return place + MCAPLayout.recordPrefixBytes + Int(length)
  }

  /// Adds the contents of one record.
  private mutating func take(_ range: Range<Int>) throws(CaptureReadingError) {
    try limits.require(
      range.count, atMost: limits.fileBytes, "bytes of a record", path: ["record"],
      offset: range.lowerBound)
    var cursor = try window.bytes(in: range)
    let whole = cursor.bytes
    let record = try MCAPRecord.next(&cursor)
    // A wrong length leads to an arbitrary position; only a chunk is verified by its checksum.
    if case .chunk = record {} else { try requireSense(after: range.upperBound) }
    switch record {
    case .header(let profile, let library): (self.profile, self.library) = (profile, library)
    case .schema(let schema): try definitions.add(schema, at: range.lowerBound)
    case .channel(let channel): try definitions.add(channel, at: range.lowerBound)
    case .message(let message): try take(message, at: range.lowerBound)
    case .chunk(let chunk): try take(chunk, range)
    case .attachment(let attachment):
      attachments.append(MCAPAttachmentIndex(of: attachment, at: range))
    case .metadata(let metadata): self.metadata.append(metadata)
    case .dataEnd(let expected):
      isComplete = true
      isChecksumWrong = expected != 0 && gaps.isEmpty && expected != checksum.value
    case .footer:
      // The file has no end of its data section, and nothing may follow.
      isComplete = true
    default: break
    }
    checksum.update(whole)
  }

  private mutating func take(_ message: MCAPMessage, at offset: Int) throws(CaptureReadingError) {
    guard definitions.channels[message.channelID] != nil else {
      throw CaptureReadingError(
        .malformed, path: ["message"], offset: offset, expected: "a message of a declared channel",
        found: "one of channel \(message.channelID)")
    }
    messageCount += 1
    try limits.require(
      messageCount, atMost: limits.mcapMessages, "messages", path: ["messages"], offset: offset)
    looseMessages.append((message.logTime, message.channelID, offset))
  }

  private mutating func take(_ chunk: MCAPChunk, _ range: Range<Int>) throws(CaptureReadingError) {
    let contents = try MCAPChunkContents(
      chunk.plainRecords(limits), definitions: &definitions,
      limit: limits.mcapMessages - messageCount)
    messageCount += contents.messageCount
    chunks.append(
      MCAPChunkIndex(
        messageStartTime: contents.messageCount > 0 ? contents.startTime : 0,
        messageEndTime: contents.endTime, range: range, messageIndexOffsets: [:],
        messageIndexLength: 0, compression: chunk.compression,
        compressedSize: UInt64(chunk.records.count), uncompressedSize: chunk.uncompressedSize))
    self.contents.append(contents.entries)
  }

  /// Adds a gap and finds where to continue: after the record if a plausible record follows, else
  /// at the next chunk with a correct checksum.
  private mutating func skip(
    from place: Int, to end: Int?, _ problem: CaptureReadingError
  ) throws(CaptureReadingError) -> Int {
    var next = source.byteCount
    var times: ClosedRange<UInt64>?
    let start = try window.bytes(in: place..<(place + 1)).bytes
    if start.first == MCAPOpcode.chunk.rawValue { chunksDropped += 1 }
    if let end, try makesSense(at: end) {
      next = end
      times = try statedTimes(at: place)
    } else if let found = try nextChunk(after: place) {
      next = found
    }
    var detail = "\(problem.expected) expected, \(problem.found) found"
    if end == nil {
      detail = next == source.byteCount ? "the file was cut inside of a record" : "damaged bytes"
    }
    if let last = gaps.last, last.range.upperBound == place {
      gaps[gaps.count - 1].range = last.range.lowerBound..<next
    } else {
      gaps.append(MCAPGap(range: place..<next, detail: detail, messages: nil, logTimes: times))
    }
    return next
  }

  private mutating func requireSense(after end: Int) throws(CaptureReadingError) {
    guard try makesSense(at: end) else {
      throw CaptureReadingError(
        .malformed, offset: end, expected: "a record after this one", found: "none")
    }
  }

  /// Whether a record may begin at a position, judging by its kind and a length below 1 TB.
  private mutating func makesSense(at place: Int) throws(CaptureReadingError) -> Bool {
    guard place + MCAPLayout.recordPrefixBytes <= source.byteCount else {
      return place == source.byteCount || place + MCAPLayout.magic.count >= source.byteCount
    }
    var cursor = try window.bytes(in: place..<(place + MCAPLayout.recordPrefixBytes))
    let opcode = try cursor.readUInt8()
    let length = try cursor.readUInt64()
    let isKnown = MCAPOpcode(rawValue: opcode) != nil || opcode >= 0x80
    return (isKnown && length < 1 << 40) || place + MCAPLayout.magic.count == source.byteCount
  }

  /// The log times in the fields of a damaged chunk, if they can be read.
  private mutating func statedTimes(
    at place: Int
  ) throws(CaptureReadingError) -> ClosedRange<UInt64>? {
    let end = min(place + MCAPLayout.recordPrefixBytes + 16, source.byteCount)
    var cursor = try window.bytes(in: place..<end)
    guard cursor.remaining == 25, try cursor.readUInt8() == MCAPOpcode.chunk.rawValue else {
      return nil
    }
    try cursor.skip(8)
    let start = try cursor.readUInt64()
    let last = try cursor.readUInt64()
    return start <= last ? start...last : nil
  }
}

extension MCAPScan {
  /// The next position of a chunk with a correct checksum.
  ///
  /// A candidate must be read in full to check it. For a hostile file with many candidates, the
  /// search stops after reading eight times the file's size.
  private mutating func nextChunk(after place: Int) throws(CaptureReadingError) -> Int? {
    var search = MCAPWindow(source)
    var candidates = MCAPWindow(source)
    var work = source.byteCount.multipliedReportingOverflow(by: 8).partialValue
    let step = 1 << 16
    var start = place + 1
    while start < source.byteCount {
      let end = min(start + step, source.byteCount)
      let block = try search.bytes(in: start..<end).bytes
      for index in block.indices where block[index] == MCAPOpcode.chunk.rawValue {
        let offset = start + index - block.startIndex
        guard let range = try plausibleChunk(at: offset, &candidates) else { continue }
        work -= range.count
        if work < 0 { return nil }
        var cursor = try candidates.bytes(in: range)
        guard case .chunk(let chunk)? = try? MCAPRecord.next(&cursor), chunk.checksum != 0,
          (try? chunk.plainRecords(limits)) != nil
        else { continue }
        return offset
      }
      start = end
    }
    return nil
  }

  /// The range of a chunk whose fields are consistent with each other and with the file.
  private func plausibleChunk(
    at offset: Int, _ window: inout MCAPWindow
  ) throws(CaptureReadingError) -> Range<Int>? {
    let fixed = MCAPLayout.recordPrefixBytes + MCAPLayout.chunkFieldBytes
    // The longest known compression name has four letters.
    guard offset + fixed + 4 <= source.byteCount else { return nil }
    var cursor = try window.bytes(in: offset..<(offset + fixed + 4))
    try cursor.skip(1)
    let length = try cursor.readUInt64()
    guard length >= UInt64(MCAPLayout.chunkFieldBytes), length <= UInt64(limits.fileBytes),
      Int(length) <= source.byteCount - offset - MCAPLayout.recordPrefixBytes
    else { return nil }
    try cursor.skip(28)
    let nameCount = try cursor.readUInt32()
    guard nameCount <= 4 else { return nil }
    let name = String(decoding: try cursor.readBytes(Int(nameCount)), as: UTF8.self)
    guard MCAPWritingOptions.Compression(rawValue: name) != nil,
      try cursor.readUInt64() <= length - UInt64(MCAPLayout.chunkFieldBytes) - UInt64(nameCount)
    else { return nil }
    return offset..<(offset + MCAPLayout.recordPrefixBytes + Int(length))
  }
}

extension MCAPAttachmentIndex {
  package init(of attachment: MCAPAttachment, at range: Range<Int>) {
    self.init(
      range: range, logTime: attachment.logTime, createTime: attachment.createTime,
      dataSize: UInt64(attachment.data.count), name: attachment.name,
      mediaType: attachment.mediaType)
  }
}
