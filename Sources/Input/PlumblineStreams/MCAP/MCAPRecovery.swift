package import PlumblineImages
public import PlumblineIO

/// Makes a sound file of one that a recorder could not finish, or that was damaged.
///
/// The file is read through; chunks whose checksum fits are copied as they are, messages outside of
/// chunks are put into new ones, and index and footer are written again.
public struct MCAPRecovery: Sendable, Hashable {
  /// Chunks that were copied.
  public let chunksKept: Int
  /// Chunks that were seen and could not be used.
  public let chunksDropped: Int
  /// Messages in the new file.
  public let messages: Int
  /// Attachments in the new file.
  public let attachments: Int
  /// Metadata records in the new file.
  public let metadata: Int
  /// Bytes of the old file that could not be used.
  public let bytesLost: Int
  /// What is missing between what was kept.
  public let gaps: [MCAPGap]
  /// Whether the old file ended as it should, with an index.
  public let wasComplete: Bool

  /// Reads a file through and writes what is sound.
  ///
  /// Memory stays at one chunk and the index, whatever the size of the file.
  ///
  /// - Throws: ``Failure``; the output is then unfinished.
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

  /// Which side of a recovery failed.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The old file is no MCAP file, or cannot be read.
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

  /// Reads the file through, with the schemas and channels of its index where that is sound.
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

  /// Copies a chunk, and before it the channels that it takes for granted.
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
