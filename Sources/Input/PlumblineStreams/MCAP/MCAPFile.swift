package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// An MCAP file that is read on demand; any number of threads may read concurrently.
///
/// A file with an index is opened by reading only the index. A file without one, for example of a
/// recorder that crashed, is scanned once: all complete chunks are used, and ``gaps`` lists what is
/// missing.
package struct MCAPFile: Sendable {
  /// The convention of its channels, such as `ros2`.
  package let profile: String
  /// The program that wrote it.
  package let library: String
  /// The schemas by identifier.
  package let schemas: [UInt16: MCAPSchema]
  /// The channels by identifier.
  package let channels: [UInt16: MCAPChannel]
  /// The counts from the writer; `nil` if it wrote none, or if the file is truncated.
  package let statistics: MCAPStatistics?
  /// The chunks in the order of the file.
  package let chunks: [MCAPChunkIndex]
  /// The attachments in the order of the file.
  package let attachments: [MCAPAttachmentIndex]
  /// The metadata in the order of the file.
  package let metadata: [MCAPMetadata]
  /// Whether it was opened by its index; `false` if it had to be scanned.
  package let isIndexed: Bool
  /// Ranges of the file that could not be used when it was opened.
  package let gaps: [MCAPGap]
  /// The findings about the file, such as its missing end.
  package let findings: [Finding]

  package let source: any ByteSource
  package let limits: ReadingLimits
  package let cache: MCAPChunkCache
  /// The message positions found by scanning a file without an index.
  let scannedPlaces: [MCAPMessagePlace]?

  /// Whether bytes begin with the signature of an MCAP file.
  package static func recognizes(_ source: any ByteSource) -> Bool {
    let magic = MCAPLayout.magic
    guard source.byteCount >= magic.count else { return false }
    return (try? source.bytes(in: 0..<magic.count)) == magic
  }

  /// Opens a file.
  ///
  /// - Throws: `.malformed` for bytes that are not an MCAP file, `.limitExceeded`, `.missing` if
  ///   they cannot be read. Damage inside the file is not an error but a gap. Cost: the index; the
  ///   whole file if there is none.
  package init(
    source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try Self.requireMagic(source)
    var problem: CaptureReadingError?
    var summary: MCAPSummary?
    do throws(CaptureReadingError) {
      summary = try MCAPSummary(of: source, limits: limits)
      if let summary, summary.isComplete {
        let header = try Self.header(of: source, limits: limits)
        let metadata = try Self.metadata(summary.metadata, source, limits)
        self.init(summary, header: header, metadata: metadata, source, limits)
        return
      }
    } catch {
      if error.reason == .missing { throw error }
      problem = error
    }
    var scan = MCAPScan(
      source, definitions: summary?.usableDefinitions ?? MCAPDefinitions(), limits: limits)
    try scan.run()
    self.init(scan, statistics: summary?.statistics, indexProblem: problem, source, limits)
  }

  private init(
    _ summary: MCAPSummary, header: (profile: String, library: String), metadata: [MCAPMetadata],
    _ source: any ByteSource, _ limits: ReadingLimits
  ) {
    (profile, library) = header
    schemas = summary.definitions.schemas
    channels = summary.definitions.channels
    statistics = summary.statistics
    chunks = summary.chunks
    attachments = summary.attachments
    self.metadata = metadata
    isIndexed = true
    gaps = []
    findings = []
    scannedPlaces = nil
    self.source = source
    self.limits = limits
    cache = MCAPChunkCache(limitBytes: limits.mcapCacheBytes)
  }

  private init(
    _ scan: MCAPScan, statistics: MCAPStatistics?, indexProblem: CaptureReadingError?,
    _ source: any ByteSource, _ limits: ReadingLimits
  ) {
    (profile, library) = (scan.profile, scan.library)
    schemas = scan.definitions.schemas
    channels = scan.definitions.channels
    self.statistics = statistics
    chunks = scan.chunks
    attachments = scan.attachments
    metadata = scan.metadata
    isIndexed = false
    gaps = scan.gaps
    findings = scan.findings(indexProblem: indexProblem)
    scannedPlaces = scan.places
    self.source = source
    self.limits = limits
    cache = MCAPChunkCache(limitBytes: limits.mcapCacheBytes)
  }

  static func requireMagic(_ source: any ByteSource) throws(CaptureReadingError) {
    let magic = MCAPLayout.magic
    let found = try source.bytes(in: 0..<min(magic.count, source.byteCount))
    guard found != magic else { return }
    let isOtherVersion = found.count == magic.count && found.prefix(5) == magic.prefix(5)
    throw CaptureReadingError(
      isOtherVersion ? .unsupported : .malformed, path: ["magic"], offset: 0,
      expected: "the first bytes of MCAP version 0", found: printable(found[...]))
  }

  private static func header(
    of source: any ByteSource, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (profile: String, library: String) {
    let start = MCAPLayout.magic.count
    let end = min(start + MCAPLayout.recordPrefixBytes + limits.stringBytes, source.byteCount)
    var cursor = ByteReader(try source.bytes(in: start..<end)[...], endianness: .little)
    guard case .header(let profile, let library) = try MCAPRecord.next(&cursor) else {
      throw cursor.malformed(expected: "a header", found: "another record")
    }
    return (profile, library)
  }

  private static func metadata(
    _ places: [(name: String, range: Range<Int>)], _ source: any ByteSource,
    _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [MCAPMetadata] {
    var metadata: [MCAPMetadata] = []
    var end = 0
    for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // An index that lists one record twice is invalid, and could list it a million times.
      guard place.range.lowerBound >= end else {
        throw CaptureReadingError(
          .malformed, path: ["summary"], offset: place.range.lowerBound,
          expected: "metadata that do not overlap", found: "two records there")
      }
      end = place.range.upperBound
      try limits.require(
        place.range.count, atMost: limits.metadataBytes, "bytes of a metadata record",
        path: ["metadata"], offset: place.range.lowerBound)
      var cursor = ByteReader(try source.bytes(in: place.range)[...], endianness: .little)
      guard case .metadata(let values) = try MCAPRecord.next(&cursor) else {
        throw cursor.malformed(expected: "metadata", found: "another record")
      }
      metadata.append(values)
    }
    return metadata
  }

  /// Reads an attachment.
  ///
  /// - Throws: `.malformed` if its checksum does not match; `.limitExceeded`.
  package func attachment(
    _ index: MCAPAttachmentIndex
  ) throws(CaptureReadingError) -> MCAPAttachment {
    try limits.require(
      index.range.count, atMost: limits.fileBytes, "bytes of an attachment", path: ["attachment"],
      offset: index.range.lowerBound)
    var cursor = ByteReader(try source.bytes(in: index.range)[...], endianness: .little)
    guard case .attachment(let attachment) = try MCAPRecord.next(&cursor) else {
      throw cursor.malformed(expected: "an attachment", found: "another record")
    }
    return attachment
  }
}
