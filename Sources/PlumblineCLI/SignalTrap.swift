import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Turns Control-C and the polite request to end into a call; a second one ends the program.
struct SignalTrap {
  private let sources: [any DispatchSourceSignal]

  init(_ action: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        action()
        // Whoever is impatient may end a disk that hangs.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  /// Lets signals end the program again.
  func cancel() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
