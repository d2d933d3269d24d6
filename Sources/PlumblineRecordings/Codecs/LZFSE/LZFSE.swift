public import PlumblineIO

/// Apple's LZFSE compression (`COMPRESSION_LZFSE`), as Record3D stores depth and confidence.
///
/// - Source: the public description of Apple's `lzfse` project; see
///   `Documentation/formats/lzfse.md`.
public enum LZFSE {
  /// Decompresses a stream.
  ///
  /// Headers are read first, so the size is known and held against the limit before any memory is
  /// taken. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The whole stream, its end mark included; indices are offsets for errors.
  ///   - limit: The most bytes that may come out.
  /// - Returns: Exactly as many bytes as the headers of its blocks promise.
  /// - Throws: `.malformed` with the position, `.limitExceeded`.
  public static func decoded(
    _ bytes: ArraySlice<UInt8>, atMost limit: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    let blocks = try LZFSEBlock.blocks(of: bytes)
    // At most a block each 8 bytes with 4 GB each: no overflow.
    let count = blocks.reduce(0) { $0 + $1.rawCount }
    guard count <= limit else {
      throw CaptureReadingError(
        .limitExceeded, path: ["LZFSE"], offset: bytes.startIndex,
        expected: "at most \(limit) decompressed bytes", found: "\(count)")
    }
    #if canImport(Compression)
      return try decodedBySystem(bytes, count: count)
    #else
      return try LZFSEDecoder.decoded(bytes, blocks: blocks, count: count)
    #endif
  }
}
