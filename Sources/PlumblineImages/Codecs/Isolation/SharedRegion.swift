#if os(Linux)
  import CDecoderSandbox

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// Memory that a program and its worker both see, unmapped with its last use.
  ///
  /// Its size is fixed when it is made: the other side cannot cut it. The other side may write to it
  /// at any time, so what is read from it is copied first and checked then.
  package final class SharedRegion: Sendable {
    /// Its first byte; one thread at a time works on a region.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// Its size.
    package let byteCount: Int

    /// Maps the memory behind a descriptor, which stays open; `nil` where the system refuses.
    package init?(descriptor: CInt, byteCount: Int) {
      guard byteCount > 0, let start = plb_map_region(descriptor, byteCount) else { return nil }
      self.start = start
      self.byteCount = byteCount
    }

    deinit { munmap(start, byteCount) }

    /// All of it.
    package var bytes: UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }
  }
#endif
