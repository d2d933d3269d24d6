import Dispatch
import PlumblineIO
import Synchronization

/// Computes values on several threads, and takes them one after another on the caller's.
///
/// The caller computes too while it waits. At most one value more than there are threads is in memory,
/// and the values are taken in the order of their indices, so that no result depends on the threads.
package struct OrderedWork: Sendable {
  /// The number of values, computed for the indices from 0 on.
  let count: Int
  /// The maximum number of threads, the caller's included; 1 computes each value when it is taken.
  let threads: Int

  /// Describes the work; nothing is computed yet.
  package init(count: Int, threads: Int) {
    self.count = count
    self.threads = threads
  }

  /// Computes and takes all values.
  ///
  /// - Parameters:
  ///   - compute: Makes the value of an index, on any thread.
  ///   - take: Takes the next value, on the caller's thread; what it throws ends the work, and is
  ///     thrown after the values that are being computed are done.
  /// - Throws: What `take` throws.
  package func run<Value: Sendable>(
    _ compute: @escaping @Sendable (Int) -> Value, take: (Int, Value) throws -> Void
  ) throws {
    guard threads > 1, count > 1 else {
      for index in 0..<count { try take(index, compute(index)) }
      return
    }
    let values = OrderedValues(count: count, room: threads + 1, compute)
    let helpers = DispatchGroup()
    let helperCount = min(threads, count) - 1
    // Task-local, so that threads of a queue have none of their own.
    let files = FilesRead.current
    for _ in 0..<helperCount {
      DispatchQueue.global().async(group: helpers) {
        FilesRead.$current.withValue(files) { values.computeAll() }
      }
    }
    defer {
      values.stop(helpers: helperCount)
      helpers.wait()
    }
    for index in 0..<count { try take(index, values.next()) }
  }
}

/// The values that are computed and not taken yet.
private final class OrderedValues<Value: Sendable>: Sendable {
  private struct State {
    var claimed = 0
    var taken = 0
    var isStopped = false
    var values: [Int: Value] = [:]
  }

  private let count: Int
  private let compute: @Sendable (Int) -> Value
  private let state = Mutex(State())
  /// One signal for each value that may still be begun.
  private let room = DispatchSemaphore(value: 0)
  /// One signal for each value that a helper has made.
  private let made = DispatchSemaphore(value: 0)

  init(count: Int, room: Int, _ compute: @escaping @Sendable (Int) -> Value) {
    self.count = count
    self.compute = compute
    for _ in 0..<room { self.room.signal() }
  }

  /// Computes values until all are begun or the work is stopped.
  func computeAll() {
    while true {
      room.wait()
      guard computeNext() else { return }
      made.signal()
    }
  }

  /// The next value in order; computes others while a helper is busy with it.
  ///
  /// - Precondition: It is called once for each value.
  func next() -> Value {
    while true {
      let value = state.withLock { state -> Value? in
        guard let value = state.values.removeValue(forKey: state.taken) else { return nil }
        state.taken += 1
        return value
      }
      if let value {
        room.signal()
        return value
      }
      if room.wait(timeout: .now()) == .success {
        // Where all are begun, a helper has the value that is waited for.
        if !computeNext() { made.wait() }
      } else {
        made.wait()
      }
    }
  }

  /// Lets the helpers end as soon as they have done what they are at.
  func stop(helpers: Int) {
    state.withLock { $0.isStopped = true }
    for _ in 0..<helpers { room.signal() }
  }

  /// Computes the next value; `false` when all are begun, which gives the room back.
  private func computeNext() -> Bool {
    let claimed = state.withLock { state -> Int? in
      guard !state.isStopped, state.claimed < count else { return nil }
      defer { state.claimed += 1 }
      return state.claimed
    }
    guard let claimed else {
      room.signal()
      return false
    }
    // Nothing of this thread holds the value when another one takes it.
    var value: Value? = compute(claimed)
    state.withLock { $0.values[claimed] = value.take() }
    return true
  }
}
