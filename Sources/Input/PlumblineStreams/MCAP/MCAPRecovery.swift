package import PlumblineImages
public import PlumblineIO

/// Makes a valid file from one that is unfinished or damaged.
///
/// The file is scanned. Chunks with a correct checksum are copied unchanged, messages outside
/// chunks are put into new chunks, and index and footer are rewritten.
public struct MCAPRecovery: Sendable, Hashable {
  /// The number of chunks that were copied.
  public let chunksKept: Int
  /// The number of chunks that were found but not usable.
  public let chunksDropped: Int
  /// The number of messages in the new file.
  public let messages: Int
  /// The number of attachments in the new file.
  public let attachments: Int
  /// The number of metadata records in the new file.
  public let metadata: Int
  /// The number of bytes of the old file that were not usable.
  public let bytesLost: Int
  /// The gaps between the parts that were kept.
  public let gaps: [MCAPGap]
  /// Whether the old file had a proper end with an index.
  public let wasComplete: Bool

  /// Scans a file and writes its valid parts.
  ///
  /// Memory use is one chunk and the index, for any file size.
  ///
  /// - Throws: ``Failure``; the output is then incomplete.
  package init(
    from source: any ByteSource, to file: any RecordingFile,
    limits: ReadingLimits = ReadingLimits()
  ) throws(Failure) {
    do {
      try self.init(source, file, limits)
    } catch let error as CaptureReadingError {
      throw .reading(error)
    } catch let error as RecordingWritingError {
      throw .writing(error)
    } catch {
      throw .reading(
        CaptureReadingError(.unsupported, expected: "a known error", found: "\(type(of: error))"))
    }
  }

  /// The part of a recovery that failed.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The old file is not an MCAP file, or cannot be read.
    case reading(CaptureReadingError)
    /// The new file cannot be written.
    case writing(RecordingWritingError)

    /// One sentence that is safe to print.
    public var description: String {
      switch self {
      case .reading(let error): error.description
      case .writing(let error): error.description
      }
    }
  }

  private init(
    _ source: any ByteSource, _ file: any RecordingFile, _ limits: ReadingLimits
  ) throws {
    let (scan, isComplete) = try Self.scan(source, limits)
    let definitions = scan.definitions
    var writer = try MCAPWriter(file: file, profile: scan.profile, library: scan.library)
    for (_, schema) in definitions.schemas.sorted(by: { $0.key < $1.key }) {
      try writer.add(schema)
    }
    for (_, channel) in definitions.channels.sorted(by: { $0.key < $1.key }) {
      try writer.add(channel)
    }
    for values in scan.metadata { try writer.addMetadata(values.name, values.values) }
    for index in scan.attachments {
      var cursor = ByteReader(try source.bytes(in: index.range)[...], endianness: .little)
      if case .attachment(let attachment) = try MCAPRecord.next(&cursor) {
        try writer.addAttachment(attachment)
      }
    }
    for (chunk, entries) in zip(scan.chunks, scan.contents) {
      try Self.copy(chunk, entries, definitions, source, &writer)
    }
    for message in scan.looseMessages {
      try writer.write(scan.message(at: message.offset))
    }
    try writer.finish()
    chunksKept = scan.chunks.count
    chunksDropped = scan.chunksDropped
    messages = writer.messageCount
    attachments = scan.attachments.count
    metadata = scan.metadata.count
    bytesLost = scan.gaps.reduce(0) { $0 + $1.range.count }
    gaps = scan.gaps
    wasComplete = isComplete
  }

  /// Scans the file, with the schemas and channels of its index if that is valid.
  private static func scan(
    _ source: any ByteSource, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> (scan: MCAPScan, isComplete: Bool) {
    try MCAPFile.requireMagic(source)
    var summary: MCAPSummary?
    var hasEnd = true
    do throws(CaptureReadingError) {
      summary = try MCAPSummary(of: source, limits: limits)
    } catch {
      if error.reason == .missing { throw error }
      hasEnd = false
    }
    var scan = MCAPScan(
      source, definitions: summary?.usableDefinitions ?? MCAPDefinitions(), limits: limits)
    try scan.run()
    return (scan, hasEnd && scan.isComplete)
  }

  /// Copies a chunk, preceded by channels that it uses but does not declare.
  private static func copy(
    _ chunk: MCAPChunkIndex, _ entries: [UInt16: [MCAPChunkBuilder.Entry]],
    _ definitions: MCAPDefinitions, _ source: any ByteSource, _ writer: inout MCAPWriter
  ) throws {
    let used = entries.keys.sorted().compactMap { definitions.channels[$0] }
    try writer.define(used)
    try writer.append(
      chunk: source.bytes(in: chunk.range)[...], chunk, entries: entries)
  }
}
