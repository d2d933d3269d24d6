#if canImport(CMessageDigest)
  import CMessageDigest
#elseif canImport(CryptoKit)
  import CryptoKit
#endif

/// MD5 (RFC 1321), by which XMP names packets that are split; nothing is protected by it.
///
/// The arithmetic is the system's: libmd on Linux, CryptoKit on Apple platforms (untried there).
package enum MD5Digest {
  /// The digest of bytes as 32 uppercase hexadecimal digits, as XMP writes it; O(*n*).
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  #if canImport(CMessageDigest)
    private static func digest(of bytes: [UInt8]) -> [UInt8] {
      var context = MD5_CTX()
      MD5Init(&context)
      if !bytes.isEmpty { MD5Update(&context, bytes, bytes.count) }
      return [UInt8](unsafeUninitializedCapacity: Int(MD5_DIGEST_LENGTH)) { buffer, count in
        MD5Final(buffer.baseAddress, &context)
        count = Int(MD5_DIGEST_LENGTH)
      }
    }
  #elseif canImport(CryptoKit)
    private static func digest(of bytes: [UInt8]) -> [UInt8] {
      var hash = Insecure.MD5()
      bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
      return Array(hash.finalize())
    }
  #endif
}
