import CLZ4
import CZstd
import PlumblineIO

/// How an MCAP file is laid out; the defaults are those of a recording that survives a crash.
///
/// - Source: sizes and times, decision 0016.
package struct MCAPWritingOptions: Sendable, Hashable {
  /// How the records of a chunk are compressed.
  package enum Compression: String, Sendable, CaseIterable {
    /// Not at all: fastest to write and to read.
    case none = ""
    /// By LZ4 frames.
    case lz4 = "lz4"
    /// By Zstandard.
    case zstd = "zstd"
  }

  /// Where schemas and channels stand in the data section.
  package enum Definitions: Sendable {
    /// Before the first message that needs them, and in each later chunk again, so that a chunk can
    /// be understood when those before it are lost.
    case inEveryChunk
    /// Once, where they were added.
    case once
  }

  /// How the records of a chunk are compressed.
  package var compression = Compression.none
  /// Bytes of records after which a chunk is ended; a longer message makes a longer chunk.
  package var chunkBytes = 512 << 10
  /// Nanoseconds of log time that one chunk may span: what a crash may cost.
  package var chunkNanoseconds: UInt64 = 250_000_000
  /// Whether messages are put into chunks; without them there is no index and no checksum.
  package var isChunked = true
  /// The position of schemas and channels.
  package var definitions = Definitions.inEveryChunk
  /// Whether the times and positions of a chunk's messages follow it.
  package var hasMessageIndex = true
  /// Whether the summary lists the chunks.
  package var hasChunkIndex = true
  /// Whether the summary lists the attachments.
  package var hasAttachmentIndex = true
  /// Whether the summary lists the metadata.
  package var hasMetadataIndex = true
  /// Whether the summary counts the messages.
  package var hasStatistics = true
  /// Whether the summary repeats the schemas.
  package var repeatsSchemas = true
  /// Whether the summary repeats the channels.
  package var repeatsChannels = true
  /// Whether the groups of the summary are listed.
  package var hasSummaryOffsets = true
  /// Whether each chunk has a checksum; without it damage stays unseen.
  package var hasChunkChecksum = true
  /// Whether the checksum of the whole data section is written.
  package var hasDataChecksum = true
  /// Bytes that follow the known fields of each record that later versions of the format may
  /// extend; for tests of readers.
  package var padding: [UInt8] = []

  /// The default layout.
  package init() {}
}

/// The compressions of chunks, by the system's libraries.
///
/// - Source: mcap.dev/spec/registry, "Compression formats": `lz4` is the LZ4 frame format.
enum MCAPCompression {
  /// Compresses records; the same bytes come out on every run with one version of the library.
  static func compressed(
    _ bytes: ArraySlice<UInt8>, by compression: MCAPWritingOptions.Compression
  ) -> [UInt8] {
    switch compression {
    case .none: return Array(bytes)
    case .lz4: return lz4(bytes)
    case .zstd: return zstd(bytes)
    }
  }

  /// Decompresses records of which the size is known.
  ///
  /// - Parameters:
  ///   - bytes: The compressed records.
  ///   - name: The name of the compression.
  ///   - count: The number of bytes that must come out, already held against a limit.
  /// - Returns: The records; without compression the same bytes.
  /// - Throws: `.unsupported` for an unknown name; `.malformed` when more or fewer come out.
  static func decompressed(
    _ bytes: ArraySlice<UInt8>, named name: String, exactly count: Int
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    func malformed(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, path: ["chunk"], offset: bytes.startIndex,
        expected: "\(count) bytes of records", found: found)
    }
    switch MCAPWritingOptions.Compression(rawValue: name) {
    case .some(.none):
      guard bytes.count == count else { throw malformed("\(bytes.count)") }
      return bytes
    case .lz4:
      // LZ4 gives at most 255 bytes for one.
      guard count / 255 <= bytes.count else { throw malformed("\(bytes.count) of LZ4") }
      guard let plain = fromLZ4(bytes, exactly: count) else { throw malformed("broken LZ4 data") }
      return plain[...]
    case .zstd:
      guard let plain = fromZstd(bytes, exactly: count) else {
        throw malformed("broken Zstandard data")
      }
      return plain[...]
    case nil:
      throw CaptureReadingError(
        .unsupported, path: ["chunk"], offset: bytes.startIndex,
        expected: "chunks that are compressed by lz4, zstd or not at all",
        found: "“\(printable(text: name))”")
    }
  }

  private static func lz4(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let capacity = LZ4F_compressFrameBound(bytes.count, nil)
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      bytes.withUnsafeBytes { input in
        count = LZ4F_compressFrame(
          output.baseAddress, capacity, input.baseAddress, input.count, nil)
      }
      // With the capacity of the bound only a lack of memory could make it fail.
      precondition(LZ4F_isError(count) == 0, "LZ4 cannot compress \(bytes.count) bytes")
    }
  }

  private static func zstd(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let capacity = ZSTD_compressBound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      bytes.withUnsafeBytes { input in
        count = ZSTD_compress(output.baseAddress, capacity, input.baseAddress, input.count, 1)
      }
      precondition(ZSTD_isError(count) == 0, "Zstandard cannot compress \(bytes.count) bytes")
    }
  }

  private static func fromLZ4(_ bytes: ArraySlice<UInt8>, exactly count: Int) -> [UInt8]? {
    var context: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0 else {
      return nil
    }
    defer { LZ4F_freeDecompressionContext(context) }
    var isComplete = false
    let plain = [UInt8](unsafeUninitializedCapacity: count) { output, written in
      bytes.withUnsafeBytes { input in
        var read = 0
        while read < input.count, !isComplete {
          var produced = count - written
          var consumed = input.count - read
          let hint = LZ4F_decompress(
            context, output.baseAddress.map { $0 + written }, &produced,
            input.baseAddress.map { $0 + read }, &consumed, nil)
          if LZ4F_isError(hint) != 0 { return }
          written += produced
          read += consumed
          isComplete = hint == 0 && read == input.count
          if produced == 0 && consumed == 0 { return }
        }
      }
    }
    return isComplete && plain.count == count ? plain : nil
  }

  private static func fromZstd(_ bytes: ArraySlice<UInt8>, exactly count: Int) -> [UInt8]? {
    var isComplete = false
    let plain = [UInt8](unsafeUninitializedCapacity: count) { output, written in
      bytes.withUnsafeBytes { input in
        let size = ZSTD_decompress(output.baseAddress, count, input.baseAddress, input.count)
        if ZSTD_isError(size) == 0 {
          written = size
          isComplete = size == count
        }
      }
    }
    return isComplete ? plain : nil
  }
}
