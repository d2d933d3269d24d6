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

#if os(Linux)
  import CDecoderSandbox

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// Bytes in memory that goes to workers and that none of them can change.
  package final class SealedMemory: Sendable {
    package let descriptor: CInt

    /// Copies bytes.
    ///
    /// - Throws: `.notStarted` with the system's word where it has no memory.
    package init(_ bytes: [UInt8]) throws(WorkerProcess.Failure) {
      let descriptor = plb_make_sealed(bytes, bytes.count)
      self.descriptor = descriptor
      guard descriptor >= 0 else {
        throw .notStarted(
          "memory for \(bytes.count) bytes: \(String(cString: strerror(-descriptor)))")
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  /// Such memory from the side of a worker, mapped until the process ends.
  package final class MappedMemory: Sendable {
    private nonisolated(unsafe) let start: UnsafeRawPointer
    private let byteCount: Int

    /// Maps the memory behind a descriptor; `nil` where the system refuses.
    package init?(descriptor: CInt, byteCount: Int) {
      guard byteCount > 0, let start = plb_map_sealed(descriptor, byteCount) else { return nil }
      self.start = start
      self.byteCount = byteCount
    }

    /// All of it.
    package var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: start, count: byteCount)
    }
  }
#endif
