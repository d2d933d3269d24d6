/// The gzip format (RFC 1952), as HTTP's `Content-Encoding` names it.
///
/// For other targets that send files which are ready before any request.
package enum GzipStream {
  /// Packs bytes with a level from 1 (fast) to 9 (small).
  ///
  /// No name and no time are in it: the same bytes come out on every run with one version of zlib.
  /// O(*n*).
  package static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    // Mark, deflate, no flags, no time, no extra flags, an unknown system.
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    packed += RawDeflate.deflated(bytes, level: level)
    packed.appendLittleEndian(ZlibStream.crc32(bytes[...]))
    packed.appendLittleEndian(UInt32(truncatingIfNeeded: bytes.count))
    return packed
  }
}
