#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// System calls under other names, for classes whose own methods have the same names, and pairs of
/// sockets that lead to a child process.
package enum SystemPipe {
  /// Makes connected sockets, which programs that are started do not inherit.
  ///
  /// Unlike a pipe, a socket can be written without a signal (SIGPIPE) after its reader has ended. Linux
  /// creates these sockets with close-on-exec already set. Were it set later, a process that another
  /// thread starts in between would inherit the ends and hold them open, and the program would
  /// never see the end of its input.
  ///
  /// - Returns: This process's end, which never blocks, and the child's; `nil` with `errno` set.
  package static func pair() -> (own: CInt, child: CInt)? {
    var ends: [CInt] = [-1, -1]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    #if canImport(Darwin)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var yes: CInt = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
    #endif
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  /// Sends bytes without the signal that a closed reader gives.
  package static func send(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    return send(file, bytes.baseAddress, bytes.count, flags)
  }

  package static func read(_ file: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
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
  package static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
