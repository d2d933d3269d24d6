/// The layout of an MCAP file; the defaults are for a recording that survives a crash.
///
/// - Source: sizes and times, decision 0016.
package struct MCAPWritingOptions: Sendable, Hashable {
  /// The compression of a chunk's records.
  package enum Compression: String, Sendable, CaseIterable {
    /// No compression: fastest to write and to read.
    case none = ""
    /// LZ4 frames.
    case lz4 = "lz4"
    /// Zstandard; written where the system has its library, which Apple's have not.
    case zstd = "zstd"

    /// Whether this build can compress by it.
    package var isWritable: Bool {
      #if canImport(CZstd)
        true
      #else
        self != .zstd
      #endif
    }
  }

  /// The position of schemas and channels in the data section.
  package enum Definitions: Sendable {
    /// Before the first message that needs them, and again in each later chunk, so that a chunk can
    /// be decoded when earlier chunks are lost.
    case inEveryChunk
    /// Once, at the position where they were added.
    case once
  }

  /// The compression of a chunk's records.
  package var compression = Compression.none
  /// The size of records at which a chunk ends, in bytes; a longer message gives a longer chunk.
  package var chunkBytes = 512 << 10
  /// The maximum log time that one chunk may span, in nanoseconds; a crash loses at most this time.
  package var chunkNanoseconds: UInt64 = 250_000_000
  /// Whether messages are put into chunks; without chunks there is no index and no checksum.
  package var isChunked = true
  /// The position of schemas and channels.
  package var definitions = Definitions.inEveryChunk
  /// Whether a message index follows each chunk.
  package var hasMessageIndex = true
  /// Whether the summary lists the chunks.
  package var hasChunkIndex = true
  /// Whether the summary lists the attachments.
  package var hasAttachmentIndex = true
  /// Whether the summary lists the metadata.
  package var hasMetadataIndex = true
  /// Whether the summary contains statistics.
  package var hasStatistics = true
  /// Whether the summary repeats the schemas.
  package var repeatsSchemas = true
  /// Whether the summary repeats the channels.
  package var repeatsChannels = true
  /// Whether the summary offsets are written.
  package var hasSummaryOffsets = true
  /// Whether each chunk has a checksum; without one, damage is not detected.
  package var hasChunkChecksum = true
  /// Whether the checksum of the whole data section is written.
  package var hasDataChecksum = true
  /// Bytes added after the known fields of each record that later versions of the format may
  /// extend; for tests of readers.
  package var padding: [UInt8] = []

  /// The default layout.
  package init() {}
}
