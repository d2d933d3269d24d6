import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls a closure on Control-C, on a request to terminate and when the terminal closes; a second signal
/// ends the program, for instance when a disk hangs.
struct SignalTrap {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  init(_ action: @escaping @Sendable () -> Void) {
    Self.holdBack()
    let trap = Occurrence()
    sources = Self.numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if trap.wasSet() { Self.end(by: number) } else { action() }
      }
      source.resume()
      return source
    }
  }

  /// Lets signals end the program again.
  func cancel() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
    Self.letThrough(Self.numbers)
  }

  /// Keeps signals from ending the program until the sources take them, which begins some time later.
  ///
  /// On Linux a signal that is ignored would be lost in that time; one that is blocked waits. On Darwin a
  /// source sees ignored signals.
  private static func holdBack() {
    #if os(Linux)
      var signals = set(of: numbers)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    #else
      for number in numbers { signal(number, SIG_IGN) }
    #endif
  }

  private static func letThrough(_ numbers: [CInt]) {
    var signals = set(of: numbers)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func set(of numbers: [CInt]) -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    return signals
  }

  /// Ends the program as the signal does by default.
  private static func end(by number: CInt) {
    signal(number, SIG_DFL)
    letThrough([number])
    kill(getpid(), number)
  }
}

/// Whether something happened before.
final class Occurrence: Sendable {
  private let value = Atomic(false)

  /// Sets the flag and says whether it was set.
  func wasSet() -> Bool { value.exchange(true, ordering: .relaxed) }

  /// Whether it is set.
  var isSet: Bool { value.load(ordering: .relaxed) }
}
