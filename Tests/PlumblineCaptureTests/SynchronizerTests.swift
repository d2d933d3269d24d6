import PlumblineCapture
import PlumblineTestSupport
import Testing

@Suite("Synchronizing outputs")
struct SynchronizerTests {
  /// A collection as text: its time, and for each output its datum, `-` for none, `!` for a loss.
  static func text(_ collections: [SynchronizedData<Int>]) -> [String] {
    collections.map { collection in
      let entries = collection.entries.indices.map { index in
        collection.datum(of: index).map(String.init)
          ?? collection.droppedReason(of: index).map { "!\($0.rawValue)" } ?? "-"
      }
      return "\(collection.timestampSeconds): " + entries.joined(separator: " ")
    }
  }

  func expect(
    _ collections: [SynchronizedData<Int>], _ texts: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(Self.text(collections) == texts, sourceLocation: sourceLocation)
  }

  @Test("A master is held until the others have delivered its time or a later one")
  func holds() {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2)
    expect(synchronizer.deliver(1, at: 1, from: 0), [])
    expect(synchronizer.deliver(10, at: 1, from: 1), ["1.0: 1 10"])
    expect(synchronizer.deliver(2, at: 2, from: 0), [])
    // Depth of time 3 shows that time 2 has none: nil, which is no loss.
    let collections = synchronizer.deliver(30, at: 3, from: 1)
    #expect(Self.text(collections) == ["2.0: 2 -"])
    #expect(collections[0].droppedReason(of: 1) == nil && collections[0].isMaster)
    expect(synchronizer.finish(), ["3.0: - 30"])
  }

  @Test("What is known to be absent is not waited for")
  func absent() {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2)
    _ = synchronizer.deliver(1, at: 1, from: 0)
    expect(synchronizer.pass(1, until: 1), ["1.0: 1 -"])
    expect(synchronizer.pass(1, until: 0.5), [])
  }

  @Test("Data before the master come in collections of their own")
  func early() {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2)
    expect(synchronizer.deliver(5, at: 0.5, from: 1), [])
    let collections = synchronizer.deliver(1, at: 1, from: 0)
    #expect(Self.text(collections) == ["0.5: - 5"])
    #expect(!collections[0].isMaster)
  }

  @Test("Losses keep their reasons", arguments: [DroppedFrame.Reason.lateData, .outOfBuffers])
  func losses(reason: DroppedFrame.Reason) {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2)
    _ = synchronizer.deliver(1, at: 1, from: 0)
    let collections = synchronizer.drop(reason, at: 1, from: 1)
    #expect(collections[0].droppedReason(of: 1) == reason)
    #expect(collections[0].datum(of: 1) == nil)
  }

  @Test("A clock that goes backwards or is no number is a discontinuity")
  func backwards() {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2)
    _ = synchronizer.deliver(1, at: 1, from: 0)
    for time in [1, 0.5, .infinity] {
      let collections = synchronizer.deliver(2, at: time, from: 0)
      #expect(collections.count == 1 && collections[0].droppedReason(of: 0) == .discontinuity)
    }
    let nan = synchronizer.deliver(2, at: .nan, from: 1)
    #expect(nan[0].droppedReason(of: 1) == .discontinuity)
  }

  @Test("A silent output delays others by no more than the capacity, and what it brings is late")
  func bounded() {
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 2, capacity: 3)
    var sent: [String] = []
    for frame in 0..<10 {
      sent += Self.text(synchronizer.deliver(frame, at: Double(frame), from: 0))
    }
    #expect(sent.count == 7)
    #expect(sent.first == "0.0: 0 -")
    let late = synchronizer.deliver(99, at: 2, from: 1)
    #expect(late[0].droppedReason(of: 1) == .lateData)
    expect(synchronizer.deliver(98, at: 8, from: 1), ["7.0: 7 -", "8.0: 8 98"])
  }

  /// Everything ever delivered is kept, and each call checks all of it again.
  struct SlowSynchronizer {
    var history: [(output: Int, seconds: Double, datum: Int)] = []
    var known: [Double]
    var sent: Set<Double> = []

    mutating func deliver(_ datum: Int, at seconds: Double, from output: Int) -> [String] {
      history.append((output, seconds, datum))
      known[output] = seconds
      return complete()
    }

    mutating func finish() -> [String] {
      known = known.map { _ in .infinity }
      return complete()
    }

    private mutating func complete() -> [String] {
      let limit = known.min() ?? 0
      let times = Set(history.map(\.seconds)).filter { $0 <= limit && !sent.contains($0) }.sorted()
      sent.formUnion(times)
      return times.map { time in
        let entries = known.indices.map { output in
          history.first { $0.output == output && $0.seconds == time }.map { "\($0.datum)" } ?? "-"
        }
        return "\(time): " + entries.joined(separator: " ")
      }
    }
  }

  @Test(
    "Random arrivals are joined as the slow twin joins them, whoever is faster", arguments: 0..<30)
  func oracle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let outputs = Int.random(in: 1...4, using: &generator)
    // Times from a coarse grid, so that outputs often share them.
    let queues = (0..<outputs).map { output in
      (0..<40).filter { _ in Double.random(in: 0..<1, using: &generator) < 0.6 }.map {
        (seconds: Double($0) / 4, datum: 100 * output + $0)
      }
    }
    var results: [[String]] = []
    for _ in 0..<3 {
      var fast = CaptureSynchronizer<Int>(outputCount: outputs, capacity: 100)
      var slow = SlowSynchronizer(known: Array(repeating: -.infinity, count: outputs))
      var next = Array(repeating: 0, count: outputs)
      var all: [String] = []
      while let output = queues.indices.filter({ next[$0] < queues[$0].count })
        .randomElement(using: &generator)
      {
        let datum = queues[output][next[output]]
        next[output] += 1
        let collections = Self.text(fast.deliver(datum.datum, at: datum.seconds, from: output))
        let expected = slow.deliver(datum.datum, at: datum.seconds, from: output)
        #expect(collections == expected)
        all += collections
      }
      let rest = Self.text(fast.finish())
      let expected = slow.finish()
      #expect(rest == expected)
      results.append(all + rest)
    }
    #expect(results[0] == results[1] && results[1] == results[2])
  }

  @Test("With little room nothing is lost silently and time never goes back", arguments: 0..<20)
  func conservation(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var synchronizer = CaptureSynchronizer<Int>(outputCount: 3, capacity: 2)
    var next = [0, 0, 0]
    var delivered = 0
    var late = 0
    var count = 0
    var last = -Double.infinity
    func take(_ collections: [SynchronizedData<Int>]) {
      for collection in collections {
        let data = (0..<3).compactMap { collection.datum(of: $0) }.count
        let losses = (0..<3).compactMap { collection.droppedReason(of: $0) }
        delivered += data
        late += losses.count
        #expect(losses.allSatisfy { $0 == .lateData })
        if data > 0 {
          #expect(collection.timestampSeconds > last)
          last = collection.timestampSeconds
        }
      }
    }
    for _ in 0..<200 {
      let output = Int.random(in: 0..<3, using: &generator)
      next[output] += Int.random(in: 1...3, using: &generator)
      count += 1
      take(synchronizer.deliver(count, at: Double(next[output]), from: output))
    }
    take(synchronizer.finish())
    #expect(delivered + late == count)
  }
}
