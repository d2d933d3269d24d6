#if os(Linux)
  import CDecoderSandbox

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// Memory shared by a program and its worker; it is unmapped when this object is released.
  ///
  /// Its size is fixed at creation, so the other side cannot shrink it. The other side may write to
  /// it at any time, so data must be copied before they are checked.
  package final class SharedRegion: Sendable {
    /// The first byte; one thread at a time uses a region.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// Its size.
    package let byteCount: Int

    /// Maps the memory of a descriptor, which stays open; `nil` if the system refuses.
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

  /// Read-only memory for workers, which none of them can change.
  package final class SealedMemory: Sendable {
    package let descriptor: CInt

    /// Copies bytes.
    ///
    /// - Throws: `.notStarted` with the system's error if there is no memory.
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

  /// The worker's mapping of such memory, until the process ends.
  package final class MappedMemory: Sendable {
    private nonisolated(unsafe) let start: UnsafeRawPointer
    private let byteCount: Int

    /// Maps the memory of a descriptor; `nil` if the system refuses.
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
