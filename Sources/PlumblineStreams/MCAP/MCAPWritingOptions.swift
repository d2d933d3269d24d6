/// How an MCAP file is laid out; the defaults are those of a recording that survives a crash.
///
/// - Source: sizes and times, decision 0016.
public struct MCAPWritingOptions: Sendable, Hashable {
  /// How the records of a chunk are compressed.
  public enum Compression: String, Sendable, CaseIterable {
    /// Not at all: fastest to write and to read.
    case none = ""
    /// By LZ4 frames.
    case lz4 = "lz4"
    /// By Zstandard.
    case zstd = "zstd"
  }

  /// Where schemas and channels stand in the data section.
  public enum Definitions: Sendable {
    /// Before the first message that needs them, and in each later chunk again, so that a chunk can
    /// be understood when those before it are lost.
    case inEveryChunk
    /// Once, where they were added.
    case once
  }

  /// How the records of a chunk are compressed.
  public var compression = Compression.none
  /// Bytes of records after which a chunk is ended; a longer message makes a longer chunk.
  public var chunkBytes = 512 << 10
  /// Nanoseconds of log time that one chunk may span: what a crash may cost.
  public var chunkNanoseconds: UInt64 = 250_000_000
  /// Whether messages are put into chunks; without them there is no index and no checksum.
  public var isChunked = true
  /// The position of schemas and channels.
  public var definitions = Definitions.inEveryChunk
  /// Whether the times and positions of a chunk's messages follow it.
  public var hasMessageIndex = true
  /// Whether the summary lists the chunks.
  public var hasChunkIndex = true
  /// Whether the summary lists the attachments.
  public var hasAttachmentIndex = true
  /// Whether the summary lists the metadata.
  public var hasMetadataIndex = true
  /// Whether the summary counts the messages.
  public var hasStatistics = true
  /// Whether the summary repeats the schemas.
  public var repeatsSchemas = true
  /// Whether the summary repeats the channels.
  public var repeatsChannels = true
  /// Whether the groups of the summary are listed.
  public var hasSummaryOffsets = true
  /// Whether each chunk has a checksum; without it damage stays unseen.
  public var hasChunkChecksum = true
  /// Whether the checksum of the whole data section is written.
  public var hasDataChecksum = true
  /// Bytes that follow the known fields of each record that later versions of the format may
  /// extend; for tests of readers.
  public var padding: [UInt8] = []

  /// The default layout.
  public init() {}
}
