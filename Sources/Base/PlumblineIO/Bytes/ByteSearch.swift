#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

extension [UInt8] {
  /// The first position of a byte in `start..<end`, found with `memchr`; O(*n*).
  ///
  /// The base64 text in an XMP packet can be a million bytes without a delimiter.
  package func firstIndex(of byte: UInt8, from start: Int, before end: Int) -> Int? {
    guard start >= 0, start < end, end <= count else { return nil }
    return withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = memchr(base + start, Int32(byte), end - start)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }
}
