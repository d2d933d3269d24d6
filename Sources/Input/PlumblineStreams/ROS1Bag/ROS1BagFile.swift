package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// A bag of ROS 1, version 2.0, that is read on demand; any number of threads may read concurrently.
///
/// A bag with an index is opened by reading the index and the header of each chunk. One without, for
/// example of a recorder that crashed, is scanned once: all whole chunks are used.
package struct ROS1BagFile: Sendable {
  /// The chunks in the order of the file.
  let chunks: [ROS1BagChunk]
  /// The findings about the file, such as its missing end.
  package let findings: [Finding]
  /// The channels by ascending number.
  package let messageChannels: [ROSChannel]
  /// Whether it was opened by its index; `false` if it had to be scanned.
  package let isIndexed: Bool

  private let channelOfConnection: [UInt32: UInt32]
  /// The connections as the index or the scan knows them.
  private let connections: ROS1BagConnections
  /// The messages found by scanning a file without an index, by time.
  private let scannedPlaces: [ROSMessagePlace]?
  private let source: any ByteSource
  private let limits: ReadingLimits
  private let cache: MCAPChunkCache

  /// Whether bytes begin like a bag of ROS 1 of any version.
  package static func recognizes(_ start: [UInt8]) -> Bool {
    ROS1BagLayout.families.contains { start.starts(with: $0) }
  }

  /// Opens a file.
  ///
  /// - Throws: `.unsupported` for older versions, encryption and a compression that is not read;
  ///   `.malformed` for bytes that are not a bag; `.limitExceeded`; `.missing` if they cannot be
  ///   read. Damage inside the file is not an error but a finding. Cost: the index, and a read for
  ///   each chunk; the whole file if there is no index.
  package init(
    source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try Self.requireMagic(source)
    self.source = source
    self.limits = limits
    cache = MCAPChunkCache(limitBytes: limits.mcapCacheBytes)
    var problem: CaptureReadingError?
    do throws(CaptureReadingError) {
      if let index = try ROS1BagIndex(of: source, limits: limits) {
        chunks = index.chunks
        connections = index.connections
        (messageChannels, channelOfConnection) = index.connections.channels()
        findings = ROS1BagGap.findings(index.gaps)
        isIndexed = true
        scannedPlaces = nil
        return
      }
    } catch {
      guard error.reason == .malformed else { throw error }
      problem = error
    }
    var scan = ROS1BagScan(source, limits: limits)
    try scan.run()
    chunks = scan.chunks
    connections = scan.connections
    let (channels, ofConnection) = scan.connections.channels()
    (messageChannels, channelOfConnection) = (channels, ofConnection)
    findings = scan.findings(indexProblem: problem)
    isIndexed = false
    scannedPlaces = scan.entries.compactMap { chunk, entry in
      ofConnection[entry.connection].map { entry.place($0, chunk) }
    }.sorted()
  }

  private static func requireMagic(_ source: any ByteSource) throws(CaptureReadingError) {
    let magic = ROS1BagLayout.magic
    let found = try source.bytes(in: 0..<min(magic.count, source.byteCount))
    guard found != magic else { return }
    let isOtherVersion = found.count == magic.count && recognizes(found)
    throw CaptureReadingError(
      isOtherVersion ? .unsupported : .malformed, path: ["magic"], offset: 0,
      expected: "the first line of a bag of version 2.0"
        + (isOtherVersion ? ", into which the program rosbag fix turns older ones" : ""),
      found: printable(found[...]))
  }

  /// The decompressed records of a chunk.
  private func records(ofChunk number: Int) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    try cache.records(of: number) { () throws(CaptureReadingError) in
      try chunks[number].records(in: source, limits)
    }
  }

  /// The messages of a chunk: from its index or, if that is damaged, from its records.
  private func entries(
    ofChunk number: Int, _ wanted: Set<UInt32>
  ) throws(CaptureReadingError) -> [ROS1BagEntry] {
    let chunk = chunks[number]
    do throws(CaptureReadingError) {
      let range = chunk.data.upperBound..<chunk.indexEnd
      try limits.require(
        range.count, atMost: limits.mcapSummaryBytes, "bytes of message index",
        path: ["index data"],
        offset: range.lowerBound)
      return try ROS1BagContents.indexed(
        ByteReader(source.bytes(in: range)[...], endianness: .little, path: ["index data"]),
        connections: wanted, size: chunk.size)
    } catch {
      guard error.reason != .missing else { throw error }
      var known = connections
      return try ROS1BagContents(
        records(ofChunk: number), connections: &known, limit: limits.mcapMessages
      ).entries.filter { wanted.contains($0.connection) }
    }
  }
}

extension ROS1BagFile: ROSMessageFile {
  package static let container = "bag"
  package static let layout = "ROS 1 bag"
  package static let serialization = ROSSerialization.ros1

  package var topicNames: [String] { messageChannels.map(\.topic).sorted() }

  package func places(
    ofChannels ids: Set<UInt32>
  ) throws(CaptureReadingError) -> [ROSMessagePlace] {
    if let scannedPlaces { return scannedPlaces.filter { ids.contains($0.channelID) } }
    let wanted = Set(channelOfConnection.filter { ids.contains($0.value) }.keys)
    var places: [ROSMessagePlace] = []
    for (number, chunk) in chunks.enumerated() {
      if let used = chunk.connections, used.isDisjoint(with: wanted) { continue }
      let entries: [ROS1BagEntry]
      do throws(CaptureReadingError) {
        entries = try self.entries(ofChunk: number, wanted)
      } catch {
        guard error.reason == .malformed else { throw error }
        // A chunk whose index and records are both damaged must not exclude all others. A place
        // that cannot be read lets its reader count it.
        for connection in (chunk.connections ?? []).intersection(wanted).sorted() {
          let lost = ROS1BagEntry(time: 0, connection: connection, offset: chunk.size)
          guard let channel = channelOfConnection[connection] else { continue }
          places.append(lost.place(channel, Int32(clamping: number)))
        }
        continue
      }
      try limits.require(
        places.count + entries.count, atMost: limits.mcapMessages, "messages",
        path: ["index data"], offset: chunk.data.upperBound)
      for entry in entries {
        guard let channel = channelOfConnection[entry.connection] else { continue }
        places.append(entry.place(channel, Int32(clamping: number)))
      }
    }
    places.sort()
    return places
  }

  package func payload(at place: ROSMessagePlace) throws(CaptureReadingError) -> ROSPayload {
    let record: ROS1BagRecord
    if place.chunk < 0 {
      let found = try ROS1BagRecordPlace(in: source, at: place.offset)
      try limits.require(
        found.range.count, atMost: limits.fileBytes, "bytes of a message",
        path: ["message data"], offset: place.offset)
      var cursor = ByteReader(
        try source.bytes(in: found.range)[...], endianness: .little, path: ["message data"])
      record = try ROS1BagRecord(&cursor)
    } else {
      let records = try records(ofChunk: Int(place.chunk))
      var cursor = ByteReader(
        records.dropFirst(place.offset), endianness: .little, path: ["message data"])
      record = try ROS1BagRecord(&cursor)
    }
    guard try record.header.opcode() == .message,
      channelOfConnection[try record.header.uint32("conn")] == place.channelID,
      try record.header.time("time") == place.logTime
    else {
      throw CaptureReadingError(
        .malformed, path: ["message data"], offset: record.data.startIndex,
        expected: "the message that the index states", found: "another record")
    }
    return ROSPayload(record.data, .ros1)
  }
}

extension ROS1BagEntry {
  fileprivate func place(_ channel: UInt32, _ chunk: Int32) -> ROSMessagePlace {
    ROSMessagePlace(logTime: time, channelID: channel, chunk: chunk, offset: offset)
  }
}
