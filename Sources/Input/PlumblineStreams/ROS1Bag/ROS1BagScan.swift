import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Scans a bag from its beginning without its index and collects all whole chunks.
///
/// After damage the scan continues at the next chunk whose records can be read; the bytes before it
/// are a gap.
struct ROS1BagScan {
  private(set) var connections = ROS1BagConnections()
  private(set) var chunks: [ROS1BagChunk] = []
  /// The messages by the number of their chunk; −1 for those outside of chunks.
  private(set) var entries: [(chunk: Int32, entry: ROS1BagEntry)] = []
  private(set) var gaps: [ROS1BagGap] = []

  private let source: any ByteSource
  private let limits: ReadingLimits
  /// How many bytes of candidates the searches for chunks may still read.
  private var searchBytes: Int

  init(_ source: any ByteSource, limits: ReadingLimits) {
    self.source = source
    self.limits = limits
    let (bytes, overflow) = source.byteCount.multipliedReportingOverflow(by: 8)
    searchBytes = overflow ? .max : bytes
  }

  /// Scans the file.
  ///
  /// - Throws: `.missing` if it cannot be read, `.unsupported` for a compression that is not read,
  ///   `.limitExceeded` for too many messages or connections.
  mutating func run() throws(CaptureReadingError) {
    var place = ROS1BagLayout.magic.count
    // The end of the last record whose contents were understood.
    var sound = place
    while place < source.byteCount {
      do throws(CaptureReadingError) {
        let record = try ROS1BagRecordPlace(in: source, at: place)
        if try take(record) { sound = record.range.upperBound }
        place = record.range.upperBound
      } catch {
        guard error.reason == .malformed else { throw error }
        // A wrong length of the last record may have led to an arbitrary place.
        let next = try nextChunk(after: sound)
        if place < next { gaps.append(ROS1BagGap(place..<next, error)) }
        place = next
        sound = next
      }
    }
  }

  /// Adds the contents of one record; returns whether they were understood.
  private mutating func take(_ record: ROS1BagRecordPlace) throws(CaptureReadingError) -> Bool {
    switch record.opcode {
    case .chunk:
      // A recorder writes the sizes of a chunk when it closes it: behind an open one the records
      // follow one by one.
      if record.data.isEmpty { return false }
      let chunk = try ROS1BagChunk(record)
      try add(chunk, chunk.records(in: source, limits))
      return true
    case .connection: try connections.add(record.header, try bytes(record.data))
    case .message:
      let entry = try ROS1BagContents.entry(
        record.header, at: record.range.lowerBound, connections)
      try limits.require(
        entries.count + 1, atMost: limits.mcapMessages, "messages", path: ["messages"])
      entries.append((-1, entry))
      return true
    case .bagHeader, .indexData, .chunkInfo: break
    case nil:
      throw CaptureReadingError(
        .malformed, path: ["record"], offset: record.range.lowerBound,
        expected: "a known kind of record", found: "another")
    }
    return false
  }

  private mutating func add(
    _ chunk: ROS1BagChunk, _ records: ArraySlice<UInt8>
  ) throws(CaptureReadingError) {
    let contents = try ROS1BagContents(
      records, connections: &connections, limit: limits.mcapMessages - entries.count)
    let number = Int32(clamping: chunks.count)
    entries += contents.entries.map { (number, $0) }
    chunks.append(chunk)
  }

  private func bytes(_ range: Range<Int>) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    try limits.require(
      range.count, atMost: limits.metadataBytes, "bytes of a connection", path: ["connection"],
      offset: range.lowerBound)
    return try source.bytes(in: range)[...]
  }

  /// The next position of a chunk whose records can be read; the end of the file without one.
  ///
  /// A candidate must be read in full to check it. For a hostile file with many candidates, all
  /// searches together stop after reading eight times the file's size.
  private mutating func nextChunk(after sound: Int) throws(CaptureReadingError) -> Int {
    let mark = Array("op=\u{5}".utf8)
    let step = 1 << 16
    var start = sound
    while start < source.byteCount {
      let end = min(start + step + mark.count - 1, source.byteCount)
      let base = max(sound, start - 72)
      let block = try source.bytes(in: base..<end)
      for index in block.indices.dropLast(mark.count - 1).dropFirst(start - base)
      where block[index] == mark[0] && block[index..<(index + mark.count)].elementsEqual(mark) {
        // A header has the length of itself and of this field before it, and two more fields.
        for first in max(0, index - 72)..<max(0, index - 7) {
          // Its length is below 100 and reaches past the mark, which is known without another read.
          guard block[first] <= 100, block[first + 1] == 0, block[first + 2] == 0,
            block[first + 3] == 0, first + 4 + Int(block[first]) > index + 4
          else { continue }
          let offset = base + first
          guard let chunk = try plausibleChunk(at: offset) else { continue }
          searchBytes -= chunk.data.count + chunk.size
          if searchBytes < 0 { return source.byteCount }
          var connections = connections
          guard let records = try? chunk.records(in: source, limits),
            (try? ROS1BagContents(
              records, connections: &connections, limit: limits.mcapMessages)) != nil
          else { continue }
          return offset
        }
      }
      start += step
    }
    return source.byteCount
  }

  /// The chunk at a position, if its header is that of one.
  private func plausibleChunk(at offset: Int) throws(CaptureReadingError) -> ROS1BagChunk? {
    do throws(CaptureReadingError) {
      let chunk = try ROS1BagChunk(ROS1BagRecordPlace(in: source, at: offset))
      return chunk.data.isEmpty ? nil : chunk
    } catch {
      if error.reason == .missing { throw error }
      return nil
    }
  }
}

extension ROS1BagScan {
  /// The findings about the file.
  ///
  /// `indexProblem` is the reason why its index could not be used; `nil` for a bag that states that
  /// it has none.
  func findings(indexProblem: CaptureReadingError?) -> [Finding] {
    let reason = indexProblem.map { "\($0)" } ?? "the bag header states no index"
    return [
      Finding(
        .sequenceWithoutIndex, .caution,
        "the recording has no sound end; its \(chunks.count.counting("whole chunk")) and what "
          + "follows them are used",
        evidence: reason, correction: .applied)
    ] + ROS1BagGap.findings(gaps)
  }
}

extension ROS1BagGap {
  /// The finding about bytes that cannot be used; none without gaps.
  static func findings(_ gaps: [ROS1BagGap]) -> [Finding] {
    guard !gaps.isEmpty else { return [] }
    let bytes = gaps.reduce(0) { $0 + $1.range.count }
    return [
      Finding(
        .sequenceDamagedBytes, .caution,
        "\(bytes) bytes in \(gaps.count.counting("place")) cannot be used",
        evidence: gaps.prefix(4).map { gap in
          "bytes \(gap.range.lowerBound) to \(gap.range.upperBound): \(gap.detail)"
        }.joined(separator: "; "))
    ]
  }
}
