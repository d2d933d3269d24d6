import Dispatch
import Plumbline
import PlumblineIO
import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A capture that was found.
struct FoundCapture: Sendable, Hashable {
  let path: String
  /// What is at the path; `nil` for nothing.
  let identity: CaptureIdentity?
}

/// Captures that a thread finds, for another one to take; no more than some wait in memory.
final class CaptureQueue: Sendable {
  private struct State {
    var captures: [FoundCapture] = []
    /// The place of the next one.
    var next = 0
    var isAtEnd = false
    var isStopped = false
    var failure: InputError?
  }

  /// How many may wait.
  private static let room = 4_096
  private let state = Mutex(State())
  /// It begins at 0, since one that is released with less than it began with ends the program.
  private let free = DispatchSemaphore(value: 0)
  private let wake: Wake

  /// Starts to search on a thread of its own.
  ///
  /// - Parameters:
  ///   - search: What finds them.
  ///   - wake: Is signaled when there is something to take.
  init(_ search: CaptureSearch, wake: Wake) {
    self.wake = wake
    for _ in 0..<Self.room { free.signal() }
    DispatchQueue(label: "captures").async { [self] in
      var failure: InputError?
      do throws(InputError) { try search.run { add($0) } } catch { failure = error }
      state.withLock {
        $0.isAtEnd = true
        $0.failure = failure
      }
      wake.signal()
    }
  }

  private func add(_ path: String) -> Bool {
    let capture = FoundCapture(path: path, identity: CaptureIdentity(path: path))
    free.wait()
    let (isFirst, goesOn) = state.withLock { state in
      state.captures.append(capture)
      return (state.captures.count == 1, !state.isStopped)
    }
    if isFirst { wake.signal() }
    return goesOn
  }

  /// What can be taken.
  enum Next {
    case capture(FoundCapture)
    /// Nothing now; the wake is signaled when there is.
    case later
    /// Nothing any more.
    case end
  }

  /// Takes the next capture.
  ///
  /// - Throws: ``InputError`` for a list that could not be read, after all that was in it before.
  func next() throws(InputError) -> Next {
    let (next, failure) = state.withLock { state -> (Next, InputError?) in
      guard state.next < state.captures.count else {
        return state.isAtEnd ? (.end, state.failure) : (.later, nil)
      }
      let capture = state.captures[state.next]
      state.next += 1
      if state.next == state.captures.count {
        state.captures.removeAll(keepingCapacity: true)
        state.next = 0
      }
      return (.capture(capture), nil)
    }
    if let failure { throw failure }
    if case .capture = next { free.signal() }
    return next
  }

  /// Ends the search as soon as it finds the next capture.
  func stop() {
    state.withLock { $0.isStopped = true }
    // The search may wait for room.
    free.signal()
  }
}

/// Wakes a thread that waits for descriptors, from any other thread or a handler of signals.
package final class Wake: Sendable {
  /// What the waiting thread polls for reading.
  let descriptor: CInt
  private let end: CInt

  /// Makes a pair of sockets; without any (too many files are open) a waiting thread looks again by itself.
  package init() {
    let pair = SystemPipe.pair() ?? (own: -1, child: -1)
    (descriptor, end) = (pair.own, pair.child)
    if end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    for file in [descriptor, end] where file >= 0 { close(file) }
  }

  /// Wakes it; a second signal before it looks changes nothing.
  package func signal() {
    guard end >= 0 else { return }
    _ = [UInt8(1)].withUnsafeBytes { SystemPipe.send(end, $0) }
  }

  /// Takes back the signals that came.
  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while SystemPipe.read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}

/// Asks a run to begin nothing more.
package final class BatchStop: Sendable {
  private let flag = Atomic(false)
  let wake = Wake()

  /// Creates a request that was not made yet.
  package init() {}

  /// Whether it was made.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Makes the request; from any thread.
  package func request() {
    flag.store(true, ordering: .relaxed)
    wake.signal()
  }
}
