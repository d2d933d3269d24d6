internal import PlumblineModel
internal import Synchronization

/// What a closure gives for each index, in order, worked out on at most `threads` threads.
///
/// The result does not depend on the number of threads.
func concurrentMap<Result: Sendable>(
  _ indices: [Int], threads: Int, _ body: @Sendable (Int) -> Result
) -> [Result] {
  let results = Mutex<[Int: Result]>([:])
  forEachConcurrently(indices.count, threads: threads) { place in
    let result = body(indices[place])
    results.withLock { $0[place] = result }
  }
  return results.withLock { results in indices.indices.compactMap { results[$0] } }
}
