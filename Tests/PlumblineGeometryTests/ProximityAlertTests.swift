import PlumblineGeometry
import PlumblineTestSupport
import Testing

@Suite struct ProximityAlertTests {
  static func reading(
    _ meters: Double?, sigma: Double? = nil, share: Double = 1
  ) -> ProximityReading {
    ProximityReading(nearestMeters: meters, sigmaMeters: sigma, measuredShare: share)
  }

  /// The states and signals of readings at 10 frames a second.
  static func run(
    _ alert: ProximityAlert, _ readings: [ProximityReading]
  ) -> [ProximityAlert.Event] {
    var alert = alert
    return readings.enumerated().compactMap { alert.next($1, at: Double($0) / 10) }
  }

  @Test func itTellsTheFirstStateAndEachChangeOnce() {
    let far = Array(repeating: Self.reading(2), count: 5)
    let near = Array(repeating: Self.reading(0.3), count: 5)
    let events = Self.run(ProximityAlert(nearMeters: 0.5), far + near + far)
    #expect(events.map(\.state) == [.clear, .near, .clear])
    #expect(events.map(\.isSignal) == [false, true, false])
    #expect(events.map(\.seconds) == [0.1, 0.6, 1.1])
  }

  @Test func noiseAboutTheLimitDoesNotFlutter() {
    var random = SeededGenerator(seed: 3)
    // Closer to the limit than half of the hysteresis of 5 cm.
    let readings = (0..<1000).map { _ in Self.reading(0.5 + random.uniform(in: -0.02..<0.02)) }
    let events = Self.run(ProximityAlert(nearMeters: 0.5), readings)
    #expect(events.filter(\.isChange).count <= 2)
  }

  @Test func signalsKeepTheirDistanceWhateverComes() {
    var random = SeededGenerator(seed: 5)
    let readings = (0..<5000).map { _ in
      Self.reading(
        random.uniform(in: 0..<1) < 0.1 ? nil : random.uniform(in: 0.1..<1.2),
        sigma: random.uniform(in: 0..<0.1), share: random.uniform(in: 0..<1))
    }
    let events = Self.run(ProximityAlert(nearMeters: 0.5, leastIntervalSeconds: 0.7), readings)
    let signals = events.filter(\.isSignal)
    #expect(signals.count > 100)
    for (before, after) in zip(signals, signals.dropFirst()) {
      // The moments are tenths of a second in binary.
      #expect(after.seconds - before.seconds >= 0.7 - 1e-9)
    }
    #expect(signals.allSatisfy { $0.state == .near })
    let changes = events.filter(\.isChange)
    for (before, after) in zip(changes, changes.dropFirst()) {
      #expect(before.state != after.state)
    }
  }

  @Test func theLessCertainTheEarlier() {
    let sure = Array(repeating: Self.reading(0.55, sigma: 0.01), count: 3)
    let unsure = Array(repeating: Self.reading(0.55, sigma: 0.08), count: 3)
    #expect(Self.run(ProximityAlert(nearMeters: 0.5), sure).last?.state == .clear)
    #expect(Self.run(ProximityAlert(nearMeters: 0.5), unsure).last?.state == .near)
  }

  @Test func holesAreNeverClear() {
    let holes = Array(repeating: Self.reading(nil, share: 0.02), count: 5)
    let alert = ProximityAlert(nearMeters: 0.5)
    #expect(Self.run(alert, holes).map(\.state) == [.unknown])
    // A hand that comes nearer than the sensor measures turns into a hole: it is still there.
    let near = Array(repeating: Self.reading(0.2), count: 3)
    let distant = Array(repeating: Self.reading(3, share: 0.05), count: 5)
    #expect(Self.run(alert, near + holes + distant).last?.state == .near)
    let clear = Array(repeating: Self.reading(3, share: 0.5), count: 3)
    #expect(Self.run(alert, near + holes + clear).last?.state == .clear)
  }

  @Test func aClockThatStepsBackDoesNotSilenceIt() {
    var alert = ProximityAlert(nearMeters: 0.5, leastIntervalSeconds: 60, confirmingFrames: 1)
    #expect(alert.next(Self.reading(0.2), at: 1e6)?.isSignal == true)
    #expect(alert.next(Self.reading(0.2), at: 1e6 + 1) == nil)
    #expect(alert.next(Self.reading(0.2), at: 2)?.isSignal == true)
  }
}
