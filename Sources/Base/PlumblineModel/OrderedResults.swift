internal import Dispatch
internal import Synchronization

/// Does the work for every index on at most `threads` threads, and hands the results over in the order
/// of the indices.
///
/// At most `2 · threads` results are in memory, so memory does not grow with `count`.
///
/// - Parameters:
///   - count: The number of indices, from 0 on.
///   - threads: The maximum number of threads; with 1 or less, the caller's thread does everything.
///   - work: Makes the result for an index.
///   - take: Receives each result, one call at a time, on any of the threads.
package func forEachInOrder<Result: Sendable>(
  _ count: Int, threads: Int, work: @Sendable (Int) -> Result,
  take: @Sendable (Int, Result) -> Void
) {
  let workers = min(threads, count)
  guard workers > 1 else {
    for index in 0..<count { take(index, work(index)) }
    return
  }
  let next = Atomic<Int>(0)
  // Work on an index begins only with a free place. Indices are given out in order, so the earliest
  // one that is missing is always being worked on, and its result frees places.
  let places = DispatchSemaphore(value: 2 * workers)
  let waiting = Mutex((results: [Int: Result](), taken: 0))
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while true {
      places.wait()
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < count else {
        places.signal()
        return
      }
      let result = work(index)
      waiting.withLock { waiting in
        waiting.results[index] = result
        while let earliest = waiting.results.removeValue(forKey: waiting.taken) {
          take(waiting.taken, earliest)
          waiting.taken += 1
          places.signal()
        }
      }
    }
  }
}
