public import PlumblineModel

/// An MCAP file that is read where it is needed; any number of threads may read at a time.
///
/// A file with an index is opened by reading that alone. One without, such as of a recorder that
/// crashed, is read through once: all its whole chunks count, and ``gaps`` says what does not.
public struct MCAPFile: Sendable {
  /// What its channels obey, such as `ros2`.
  public let profile: String
  /// The program that wrote it.
  public let library: String
  /// The schemas by identifier.
  public let schemas: [UInt16: MCAPSchema]
  /// The channels by identifier.
  public let channels: [UInt16: MCAPChannel]
  /// What the writer counted; `nil` where it did not, or the file was cut.
  public let statistics: MCAPStatistics?
  /// The chunks in the order of the file.
  public let chunks: [MCAPChunkIndex]
  /// The attachments in the order of the file.
  public let attachments: [MCAPAttachmentIndex]
  /// The metadata in the order of the file.
  public let metadata: [MCAPMetadata]
  /// Whether it ends with an index; `false` for a file that was cut.
  public let isIndexed: Bool
  /// Bytes that could not be used when it was opened.
  public let gaps: [MCAPGap]
  /// What is odd about the file, such as its missing end.
  public let findings: [Finding]

  /// Whether bytes begin as an MCAP file does.
  public static func recognizes(_ source: any ByteSource) -> Bool {
    fatalError("skeleton")
  }

  /// Opens a file.
  ///
  /// - Throws: `.malformed` for bytes that are no MCAP file, `.limitExceeded`, `.missing` where they
  ///   cannot be read.
  public init(
    source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    fatalError("skeleton")
  }

  /// Where the messages of some channels are, by ascending log time, equal ones as in the file.
  ///
  /// - Parameter channels: Their identifiers; `nil` for all.
  /// - Throws: `.malformed` for a damaged index. Cost: the index; chunks are read only where they
  ///   have none.
  public func messagePlaces(
    channels: Set<UInt16>? = nil
  ) throws(CaptureReadingError) -> [MCAPMessagePlace] {
    fatalError("skeleton")
  }

  /// Reads one message; neighbors are quick, since the last chunks are kept.
  ///
  /// - Parameter place: One of ``messagePlaces(channels:)``.
  /// - Throws: `.malformed` for a message whose chunk is damaged.
  public func message(at place: MCAPMessagePlace) throws(CaptureReadingError) -> MCAPMessage {
    fatalError("skeleton")
  }

  /// Reads messages by ascending log time, chunk by chunk.
  ///
  /// - Parameters:
  ///   - channels: Their identifiers; `nil` for all.
  ///   - logTimes: The nanoseconds in which they were recorded.
  ///   - body: Called for each.
  /// - Returns: Chunks that were left out because they are damaged.
  /// - Throws: What `body` throws; `.missing` where the file cannot be read.
  public func forEachMessage(
    channels: Set<UInt16>? = nil, logTimes: ClosedRange<UInt64> = 0...UInt64.max,
    _ body: (MCAPMessage) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError) -> [MCAPGap] {
    fatalError("skeleton")
  }

  /// Reads an attachment.
  ///
  /// - Throws: `.malformed` where its checksum fails.
  public func attachment(
    _ index: MCAPAttachmentIndex
  ) throws(CaptureReadingError) -> MCAPAttachment {
    fatalError("skeleton")
  }
}
