import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Warmth and the rate of depth")
struct ThermalTests {
  static let policy = ThermalPolicy(fullFramesPerSecond: 30, coolingSeconds: 30)

  @Test(
    "Lower first, then stop; a warm depth module counts earlier and more",
    arguments: [
      (ThermalState.nominal, false, 30.0), (.fair, false, 30), (.fair, true, 15),
      (.serious, false, 15), (.serious, true, 7.5), (.critical, false, 0), (.shutdown, true, 0),
    ])
  func table(state: ThermalState, isModuleWarm: Bool, rate: Double) {
    let reading = ThermalReading(state, factors: isModuleWarm ? [.depthModuleTemperature] : [])
    #expect(Self.policy.framesPerSecond(at: reading) == rate)
  }

  @Test("States are ordered as Apple grades them")
  func order() {
    #expect(ThermalState.allCases == ThermalState.allCases.sorted())
    #expect(ThermalState.nominal < .shutdown)
  }

  func expectNothing(
    _ change: DepthRateChange?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(change == nil, sourceLocation: sourceLocation)
  }

  @Test("Warmer counts at once, cooler after half a minute, and both are said")
  func hysteresis() throws {
    var governor = ThermalGovernor(Self.policy)
    expectNothing(governor.take(ThermalReading(.fair), at: 0))
    let lowerChange = governor.take(ThermalReading(.serious), at: 1)
    let lower = try #require(lowerChange)
    #expect(lower.description == "depth runs at 15 instead of 30 fps: the device is serious")
    expectNothing(governor.take(ThermalReading(.nominal), at: 2))
    expectNothing(governor.take(ThermalReading(.nominal), at: 31.9))
    let higherChange = governor.take(ThermalReading(.nominal), at: 32)
    let higher = try #require(higherChange)
    #expect(higher.description == "depth runs at 30 fps again: the device is nominal")
    let stopChange = governor.take(ThermalReading(.critical), at: 33)
    let stop = try #require(stopChange)
    #expect(stop.isStop && stop.description == "depth is stopped: the device is critical")
    let module = ThermalReading(.serious, factors: [.depthModuleTemperature])
    expectNothing(governor.take(module, at: 34))
    let resumedChange = governor.take(module, at: 64)
    let resumed = try #require(resumedChange)
    #expect(
      resumed.description
        == "depth runs at 7.5 instead of 30 fps: the depth module is warm (serious)")
  }

  @Test("A device at an edge does not make the rate flicker")
  func edge() {
    var governor = ThermalGovernor(Self.policy)
    var changes = 0
    for second in 0..<600 {
      let state: ThermalState = second % 20 < 10 ? .serious : .fair
      let change = governor.take(ThermalReading(state), at: Double(second))
      if change != nil { changes += 1 }
    }
    #expect(changes == 1)
    #expect(governor.framesPerSecond == 15)
  }

  @Test("At any time the rate is the lowest allowed within the cooling time", arguments: 0..<20)
  func oracle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var governor = ThermalGovernor(Self.policy)
    var allowed: [Double] = []
    var reading = ThermalReading(.nominal)
    for second in 0..<300 {
      if Int.random(in: 0..<12, using: &generator) == 0 {
        reading = ThermalReading(
          ThermalState.allCases.randomElement(using: &generator) ?? .nominal,
          factors: Bool.random(using: &generator) ? [.depthModuleTemperature] : [])
      }
      _ = governor.take(reading, at: Double(second))
      allowed.append(Self.policy.framesPerSecond(at: reading))
      // Never faster than allowed now, never faster than the slowest of the last half minute allows.
      #expect(governor.framesPerSecond <= Self.policy.framesPerSecond(at: reading))
      // What held until a second ago counts for thirty more: 31 readings.
      #expect(governor.framesPerSecond == allowed.suffix(31).min())
    }
  }
}
