#if os(Linux) || os(macOS)
  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #elseif canImport(Darwin)
    private import Darwin
  #endif

  /// System calls under other names, for classes whose own methods have the same names.
  enum SystemPipe {
    static func read(_ file: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
      #if canImport(Glibc)
        Glibc.read(file, bytes, count)
      #elseif canImport(Musl)
        Musl.read(file, bytes, count)
      #else
        Darwin.read(file, bytes, count)
      #endif
    }

    static func send(
      _ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: CInt
    ) -> Int {
      #if canImport(Glibc)
        Glibc.send(file, bytes, count, flags)
      #elseif canImport(Musl)
        Musl.send(file, bytes, count, flags)
      #else
        Darwin.send(file, bytes, count, flags)
      #endif
    }

    /// The monotonic clock in milliseconds.
    static func milliseconds() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
  }
#endif
