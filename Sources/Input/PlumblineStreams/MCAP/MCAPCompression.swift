import PlumblineIO

/// The compression of chunks: by the system's libraries where it has them, else by code of this
/// project (decision 0048).
///
/// - Source: mcap.dev/spec/registry, "Compression formats": `lz4` is the LZ4 frame format.
enum MCAPCompression {
  /// Compresses records; one version of the library gives the same bytes on every run.
  ///
  /// - Precondition: The compression is writable in this build.
  static func compressed(
    _ bytes: ArraySlice<UInt8>, by compression: MCAPWritingOptions.Compression
  ) -> [UInt8] {
    switch compression {
    case .none: return Array(bytes)
    case .lz4:
      #if canImport(CLZ4)
        return SystemLZ4.encoded(bytes)
      #else
        return LZ4Frame.encoded(bytes)
      #endif
    case .zstd:
      #if canImport(CZstd)
        return SystemZstandard.encoded(bytes)
      #else
        preconditionFailure("this build has no encoder for Zstandard")
      #endif
    }
  }

  /// Decompresses records of known size.
  ///
  /// - Parameters:
  ///   - bytes: The compressed records.
  ///   - name: The name of the compression.
  ///   - count: The expected number of bytes, already checked against a limit.
  /// - Returns: The records; without compression the same bytes.
  /// - Throws: `.unsupported` for an unknown name and for what this build cannot decompress;
  ///   `.malformed` when more or fewer bytes result.
  static func decompressed(
    _ bytes: ArraySlice<UInt8>, named name: String, exactly count: Int
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    switch MCAPWritingOptions.Compression(rawValue: name) {
    case .some(.none):
      guard bytes.count == count else { throw malformed(bytes, count, "\(bytes.count)") }
      return bytes
    case .lz4: return try fromLZ4(bytes, exactly: count)[...]
    case .zstd: return try fromZstandard(bytes, exactly: count)[...]
    case nil:
      throw CaptureReadingError(
        .unsupported, path: ["chunk"], offset: bytes.startIndex,
        expected: "chunks that are compressed by lz4, zstd or not at all",
        found: "“\(printable(text: name))”")
    }
  }

  private static func fromLZ4(
    _ bytes: ArraySlice<UInt8>, exactly count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    #if canImport(CLZ4)
      // One byte of LZ4 gives at most 255 bytes.
      guard count / 255 <= bytes.count else {
        throw malformed(bytes, count, "\(bytes.count) of LZ4")
      }
      if let plain = SystemLZ4.decoded(bytes, exactly: count) { return plain }
      // The library does not say where the damage is; the reader of this project does.
      _ = try LZ4Frame.decoded(bytes, exactly: count, path: ["chunk"])
      throw malformed(bytes, count, "broken LZ4 data")
    #else
      return try LZ4Frame.decoded(bytes, exactly: count, path: ["chunk"])
    #endif
  }

  private static func fromZstandard(
    _ bytes: ArraySlice<UInt8>, exactly count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    #if canImport(CZstd)
      guard let plain = SystemZstandard.decoded(bytes, exactly: count) else {
        throw malformed(bytes, count, "broken Zstandard data")
      }
      return plain
    #else
      throw CaptureReadingError(
        .unsupported, path: ["chunk"], offset: bytes.startIndex,
        expected: "chunks that are compressed by lz4 or not at all, since Apple's systems have no "
          + "library for Zstandard",
        found: "zstd")
    #endif
  }

  private static func malformed(
    _ bytes: ArraySlice<UInt8>, _ count: Int, _ found: String
  ) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["chunk"], offset: bytes.startIndex,
      expected: "\(count) bytes of records", found: found)
  }
}
