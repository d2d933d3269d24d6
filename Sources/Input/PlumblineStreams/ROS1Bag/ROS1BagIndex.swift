import PlumblineIO
import PlumblineImages

/// The index at the end of a bag: its connections and chunks.
struct ROS1BagIndex {
  private(set) var connections = ROS1BagConnections()
  /// The chunks in the order of the file.
  private(set) var chunks: [ROS1BagChunk] = []
  /// Chunks that the index lists and that are not there.
  private(set) var gaps: [ROS1BagGap] = []

  /// Reads the index, and the header of each chunk.
  ///
  /// - Returns: `nil` for a bag that was not closed, whose header states no index.
  /// - Throws: `.malformed` for a damaged index; `.unsupported` for an encrypted bag and for a
  ///   compression that is not read; `.limitExceeded`; `.missing`. Cost: the index, and one read for
  ///   each chunk.
  /// - Source: wiki.ros.org/Bags/Format/2.0, "Bag header", "Chunk info"; an encryption is named by
  ///   the field `encryptor`, as PyPI's `rosbags` reads it.
  init?(of source: any ByteSource, limits: ReadingLimits) throws(CaptureReadingError) {
    let bag = try ROS1BagRecordPlace(in: source, at: ROS1BagLayout.magic.count)
    func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, path: ["bag header"], offset: bag.range.lowerBound, expected: expected,
        found: found)
    }
    guard bag.opcode == .bagHeader else {
      throw malformed("a bag header", bag.opcode.map(\.name) ?? "another record")
    }
    if let encryptor = bag.header.value("encryptor"), !encryptor.isEmpty {
      throw CaptureReadingError(
        .unsupported, path: ["bag header"], offset: bag.range.lowerBound,
        expected: "a bag without encryption", found: printable(encryptor.prefix(40)))
    }
    let stated = try bag.header.uint64("index_pos")
    if stated == 0 { return nil }
    guard let start = Int(exactly: stated), start >= bag.range.upperBound,
      start <= source.byteCount
    else { throw malformed("an index within the file", "one at \(stated)") }
    try limits.require(
      source.byteCount - start, atMost: limits.mcapSummaryBytes, "bytes of index",
      path: ["bag header"], offset: start)
    let infos = try readRecords(
      ByteReader(
        source.bytes(in: start..<source.byteCount)[...], endianness: .little, path: ["index"]))
    let counts = (try bag.header.uint32("conn_count"), try bag.header.uint32("chunk_count"))
    guard connections.count == counts.0, infos.count == counts.1 else {
      throw malformed(
        "\(counts.0) connections and \(counts.1) chunks in the index",
        "\(connections.count) and \(infos.count)")
    }
    try readChunks(infos, source, indexStart: start)
  }

  private typealias ChunkInfo = (position: Int, connections: Set<UInt32>)

  private mutating func readRecords(
    _ bytes: ByteReader
  ) throws(CaptureReadingError) -> [ChunkInfo] {
    var cursor = bytes
    var infos: [ChunkInfo] = []
    while !cursor.isAtEnd {
      let record = try ROS1BagRecord(&cursor)
      switch try record.header.opcode() {
      case .connection: try connections.add(record.header, record.data)
      case .chunkInfo:
        var counts = ByteReader(record.data, endianness: .little, path: ["chunk info"])
        var used: Set<UInt32> = []
        while !counts.isAtEnd {
          used.insert(try counts.readUInt32())
          try counts.skip(4, as: "a number of messages")
        }
        infos.append((Int(clamping: try record.header.uint64("chunk_pos")), used))
      default:
        throw cursor.malformed(
          expected: "connections and chunk infos in the index", found: "another record")
      }
    }
    return infos.sorted { $0.position < $1.position }
  }

  /// Reads the header of each chunk; one that is not there becomes a gap.
  private mutating func readChunks(
    _ infos: [ChunkInfo], _ source: any ByteSource, indexStart: Int
  ) throws(CaptureReadingError) {
    for (number, info) in infos.enumerated() {
      let end = number + 1 < infos.count ? infos[number + 1].position : indexStart
      guard info.position >= ROS1BagLayout.magic.count, info.position < min(end, indexStart) else {
        throw CaptureReadingError(
          .malformed, path: ["chunk info"], offset: indexStart,
          expected: "chunks one after the other before the index", found: "one at \(info.position)")
      }
      do throws(CaptureReadingError) {
        let place = try ROS1BagRecordPlace(in: source, at: info.position)
        var chunk = try ROS1BagChunk(place)
        guard place.range.upperBound <= end else {
          throw CaptureReadingError(
            .malformed, path: ["chunk"], offset: info.position,
            expected: "a chunk that ends before the next one",
            found: "\(place.data.count) bytes")
        }
        chunk.indexEnd = end
        chunk.connections = info.connections
        chunks.append(chunk)
      } catch {
        guard error.reason == .malformed else { throw error }
        gaps.append(ROS1BagGap(info.position..<end, error))
      }
    }
  }
}

/// A range of a bag that cannot be used, and why.
struct ROS1BagGap: Sendable, Hashable {
  var range: Range<Int>
  /// The damage in words.
  var detail: String

  init(_ range: Range<Int>, _ problem: CaptureReadingError) {
    self.range = range
    detail = "\(problem.expected) expected, \(problem.found) found"
  }
}
