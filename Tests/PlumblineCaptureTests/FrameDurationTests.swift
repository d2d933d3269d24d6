import PlumblineCapture
import PlumblineTestSupport
import Testing

@Suite("Exact frame durations")
struct FrameDurationTests {
  @Test(
    "Usual rates are exact",
    arguments: [(30.0, 1, 30), (60, 1, 60), (7.5, 2, 15), (29.97, 100, 2997), (0.5, 2, 1)])
  func usual(rate: Double, value: Int, timescale: Int) throws {
    let duration = FrameDuration(framesPerSecond: rate)
    #expect(duration.value == Int64(value) && duration.timescale == Int32(timescale))
    #expect(duration.framesPerSecond == rate)
  }

  @Test("Equal durations are equal however they were written, and the order is that of fractions")
  func order() throws {
    var generator = SeededGenerator(seed: 24)
    for _ in 0..<2000 {
      let numbers = (0..<4).map { _ in Int64.random(in: 1...100_000, using: &generator) }
      let a = try #require(FrameDuration(value: numbers[0], timescale: Int32(numbers[1])))
      let b = try #require(FrameDuration(value: numbers[2], timescale: Int32(numbers[3])))
      #expect((a < b) == (numbers[0] * numbers[3] < numbers[2] * numbers[1]))
      #expect((a == b) == (numbers[0] * numbers[3] == numbers[2] * numbers[1]))
      let factor = Int.random(in: 1...8, using: &generator)
      let twice = FrameDuration(
        value: numbers[0] * Int64(factor), timescale: Int32(numbers[1]) * Int32(factor))
      #expect(twice == a)
      #expect(
        a.multiplied(by: factor)?.seconds == Double(numbers[0] * Int64(factor)) / Double(numbers[1])
      )
    }
    #expect(FrameDuration(value: 0, timescale: 1) == nil)
    #expect(FrameDuration(value: 1, timescale: 0) == nil)
    #expect(FrameDuration(value: .max, timescale: 1)?.multiplied(by: 2) == nil)
  }

  @Test("A bound of the camera is passed on as it is, never rounded")
  func bounds() throws {
    let shortest = try #require(FrameDuration(value: 1001, timescale: 30_000))
    let longest = try #require(FrameDuration(value: 1, timescale: 3))
    let range = try #require(FrameRateRange(shortest: shortest, longest: longest))
    #expect(range.duration(framesPerSecond: 30) == shortest)
    #expect(range.duration(framesPerSecond: 29.97) == shortest)
    #expect(range.duration(framesPerSecond: 3) == longest)
    #expect(
      range.duration(framesPerSecond: 30.1) == nil && range.duration(framesPerSecond: 2) == nil)
    #expect(FrameRateRange(shortest: longest, longest: shortest) == nil)
  }

  @Test("Whatever rate is asked for, the range has the duration that is set", arguments: 0..<20)
  func ranges(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let durations = try (0..<2).map { _ in
        try #require(
          FrameDuration(
            value: Int64.random(in: 1...2000, using: &generator),
            timescale: Int32.random(in: 1...60_000, using: &generator)))
      }.sorted()
      let range = try #require(FrameRateRange(shortest: durations[0], longest: durations[1]))
      let rate = Double.random(in: 0.5...240, using: &generator)
      let duration = range.duration(framesPerSecond: rate)
      let isInside = range.framesPerSecond.contains(rate)
      #expect(!isInside || duration != nil)
      if let duration {
        #expect(range.contains(duration))
        // A millionth of a second at most, or the tolerance at a bound.
        #expect(
          abs(duration.framesPerSecond - rate) <= max(0.0501, rate * rate * 1e-6))
      }
      #expect(range.contains(range.nearest(to: FrameDuration(framesPerSecond: rate))))
      #expect([range].nearest(to: durations[0]) == durations[0])
    }
  }
}
