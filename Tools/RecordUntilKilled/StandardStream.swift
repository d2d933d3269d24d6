#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Standard output.
enum StandardStream {
  /// Hands what was printed to the system.
  static func flush() { _ = fflush(nil) }
}
