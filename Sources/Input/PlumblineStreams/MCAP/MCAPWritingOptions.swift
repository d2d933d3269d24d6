import CLZ4
import CZstd
import PlumblineIO

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
    /// Zstandard.
    case zstd = "zstd"
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

/// The compression of chunks, with the system's libraries.
///
/// - Source: mcap.dev/spec/registry, "Compression formats": `lz4` is the LZ4 frame format.
enum MCAPCompression {
  /// Compresses records; one version of the library gives the same bytes on every run.
  static func compressed(
    _ bytes: ArraySlice<UInt8>, by compression: MCAPWritingOptions.Compression
  ) -> [UInt8] {
    switch compression {
    case .none: return Array(bytes)
    case .lz4: return lz4(bytes)
    case .zstd: return zstd(bytes)
    }
  }

  /// Decompresses records of known size.
  ///
  /// - Parameters:
  ///   - bytes: The compressed records.
  ///   - name: The name of the compression.
  ///   - count: The expected number of bytes, already checked against a limit.
  /// - Returns: The records; without compression the same bytes.
  /// - Throws: `.unsupported` for an unknown name; `.malformed` when more or fewer bytes result.
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
      // One byte of LZ4 gives at most 255 bytes.
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
      // With a buffer of the maximum size, only a lack of memory could make it fail.
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
