import PlumblineCapture
import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@Suite("The simulated live camera")
struct SimulatedDepthCameraTests {
  /// Small and quick: 64×48, two views.
  static func settings(_ frames: Int) -> LiveCameraSettings {
    var settings = LiveCameraSettings()
    settings.size = RasterSize(width: 64, height: 48)
    settings.scene = .wall
    settings.viewCount = 2
    settings.frameLimit = frames
    return settings
  }

  static func events(_ settings: LiveCameraSettings) async throws -> [DepthCameraEvent] {
    var events: [DepthCameraEvent] = []
    let camera = SimulatedDepthCamera(settings, pace: .asFastAsPossible)
    for try await event in camera.events() { events.append(event) }
    return events
  }

  /// One line for each event with all numbers that may differ.
  static func texts(_ events: [DepthCameraEvent]) -> [String] {
    events.map { event in
      switch event {
      case .capture(let capture):
        "capture \(capture.timestampSeconds ?? -1) "
          + "\(capture.depth?.calibration?.intrinsics.focalLength.x ?? -1) "
          + "\(capture.worldFromCamera?.translation ?? .zero) "
          + "\(capture.color?.samples.hashValue ?? 0)"
      default: "\(event)"
      }
    }
  }

  static func captures(_ events: [DepthCameraEvent]) -> [Capture] {
    events.compactMap { if case .capture(let capture) = $0 { capture } else { nil } }
  }

  static func drops(_ events: [DepthCameraEvent]) -> [DroppedFrame.Reason: Int] {
    events.reduce(into: [:]) { drops, event in
      if case .dropped(let frames) = event { drops[frames.reason, default: 0] += frames.count }
    }
  }

  @Test("Without faults every frame comes, on the grid, complete")
  func plain() async throws {
    let events = try await Self.events(Self.settings(30))
    let captures = Self.captures(events)
    #expect(captures.count == 30 && Self.drops(events).isEmpty)
    for (index, capture) in captures.enumerated() {
      #expect(abs((capture.timestampSeconds ?? 0) - 1000 - Double(index) / 60) < 1e-9)
      #expect(capture.color?.size == RasterSize(width: 64, height: 48))
      #expect(capture.depth?.size == RasterSize(width: 64, height: 48))
      #expect(capture.worldFromCamera != nil && capture.provenance.first?.name == "simulated")
    }
    let focal = captures.prefix(2).compactMap { $0.depth?.calibration?.intrinsics.focalLength.x }
    // The focal length breathes by 2e-4 from view to view.
    #expect(focal.count == 2 && abs(focal[1] / focal[0] - 1.0002) < 1e-9)
    #expect(captures[0].worldFromCamera != captures[1].worldFromCamera)
  }

  @Test("Equal seeds give equal events, other seeds other ones, and the pace changes nothing")
  func determinism() async throws {
    var settings = Self.settings(40)
    settings.dropShares = [.lateData: 0.2, .outOfBuffers: 0.2]
    settings.jitterSeconds = 0.002
    settings.latencySpreadSeconds = 0.03
    let first = Self.texts(try await Self.events(settings))
    #expect(first == Self.texts(try await Self.events(settings)))
    let clock = InstantClock()
    var live: [DepthCameraEvent] = []
    let camera = SimulatedDepthCamera(settings, capacity: 1000, clock: clock)
    for try await event in camera.events() { live.append(event) }
    #expect(Self.captures(live).count == Self.captures(try await Self.events(settings)).count)
    #expect(clock.sleeps == clock.sleeps.sorted())
    settings.seed = 2
    #expect(first != Self.texts(try await Self.events(settings)))
  }

  @Test("Each color frame is delivered or accounted for, with the shares that were asked for")
  func drops() async throws {
    var settings = Self.settings(2000)
    settings.dropShares = [.lateData: 0.1, .outOfBuffers: 0.05]
    settings.jitterSeconds = 0.001
    let events = try await Self.events(settings)
    let drops = Self.drops(events)
    #expect(Self.captures(events).count + drops.values.reduce(0, +) == 2000)
    // Binomial counts of 2000 draws: 13.4 and 9.7 of one sigma; five of them are allowed.
    #expect(abs((drops[.lateData] ?? 0) - 200) < 67)
    #expect(abs((drops[.outOfBuffers] ?? 0) - 100) < 49)
    #expect(drops.count == 2)
    let times = Self.captures(events).compactMap(\.timestampSeconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Depth at half the rate leaves every other color frame without it")
  func halfRate() async throws {
    var settings = Self.settings(60)
    settings.depthFramesPerSecond = 30
    let events = try await Self.events(settings)
    #expect(Self.captures(events).count == 30)
    #expect(Self.drops(events) == [.noDepth: 30])
  }

  @Test("Slow transport makes depth late")
  func late() async throws {
    var settings = Self.settings(200)
    settings.latencySpreadSeconds = 0.1
    let drops = Self.drops(try await Self.events(settings))
    // exp(−0.18 / 0.1) = 16.5 % exceed the limit: 33 ± 5.3 of 200; five sigma are allowed.
    #expect(abs((drops[.lateData] ?? 0) - 33) < 27 && drops.count == 1)
  }

  @Test("An interruption is a discontinuity, a failure ends everything after what waits")
  func faults() async throws {
    var settings = Self.settings(60)
    settings.interruptions = [0.2..<0.4]
    #expect(Self.drops(try await Self.events(settings)) == [.discontinuity: 12])
    settings.interruptions = []
    settings.failureSeconds = 0.5
    var frames = 0
    do {
      let camera = SimulatedDepthCamera(settings, pace: .asFastAsPossible)
      for try await event in camera.events() {
        if case .capture = event { frames += 1 }
      }
      Issue.record("no failure")
    } catch { #expect(error.description.contains("failed")) }
    #expect(frames == 30)
  }

  @Test("Warmth halves the rate, then stops the camera, and both are said")
  func warmth() async throws {
    var settings = Self.settings(600)
    settings.thermalScript = [
      .init(seconds: 1, reading: ThermalReading(.serious)),
      .init(seconds: 2, reading: ThermalReading(.critical)),
    ]
    let events = try await Self.events(settings)
    let changes = events.compactMap { if case .depthRate(let change) = $0 { change } else { nil } }
    #expect(changes.map(\.framesPerSecond) == [30, 0])
    #expect(Self.captures(events).count == 90)
    #expect(Self.drops(events) == [.noDepth: 30])
    let log = MemoryWriter.Log()
    var recorder = CaptureRecorder(writer: MemoryWriter(log))
    let outcome = await recorder.record(
      SimulatedDepthCamera(settings, pace: .asFastAsPossible))
    guard case .tooWarm = outcome.ending else {
      Issue.record("\(outcome.ending)")
      return
    }
    #expect(log.times.count == 90 && outcome.statistics.warmest == .critical)
  }

  @Test("A slow consumer of a live camera loses frames, and the losses are counted")
  func slowConsumer() async throws {
    let camera = SimulatedDepthCamera(Self.settings(500), capacity: 2, clock: InstantClock())
    var (frames, lost) = (0, 0)
    for try await event in camera.events() {
      switch event {
      case .capture:
        frames += 1
        for _ in 0..<50 { await Task.yield() }
      case .dropped(let some):
        #expect(some.reason == .slowConsumer)
        lost += some.count
      default: break
      }
    }
    #expect(frames + lost == 500)
  }

  @Test("LiDAR comes in meters with confidence, color larger than depth")
  func lidar() async throws {
    var settings = Self.settings(1)
    settings.camera = .lidar
    settings.viewCount = 1
    let capture = try #require(Self.captures(try await Self.events(settings)).first)
    let record = try #require(capture.depth)
    #expect(record.size == RasterSize(width: 256, height: 192) && record.storedType == "fdep")
    #expect(record.confidence?.maximumLevel == 2 && capture.source.camera == .lidar)
    guard case .depth(let depth) = record.values else {
      Issue.record("no depth")
      return
    }
    // The wall of a single view stands at 0.3 m; the sensor's sigma there is 4.2 mm.
    let middle = depth.meters[128, 96]
    #expect(abs(middle - 0.3) < 0.03)
  }
}
