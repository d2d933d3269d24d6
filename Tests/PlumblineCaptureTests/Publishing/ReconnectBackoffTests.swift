import PlumblineTestSupport
import Testing

@testable import PlumblineCapture

@Suite("Waits between attempts")
struct ReconnectBackoffTests {
  @Test("They double up to the bound, each between half of it and all", arguments: 0..<20)
  func doubling(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = ReconnectBackoff()
    for bound in [0.5, 1, 2, 4, 8] + [Double](repeating: 8, count: 100) {
      let seconds = backoff.nextSeconds(using: &generator)
      #expect((bound / 2...bound).contains(seconds))
    }
    backoff.reset()
    #expect(backoff.nextSeconds(using: &generator) <= 0.5)
  }

  @Test("An equal seed waits equally, another one differently")
  func seeds() {
    func waits(_ seed: UInt64) -> [Double] {
      var generator = SeededGenerator(seed: seed)
      var backoff = ReconnectBackoff()
      return (0..<5).map { _ in backoff.nextSeconds(using: &generator) }
    }
    #expect(waits(3) == waits(3))
    #expect(waits(3) != waits(4))
  }

  @Test("The clock of frames is that of the least delayed one; without frames there is none")
  func frameClock() {
    var clock = SenderClockReading(.frames)
    #expect(clock.seconds(at: 5) == nil)
    clock.take(timestampSeconds: 1000, arrivedAt: 2.5)
    clock.take(timestampSeconds: 1001, arrivedAt: 3.25)
    clock.take(timestampSeconds: .nan, arrivedAt: 0)
    clock.take(timestampSeconds: nil, arrivedAt: 0)
    #expect(clock.seconds(at: 5) == 5 - (3.25 - 1001))
    // A delay that has grown is believed once the frames before it are forgotten.
    for index in 0..<64 {
      clock.take(timestampSeconds: Double(index), arrivedAt: Double(index) + 1)
    }
    #expect(clock.seconds(at: 5) == 4)
  }
}
