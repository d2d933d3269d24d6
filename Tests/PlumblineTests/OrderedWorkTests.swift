import Synchronization
import Testing

@testable import Plumbline

/// Values that are computed on several threads and taken in order.
struct OrderedWorkTests {
  /// Counts the values that exist at a time.
  private final class Census: Sendable {
    private let numbers = Mutex((now: 0, most: 0))
    func come() {
      numbers.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    }
    func go() { numbers.withLock { $0.now -= 1 } }
    var most: Int { numbers.withLock { $0.most } }
    var now: Int { numbers.withLock { $0.now } }
  }

  private final class Value: Sendable {
    let index: Int
    let census: Census
    init(_ index: Int, _ census: Census) {
      self.index = index
      self.census = census
      census.come()
    }
    deinit { census.go() }
  }

  private struct Stop: Error {}

  @Test("Every value comes once and in order, and few are in memory", arguments: [1, 2, 3, 8])
  func order(threads: Int) throws {
    let census = Census()
    for count in [0, 1, 2, 7, 2000] {
      var taken: [Int] = []
      try OrderedWork(count: count, threads: threads).run { index in
        Value(index, census)
      } take: { index, value in
        #expect(index == value.index)
        taken.append(value.index)
      }
      #expect(taken == Array(0..<count))
      #expect(census.now == 0)
    }
    // Those with room, and the one that is being taken: flat in the number of frames.
    #expect(census.most <= threads + 2, "\(census.most)")
  }

  @Test("What taking throws ends the work, and no thread goes on", arguments: [1, 2, 5])
  func ended(threads: Int) {
    let census = Census()
    let begun = Census()
    #expect(throws: Stop.self) {
      try OrderedWork(count: 1000, threads: threads).run { index in
        begun.come()
        return Value(index, census)
      } take: { index, _ in
        if index == 10 { throw Stop() }
      }
    }
    #expect(census.now == 0)
    #expect(begun.most <= 11 + threads + 1)
  }
}
