internal import Dispatch
internal import Synchronization

/// Runs a closure for every index on at most `threads` threads.
///
/// Each index must write only what no other reads: then the result does not depend on the number of
/// threads.
///
/// - Parameters:
///   - count: How many indices there are, from 0 on.
///   - threads: How many threads work at most; 1 or less runs everything on the caller's.
///   - body: What is done for an index. Cost: some 20 µs beside the work, so an index should be worth more.
package func forEachConcurrently(_ count: Int, threads: Int, _ body: (Int) -> Void) {
  let workers = min(threads, count)
  guard workers > 1 else {
    for index in 0..<count { body(index) }
    return
  }
  // The closure does not outlive this call, and its indices share nothing that one of them writes.
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
