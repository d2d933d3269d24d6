#if canImport(CMessageDigest)
  import CMessageDigest
#elseif canImport(CryptoKit)
  import CryptoKit
#endif

/// SHA-256 (FIPS 180-4), which names a file by its content in every report.
///
/// The arithmetic is the system's: libmd on Linux, CryptoKit on Apple platforms (untried there).
public enum SHA256Digest {
  /// The digest of bytes as 64 lowercase hexadecimal digits; O(*n*).
  public static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    let digest =
      bytes.withContiguousStorageIfAvailable { digestBytes(of: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { digestBytes(of: $0) }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  #if canImport(CMessageDigest)
    private static func digestBytes(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      var context = SHA2_CTX()
      SHA256Init(&context)
      // A null pointer with no bytes is what an empty collection gives; libmd need not see it.
      if let start = bytes.baseAddress {
        SHA256Update(&context, start.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
      return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
        SHA256Final(buffer.baseAddress, &context)
        count = Int(SHA256_DIGEST_LENGTH)
      }
    }
  #elseif canImport(CryptoKit)
    private static func digestBytes(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      var hash = SHA256()
      hash.update(bufferPointer: bytes)
      return Array(hash.finalize())
    }
  #endif
}
