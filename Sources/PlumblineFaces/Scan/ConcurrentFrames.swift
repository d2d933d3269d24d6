internal import Dispatch
internal import Synchronization

/// What a closure gives for each index, in order, worked out on at most `threads` threads.
///
/// The result does not depend on the number of threads.
func concurrentMap<Result: Sendable>(
  _ indices: [Int], threads: Int, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let workers = min(threads, indices.count)
  guard workers > 1 else { return indices.map(body) }
  let results = Mutex<[Int: Result]>([:])
  let next = Atomic<Int>(0)
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while true {
      let place = next.add(1, ordering: .relaxed).oldValue
      guard place < indices.count else { return }
      let result = body(indices[place])
      results.withLock { $0[place] = result }
    }
  }
  return results.withLock { results in indices.indices.compactMap { results[$0] } }
}
