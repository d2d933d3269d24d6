import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Turns Control-C, the request to end and a terminal that closes into a call; a second one ends the
/// program.
struct SignalTrap {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  init(_ action: @escaping @Sendable () -> Void) {
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        action()
        // A second signal ends the process, for instance when a disk hangs.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  /// Lets signals end the program again.
  func cancel() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}

/// A signal ended work that leaves nothing behind when it is not finished.
struct InterruptedError: Error, CustomStringConvertible {
  var description: String { "interrupted; nothing was written" }
}
