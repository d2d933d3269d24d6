internal import Dispatch
internal import Synchronization

/// Runs a closure for every index on at most `threads` threads.
///
/// Each index must write only data that no other index reads; the result then does not depend on
/// the number of threads.
///
/// - Parameters:
///   - count: The number of indices, from 0 on.
///   - threads: The maximum number of threads; with 1 or less, the caller's thread does everything.
///   - body: The work for one index. Overhead: about 20 µs, so the work for an index should take
///     longer.
package func forEachConcurrently(_ count: Int, threads: Int, _ body: (Int) -> Void) {
  let workers = min(threads, count)
  guard workers > 1 else {
    for index in 0..<count { body(index) }
    return
  }
  // The closure does not outlive this call, and no index reads what another one writes.
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body
    runConcurrently(count, workers: workers) { body($0) }
  }
}

private func runConcurrently(_ count: Int, workers: Int, _ body: @Sendable (Int) -> Void) {
  let next = Atomic<Int>(0)
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      body(index)
    }
  }
}
