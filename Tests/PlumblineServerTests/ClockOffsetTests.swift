import Testing

@testable import PlumblineServer

@Suite("Clocks, rates and latencies")
struct ClockOffsetTests {
  @Test("The fastest of the last sixteen exchanges is believed, off by half its round trip")
  func fastest() {
    var clock = ClockOffset()
    #expect(clock.best == nil)
    clock.add(sentAt: 10, answeredAt: 10.5, clientSeconds: 100)
    clock.add(sentAt: 20, answeredAt: 20.25, clientSeconds: 110)
    clock.add(sentAt: 30, answeredAt: 31, clientSeconds: 120)
    #expect(clock.best?.offsetSeconds == -89.875)
    #expect(clock.best?.plusMinusSeconds == 0.125)
    // Backwards and not finite: ignored.
    clock.add(sentAt: 40, answeredAt: 39, clientSeconds: 0)
    clock.add(sentAt: 40, answeredAt: 40, clientSeconds: .infinity)
    #expect(clock.best?.offsetSeconds == -89.875)
    for second in 0..<16 {
      clock.add(
        sentAt: Double(50 + second), answeredAt: Double(51 + second),
        clientSeconds: Double(140 + second))
    }
    #expect(clock.best?.plusMinusSeconds == 0.5)
  }

  @Test("A rate allows a second's worth at once, and then its pace")
  func rate() {
    var limit = RateLimit(perSecond: 10)
    for _ in 0..<10 {
      let isAllowed = limit.take(atSeconds: 5)
      #expect(isAllowed)
    }
    var isAllowed = limit.take(atSeconds: 5)
    #expect(!isAllowed)
    // One too many was taken; it and the next one have to be earned.
    #expect(abs(limit.waitSeconds - 0.2) < 1e-12)
    isAllowed = limit.take(atSeconds: 5.25)
    #expect(isAllowed)
    isAllowed = limit.take(atSeconds: 5.25)
    #expect(!isAllowed)
    // A clock that goes back earns nothing.
    isAllowed = limit.take(atSeconds: 1)
    #expect(!isAllowed)
  }

  @Test("The median is of the last second alone")
  func latency() {
    var meter = LatencyMeter()
    let start = ContinuousClock.now
    let nothing = meter.medianSeconds(at: start)
    #expect(nothing == nil)
    let latencies: [Double?] = [9, 1, 3, nil, 2]
    for (index, seconds) in latencies.enumerated() {
      meter.add(seconds: seconds, at: start + .milliseconds(400 * index))
    }
    // Those at 0.8, 1.2 and 1.6 s, of which one has none.
    let (median, count) = (
      meter.medianSeconds(at: start + .milliseconds(1600)),
      meter.count(at: start + .milliseconds(1600))
    )
    #expect(median == 2.5)
    #expect(count == 3)
    let late = meter.medianSeconds(at: start + .seconds(9))
    #expect(late == nil)
  }

  @Test("A token is long, never twice the same, and fits itself alone")
  func token() {
    let (one, other) = (AccessToken(), AccessToken())
    #expect(one.text != other.text)
    #expect(one.text.utf8.count == 32)
    #expect(one.matches(one.text))
    #expect(!one.matches(other.text))
    #expect(!one.matches(one.text.dropLast()))
    #expect(!one.matches(""))
  }
}
