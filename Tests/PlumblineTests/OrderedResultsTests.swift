import Synchronization
import Testing

@testable import Plumbline

/// Results come in the order of their indices, however long each takes.
struct OrderedResultsTests {
  /// Takes longer for some indices, so that threads overtake each other.
  private static func work(_ index: Int) -> UInt64 {
    var value = UInt64(index) &+ 1
    for _ in 0..<((index &* 7919) % 13 * 2000) { value = value &* 6_364_136_223_846_793_005 &+ 1 }
    return value
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 7, 100])
  func orderAndNumber(threads: Int, count: Int) throws {
    let taken = Mutex<[(Int, UInt64)]>([])
    try OrderedWork(count: count, threads: threads).run {
      Self.work($0)
    } take: { index, value in
      taken.withLock { $0.append((index, value)) }
    }
    let results = taken.withLock { $0 }
    #expect(results.map(\.0) == Array(0..<count))
    #expect(results.map(\.1) == (0..<count).map(Self.work))
  }

  @Test("No more results wait than promised")
  func memory() throws {
    let threads = 4
    let state = Mutex((made: 0, taken: 0, most: 0))
    try OrderedWork(count: 200, threads: threads).run { index in
      state.withLock {
        $0.made += 1
        $0.most = max($0.most, $0.made - $0.taken)
      }
      return Self.work(index)
    } take: { _, _ in
      state.withLock { $0.taken += 1 }
    }
    #expect(state.withLock { $0.most } <= 2 * threads)
  }
}
