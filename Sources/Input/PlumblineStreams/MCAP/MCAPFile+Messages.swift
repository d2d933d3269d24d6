import PlumblineImages
package import PlumblineIO

extension MCAPFile {
  /// The positions of the messages of some channels, by ascending log time; ties are in file order.
  ///
  /// - Parameter channels: The identifiers of the channels; `nil` for all.
  /// - Returns: Positions for ``message(at:)``.
  /// - Throws: `.malformed` if an index and its chunk are both damaged; `.limitExceeded`. Cost: the
  ///   indexes; chunks are read only if their indexes are damaged.
  package func messagePlaces(
    channels: Set<UInt16>? = nil
  ) throws(CaptureReadingError) -> [MCAPMessagePlace] {
    if let scannedPlaces {
      guard let channels else { return scannedPlaces }
      return scannedPlaces.filter { channels.contains($0.channelID) }
    }
    var places: [MCAPMessagePlace] = []
    for (number, chunk) in chunks.enumerated() {
      if let channels, channels.isDisjoint(with: chunk.messageIndexOffsets.keys) { continue }
      let entries = try self.entries(ofChunk: number)
      for (channel, entries) in entries where channels?.contains(channel) ?? true {
        try limits.require(
          places.count + entries.count, atMost: limits.mcapMessages, "messages",
          path: ["message index"], offset: chunk.range.upperBound)
        for entry in entries {
          places.append(
            MCAPMessagePlace(
              logTime: entry.logTime, channelID: channel, chunkNumber: Int32(number),
              offset: Int(entry.offset)))
        }
      }
    }
    places.sort()
    return places
  }

  /// Reads one message; nearby messages are fast, since the last chunks are cached.
  ///
  /// - Parameter place: A position from ``messagePlaces(channels:)``.
  /// - Returns: The message, whose data are a slice of its chunk.
  /// - Throws: `.malformed` for a message whose chunk is damaged.
  package func message(at place: MCAPMessagePlace) throws(CaptureReadingError) -> MCAPMessage {
    guard let chunk = place.chunk else {
      return try place.require(try looseMessage(at: place.offset))
    }
    return try place.require(MCAPMessage(in: records(ofChunk: chunk), at: place.offset))
  }

  /// Reads messages in ascending order of log time, chunk by chunk.
  ///
  /// - Parameters:
  ///   - channels: The identifiers of the channels; `nil` for all.
  ///   - logTimes: The range of log times in nanoseconds.
  ///   - body: Called for each message.
  /// - Returns: Chunks that were skipped because they are damaged.
  /// - Throws: Errors of `body`; `.missing` if the file cannot be read.
  package func forEachMessage(
    channels: Set<UInt16>? = nil, logTimes: ClosedRange<UInt64> = 0...UInt64.max,
    _ body: (MCAPMessage) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError) -> [MCAPGap] {
    var gaps: [Int: MCAPGap] = [:]
    let places = try messagePlaces(channels: channels)
    // If the messages are in chunk order, each chunk is needed once. It is released before the next
    // one is read, which then reuses its memory while it is in the processor's cache. Otherwise
    // chunks are read through the chunk cache.
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0.chunk ?? -1 <= $1.chunk ?? -1 }
    var current: (number: Int, records: ArraySlice<UInt8>)?
    for place in places where logTimes.contains(place.logTime) {
      let number = place.chunk ?? -1
      if gaps[number] != nil {
        gaps[number]?.messages? += 1
        continue
      }
      let message: MCAPMessage
      do throws(CaptureReadingError) {
        if isInOrder, number >= 0 {
          if current?.number != number {
            current = nil
            current = (number, try readRecords(ofChunk: number))
          }
          message = try place.require(
            MCAPMessage(in: current?.records ?? [], at: place.offset))
        } else {
          message = try self.message(at: place)
        }
      } catch {
        guard error.reason != .missing, number >= 0 else { throw error }
        let chunk = chunks[number]
        gaps[number] = MCAPGap(
          range: chunk.range, detail: "\(error.expected) expected, \(error.found) found",
          messages: 1,
          logTimes: chunk.messageStartTime <= chunk.messageEndTime
            ? chunk.messageStartTime...chunk.messageEndTime : nil)
        continue
      }
      try body(message)
    }
    return gaps.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The records of a chunk, decompressed and checked.
  package func records(ofChunk number: Int) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    try cache.records(of: number) { () throws(CaptureReadingError) in
      try readRecords(ofChunk: number)
    }
  }

  private func readRecords(ofChunk number: Int) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let index = chunks[number]
    try limits.require(
      index.range.count, atMost: limits.fileBytes, "bytes of a chunk", path: ["chunk"],
      offset: index.range.lowerBound)
    var cursor = ByteReader(try source.bytes(in: index.range)[...], endianness: .little)
    do throws(CaptureReadingError) {
      guard case .chunk(let chunk) = try MCAPRecord.next(&cursor), cursor.isAtEnd else {
        throw cursor.malformed(expected: "a chunk", found: "another record")
      }
      return try chunk.plainRecords(limits)
    } catch {
      throw CaptureReadingError(
        error.reason, path: error.path, offset: index.range.lowerBound, expected: error.expected,
        found: error.found)
    }
  }

  /// The messages of a chunk: from its index or, if that is damaged, from its records.
  private func entries(
    ofChunk number: Int
  ) throws(CaptureReadingError) -> [UInt16: [MCAPChunkBuilder.Entry]] {
    let chunk = chunks[number]
    let start = chunk.range.upperBound
    let length = Int(clamping: chunk.messageIndexLength)
    try limits.require(
      length, atMost: limits.fileBytes, "bytes of message index", path: ["message index"],
      offset: start)
    var cursor = ByteReader(
      try source.bytes(in: start..<(start + length))[...], endianness: .little)
    var entries: [UInt16: [MCAPChunkBuilder.Entry]] = [:]
    do throws(CaptureReadingError) {
      while !cursor.isAtEnd {
        guard case .messageIndex(let channel, let found) = try MCAPRecord.next(&cursor),
          channels[channel] != nil, entries[channel] == nil,
          found.allSatisfy({ $0.offset < chunk.uncompressedSize })
        else { throw cursor.malformed(expected: "an index of messages", found: "another record") }
        if !found.isEmpty { entries[channel] = found }
      }
      return entries
    } catch {
      var definitions = MCAPDefinitions()
      for (_, schema) in schemas { try definitions.add(schema, at: start) }
      for (_, channel) in channels { try definitions.add(channel, at: start) }
      return try MCAPChunkContents(
        records(ofChunk: number), definitions: &definitions, limit: limits.mcapMessages
      ).entries
    }
  }

  private func looseMessage(at offset: Int) throws(CaptureReadingError) -> MCAPMessage {
    var prefix = ByteReader(
      try source.bytes(in: offset..<(offset + MCAPLayout.recordPrefixBytes))[...],
      endianness: .little)
    try prefix.skip(1)
    let count = Int(clamping: try prefix.readUInt64())
    let end = offset + MCAPLayout.recordPrefixBytes + min(count, source.byteCount)
    guard end <= source.byteCount else {
      throw CaptureReadingError(
        .malformed, path: ["message"], offset: offset, expected: "a message within the file",
        found: "\(count) bytes")
    }
    return try MCAPMessage(in: source.bytes(in: offset..<end)[...], at: 0)
  }
}

extension MCAPMessage {
  /// Reads a message at an offset in some records.
  ///
  /// - Throws: `.malformed` if there is no message at that offset.
  package init(in records: ArraySlice<UInt8>, at offset: Int) throws(CaptureReadingError) {
    var cursor = ByteReader(
      records.dropFirst(offset), endianness: .little, path: Self.path)
    let opcode = try cursor.readUInt8()
    let length = try cursor.readUInt64()
    guard opcode == MCAPOpcode.message.rawValue, let count = Int(exactly: length) else {
      throw cursor.malformed(expected: "a message where the index says", found: "another record")
    }
    var fields = ByteReader(
      try cursor.readBytes(count, as: "a message"), endianness: .little, path: Self.path)
    try self.init(&fields)
  }

  private static let path = ["message"]
}

extension MCAPMessagePlace: Comparable {
  /// Orders by time; equal times by the position in the file.
  package static func < (one: MCAPMessagePlace, other: MCAPMessagePlace) -> Bool {
    (one.logTime, one.chunkNumber, one.offset)
      < (other.logTime, other.chunkNumber, other.offset)
  }
}

extension MCAPMessagePlace {
  /// Checks that a message at this position is the one that the index states, and returns it.
  package func require(_ message: MCAPMessage) throws(CaptureReadingError) -> MCAPMessage {
    guard message.channelID == channelID, message.logTime == logTime else {
      throw CaptureReadingError(
        .malformed, path: ["message"], offset: offset,
        expected: "channel \(channelID) at \(logTime), as the index says",
        found: "channel \(message.channelID) at \(message.logTime)")
    }
    return message
  }
}
