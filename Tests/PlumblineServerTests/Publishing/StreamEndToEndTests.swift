import PlumblineCapture
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineSimulation
import PlumblineTestSupport
import Synchronization
import Testing

/// The whole way: a camera, a publisher, a network, the real server, and what a recording gets there.
///
/// One after the other: other tests beside them watch the server's deadlines.
@Suite("A stream from camera to server", .serialized, .timeLimit(.minutes(5)))
struct StreamEndToEndTests {
  /// Quick attempts, and patience for a machine that is busy with other tests.
  static func settings() -> PublishingSettings {
    var settings = PublishingSettings()
    settings.backoff.firstSeconds = 0.01
    settings.backoff.longestSeconds = 0.05
    (settings.farewellSeconds, settings.silenceSeconds) = (100, 100)
    return settings
  }

  static func publisher(
    _ link: String, settings: PublishingSettings = settings()
  ) throws -> StreamPublisher {
    StreamPublisher(
      to: try StreamLink(link), through: SocketStreamConnector(), name: "A phone",
      settings: settings, clock: .frames)
  }

  /// A few captures, one after the other, as fast as they are taken or at a camera's pace.
  struct Camera: DepthCameraSource {
    let captures: [Capture]
    var pause: Duration?

    func events() -> DepthCameraEvents {
      DepthCameraEvents { buffer throws(DepthCameraError) in
        for capture in captures {
          if let pause {
            try? await Task.sleep(for: pause)
            guard buffer.offer(.capture(capture)) else { return }
          } else {
            guard await buffer.send(.capture(capture)) else { return }
          }
        }
      }
    }
  }

  static func depthBits(_ capture: Capture) -> [UInt32]? {
    switch capture.depth?.values {
    case .depth(let map): map.meters.packed.samples.map(\.bitPattern)
    case .disparity(let map): map.inverseMeters.packed.samples.map(\.bitPattern)
    case .range(let map): map.meters.packed.samples.map(\.bitPattern)
    case nil: nil
    }
  }

  static func expectEqual(_ sent: Capture, _ arrived: Capture) throws {
    #expect(arrived.timestampSeconds == sent.timestampSeconds)
    #expect(arrived.worldFromCamera == sent.worldFromCamera)
    #expect(arrived.colorCalibration == sent.colorCalibration)
    #expect(arrived.depth?.calibration == sent.depth?.calibration)
    #expect(depthBits(arrived) == depthBits(sent))
    #expect(arrived.depth?.confidence?.levels == sent.depth?.confidence?.levels)
    let jpeg = try sent.color.map { try JPEGStreamColor().encoded($0) }
    #expect(arrived.colorFile == jpeg?.file && arrived.colorSize == jpeg?.size)
  }

  @Test("What a simulated camera gives arrives bit by bit, its losses and its warmth too")
  func everything() async throws {
    var simulated = LiveCameraSettings()
    simulated.size = RasterSize(width: 64, height: 48)
    (simulated.scene, simulated.viewCount, simulated.frameLimit) = (.wall, 2, 30)
    simulated.dropShares = [.lateData: 0.1, .outOfBuffers: 0.1]
    simulated.thermalScript = [
      LiveCameraSettings.ThermalMoment(seconds: 0.2, reading: ThermalReading(.fair))
    ]
    let camera = SimulatedDepthCamera(simulated, pace: .asFastAsPossible)
    var (captures, drops) = ([Capture](), [DroppedFrame.Reason: Int]())
    for try await event in camera.events() {
      if case .capture(let capture) = event { captures.append(capture) }
      if case .dropped(let frames) = event { drops[frames.reason, default: 0] += frames.count }
    }
    let recording = RemoteRecording()
    try await withServer(endpoints: [recording.endpoint()]) { server in
      let outcome = try await Self.publisher(server.link).run(camera)
      #expect(outcome.status.acknowledgedFrames == captures.count)
      #expect(outcome.status.keptFrames == 0 && outcome.status.reconnects == 0)
      #expect(outcome.status.drops == drops && !drops.isEmpty)
      let sessions = await recording.sessions()
      #expect(sessions.count == 1)
      let session = try #require(sessions.first)
      #expect(session.drops == drops)
      #expect(session.thermal.last == .fair)
      #expect(session.captures.count == captures.count)
      for (sent, arrived) in zip(captures, session.captures) { try Self.expectEqual(sent, arrived) }
    }
  }

  @Test(
    "Broken off anywhere, in the middle of a frame too, nothing is lost and nothing comes twice",
    arguments: 0..<4 as Range<UInt64>)
  func cuts(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let captures = SampleCaptures.frames(60)
    let count = Int.random(in: 1...6, using: &generator)
    var behavior = CuttingProxy.Behavior()
    // From within the handshake to beyond the last frame.
    behavior.cuts = (0..<count).map { _ in Int.random(in: 1...120_000, using: &generator) }
    let recording = RemoteRecording()
    var serverSettings = ServerSettings()
    serverSettings.resumeSeconds = 100
    try await withServer(endpoints: [recording.endpoint(serverSettings)]) { server in
      let proxy = try await CuttingProxy(to: server, behavior)
      let outcome = try await Self.publisher("http://127.0.0.1:\(proxy.port)/")
        .run(Camera(captures: captures), generator: generator)
      await proxy.stop()
      // The first cut lies within the stream, wherever the others do.
      #expect(proxy.connectionCount > 1 && outcome.status.phase == .ended)
      #expect(outcome.status.acknowledgedFrames == captures.count, "\(outcome)")
      let sessions = await recording.sessions()
      #expect(sessions.count == 1)
      let session = try #require(sessions.first)
      #expect(session.drops.isEmpty)
      #expect(session.captures.map(\.timestampSeconds) == captures.map(\.timestampSeconds))
      for (sent, arrived) in zip(captures, session.captures) { try Self.expectEqual(sent, arrived) }
    }
  }

  @Test("A server that forgot the session gets the rest as a new one, with no frame missing")
  func forgotten() async throws {
    let captures = SampleCaptures.frames(60)
    var behavior = CuttingProxy.Behavior()
    behavior.cuts = [100_000]
    var settings = Self.settings()
    (settings.backoff.firstSeconds, settings.backoff.longestSeconds) = (0.6, 0.6)
    var serverSettings = ServerSettings()
    serverSettings.resumeSeconds = 0.05
    let recording = RemoteRecording()
    try await withServer(endpoints: [recording.endpoint(serverSettings)]) { server in
      let proxy = try await CuttingProxy(to: server, behavior)
      let outcome = try await Self.publisher(
        "http://127.0.0.1:\(proxy.port)/", settings: settings
      ).run(Camera(captures: captures))
      await proxy.stop()
      let sessions = await recording.sessions()
      #expect(sessions.count == 2)
      #expect(sessions.allSatisfy { $0.drops.isEmpty })
      // What was received and not yet acknowledged is there twice, once in each.
      let times = sessions.flatMap(\.captures).compactMap(\.timestampSeconds)
      #expect(Set(times) == Set(captures.compactMap(\.timestampSeconds)))
      #expect(outcome.status.newBeginnings <= 1 && outcome.status.keptFrames == 0)
    }
  }

  @Test("A slow network costs the stream frames, which all are told, and a recording here none")
  func slow() async throws {
    var generator = SeededGenerator(seed: 7)
    let size = RasterSize(width: 240, height: 180)
    // Numbers that no compression makes small.
    let noise = Raster(size: size) { _, _ in Float.random(in: 1...2, using: &generator) }
    let captures = (0..<60).map { index in
      var capture = SampleCaptures.frame(index)
      capture.color = nil
      capture.colorSize = nil
      capture.depth = DepthRecord(values: .depth(DepthMap(meters: noise)), storedType: "fdep")
      return capture
    }
    var behavior = CuttingProxy.Behavior()
    // A fraction of what the camera gives, however busy the machine is.
    behavior.bytesPerSecond = 4 << 20
    let recording = RemoteRecording()
    try await withServer(endpoints: [recording.endpoint()]) { server in
      let proxy = try await CuttingProxy(to: server, behavior)
      let publisher = try Self.publisher("http://127.0.0.1:\(proxy.port)/")
      let relay = DepthCameraRelay(
        Camera(captures: captures, pause: .milliseconds(4)), capacity: 4)
      let here = Mutex(0)
      // The camera starts with its first consumer, which a recording is here.
      let events = relay.events()
      async let recorded: Void = {
        for try await event in events {
          if case .capture = event { here.withLock { $0 += 1 } }
          if case .dropped = event { Issue.record("the recording lost a frame") }
        }
      }()
      let outcome = await publisher.run(relay)
      try await recorded
      await proxy.stop()
      #expect(here.withLock { $0 } == captures.count)
      let session = try #require(await recording.sessions().first)
      let lost = outcome.status.drops[.slowConsumer] ?? 0
      #expect(lost > 0, "the network was not slow: \(outcome.status)")
      #expect(session.drops == [.slowConsumer: lost])
      #expect(session.captures.count == outcome.status.acknowledgedFrames)
      #expect(outcome.status.resentFrames == 0)
      // Those before the welcome do not count; from then on each is there or reported as lost.
      let times = session.captures.compactMap(\.timestampSeconds)
      let first = try #require(times.first)
      let expected = captures.compactMap(\.timestampSeconds).count { $0 >= first }
      #expect(session.captures.count + lost == expected)
    }
  }

  private static func exists(_ program: String) -> Bool {
    (try? ProgramAnswer(of: program, ["version"], seconds: 5)) != nil
  }

  @Test(
    "Encrypted, the certificate of the link is believed and no other; the token must fit",
    .enabled(if: exists("openssl")))
  func encryption() async throws {
    let captures = SampleCaptures.frames(5)
    let recording = RemoteRecording()
    try await withServer(
      {
        $0.encryption = .madeOnTheSpot
        $0.requiresToken = true
      }, endpoints: [recording.endpoint()]
    ) { server in
      let link = try StreamLink(server.link)
      #expect(link.fingerprint == server.fingerprint && link.fingerprint != nil)
      #expect(link.token == server.token)
      let outcome = try await Self.publisher(server.link).run(Camera(captures: captures))
      #expect(outcome.status.acknowledgedFrames == captures.count)

      func failure(_ link: String) async throws -> PublishingFailure? {
        let outcome = try await Self.publisher(link).run(Camera(captures: captures))
        guard case .failed(let failure) = outcome.ending else { return nil }
        return failure
      }
      let found = try #require(server.fingerprint)
      let bare = String(server.link.prefix { $0 != "&" })
      #expect(try await failure(bare) == .connection(.untrusted(found)))
      let other = try #require(CertificateFingerprint(String(repeating: "ab", count: 32)))
      #expect(
        try await failure(bare + "&fp=" + other.hexadecimal)
          == .connection(.otherCertificate(expected: other, found: found)))
      let address = "https://127.0.0.1:\(server.port)/"
      #expect(
        try await failure("\(address)#token=00&fp=\(found.hexadecimal)")
          == .connection(.refused(status: 401)))
      let sessions = await recording.sessions()
      #expect(sessions.map(\.captures.count) == [captures.count])
    }
  }

  @Test("A server without cameras says so, and no server at all is waited for")
  func nobody() async throws {
    try await withServer { server in
      let outcome = try await Self.publisher(server.link).run(Camera(captures: []))
      guard case .failed(.connection(.refused(status: 404))) = outcome.ending else {
        Issue.record("\(outcome)")
        return
      }
      #expect(outcome.summary.contains("takes no cameras"))
    }
    let stop = RecordingStop()
    let outcome = try await Self.publisher("http://127.0.0.1:1/").run(
      Camera(captures: []), stop: stop
    ) { if case .waiting = $0.phase { stop.request() } }
    guard case .stopped = outcome.ending else {
      Issue.record("\(outcome)")
      return
    }
  }
}
