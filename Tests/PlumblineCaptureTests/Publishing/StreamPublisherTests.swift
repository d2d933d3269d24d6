import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Synchronization
import Testing

@testable import PlumblineCapture

@Suite("A stream's run", .timeLimit(.minutes(1)))
struct StreamPublisherTests {
  /// The messages that a server received.
  final class Log: Sendable {
    let messages = Mutex<[StreamMessage]>([])
    let frames = Mutex<[StreamFrameHeader]>([])

    /// A server that takes everything and follows the protocol.
    func connection(
      next: Int = 0,
      onFrame: @escaping @Sendable (Int, MemoryStreamServer.Connection) -> Void = { _, _ in }
    ) -> MemoryStreamServer.Connection {
      MemoryStreamServer.Connection { [self] message, connection in
        switch message {
        case .text(let text):
          guard let message = try? StreamMessage(text) else { return }
          messages.withLock { $0.append(message) }
          if case .hello(let session, _) = message {
            connection.say(.welcome(session: session, next: next, stored: nil))
          }
          if case .bye = message { connection.close() }
        case .binary(let bytes):
          guard let header = try? StreamFrameHeader(bytes) else { return }
          frames.withLock { $0.append(header) }
          connection.say(.received(sequence: header.sequence, stored: nil))
          onFrame(header.sequence, connection)
        }
      }
    }
  }

  struct Frames: DepthCameraSource {
    let count: Int
    func events() -> DepthCameraEvents {
      DepthCameraEvents { [count] buffer throws(DepthCameraError) in
        for index in 0..<count { await buffer.send(.capture(SampleCaptures.frame(index))) }
      }
    }
  }

  static func settings() -> PublishingSettings {
    var settings = PublishingSettings()
    settings.backoff.firstSeconds = 0.001
    settings.backoff.longestSeconds = 0.002
    return settings
  }

  static func publisher(
    _ server: MemoryStreamServer, _ settings: PublishingSettings = settings()
  ) throws -> StreamPublisher {
    StreamPublisher(
      to: try StreamLink("http://127.0.0.1:1/"), through: server, name: "A phone", session: "one",
      settings: settings, clock: .frames)
  }

  @Test("Hello, frames, good-bye; what the camera says is passed on, and the clock is told")
  func conversation() async throws {
    let log = Log()
    let server = MemoryStreamServer([
      .connects {
        log.connection { sequence, connection in
          if sequence == 2 { connection.say(.clock(id: 7, seconds: nil)) }
        }
      }
    ])
    let source = DepthCameraEvents { buffer throws(DepthCameraError) in
      await buffer.send(.thermal(ThermalReading(.fair)))
      for index in 0..<5 {
        await buffer.send(.capture(SampleCaptures.frame(index)))
        await buffer.send(
          .dropped(DroppedFrame(timestampSeconds: nil, reason: .noDepth, count: 2)))
      }
    }
    struct Source: DepthCameraSource {
      let events_: DepthCameraEvents
      func events() -> DepthCameraEvents { events_ }
    }
    let outcome = try await Self.publisher(server).run(Source(events_: source))
    guard case .sourceEnded = outcome.ending else { throw Failure(what: "\(outcome)") }
    #expect(outcome.status.acknowledgedFrames == 5 && outcome.status.keptFrames == 0)
    #expect(outcome.status.drops == [.noDepth: 10])
    #expect(log.frames.withLock { $0.map(\.sequence) } == [0, 1, 2, 3, 4])
    let messages = log.messages.withLock { $0 }
    #expect(messages.first == .hello(session: "one", name: "A phone"))
    #expect(messages.last == .bye && messages.contains(.thermal(.fair)))
    let losses = messages.reduce(0) {
      if case .dropped("noDepth", let count) = $1 { $0 + count } else { $0 }
    }
    #expect(losses == 10)
    let clocks = messages.compactMap {
      if case .clock(7, let seconds) = $0 { seconds } else { nil }
    }
    // The third frame's own time, and what has passed since.
    #expect(clocks.count <= 1 && clocks.allSatisfy { $0 >= 100 && $0 < 200 })
    #expect(outcome.summary == "streamed 5 frames, lost: 10 without depth")
  }

  @Test(
    "A camera's own color file is sent as it is, and encoded anew where it is too large",
    arguments: [nil, 96, 40, 20] as [Int?])
  func colorFiles(maximumSide: Int?) async throws {
    let log = Log()
    let server = MemoryStreamServer([.connects { log.connection() }])
    let image = try ColorFileTests.image()
    let source = DepthCameraEvents { buffer throws(DepthCameraError) in
      var maker = ColorFileMaker(quality: 95)
      for index in 0..<2 {
        var capture = SampleCaptures.frame(index)
        capture.setColor(image, as: .file(quality: 95, previewSide: 24), &maker) { nil }
        await buffer.send(.capture(capture))
      }
    }
    struct Source: DepthCameraSource {
      let events_: DepthCameraEvents
      func events() -> DepthCameraEvents { events_ }
    }
    let publisher = StreamPublisher(
      to: try StreamLink("http://127.0.0.1:1/"), through: server, name: "A phone", session: "one",
      settings: Self.settings(), color: JPEGStreamColor(maximumSide: maximumSide), clock: .frames)
    let outcome = await publisher.run(Source(events_: source))
    #expect(outcome.status.acknowledgedFrames == 2)
    // Of full size, and not of the preview beside it.
    let expected = image.rgb.reduced(toMaximumSide: maximumSide ?? 96).size
    let sizes = log.frames.withLock { frames in
      frames.map { $0.parts.first { $0.name == "color" }?.size }
    }
    #expect(sizes == [expected, expected])
  }

  struct Failure: Error { let what: String }

  @Test("A wrong token ends it at once; a server that is not there is tried again")
  func refusals() async throws {
    let log = Log()
    let busy = MemoryStreamServer([
      .fails(.unreachable("no route")),
      .fails(.refused(status: 429)),
      .connects {
        MemoryStreamServer.Connection { _, connection in
          connection.say(.error(code: "busy", message: "too many"))
        }
      }, .connects { log.connection() },
    ])
    let outcome = try await Self.publisher(busy).run(Frames(count: 3))
    #expect(outcome.status.acknowledgedFrames == 3 && busy.count == 4)

    let locked = MemoryStreamServer([
      .fails(.refused(status: 401))
    ])
    let refused = try await Self.publisher(locked).run(Frames(count: 3))
    guard case .failed(.connection(.refused(status: 401))) = refused.ending else {
      throw Failure(what: "\(refused)")
    }
    #expect(locked.count == 1 && refused.summary.hasPrefix("the server wants another token"))

    let old = MemoryStreamServer([
      .connects {
        MemoryStreamServer.Connection { _, connection in
          connection.say(.error(code: "schema", message: "plumbline.stream/9"))
        }
      }
    ])
    let other = try await Self.publisher(old).run(Frames(count: 3))
    guard case .failed(.refused("schema", _)) = other.ending else {
      throw Failure(what: "\(other)")
    }
  }

  @Test("Stopped while the server is away, it ends in time and says what is not acknowledged")
  func stop() async throws {
    let log = Log()
    let server = MemoryStreamServer([
      .connects { log.connection { _, connection in connection.close() } },
      .fails(.unreachable("gone")),
    ])
    var settings = Self.settings()
    settings.farewellSeconds = 0.05
    let stop = RecordingStop()
    let outcome = try await Self.publisher(server, settings).run(Frames(count: 1000), stop: stop) {
      if case .waiting = $0.phase { stop.request() }
    }
    guard case .stopped = outcome.ending else { throw Failure(what: "\(outcome)") }
    #expect(outcome.status.keptFrames > 0)
    #expect(outcome.summary.hasSuffix("\(outcome.status.keptFrames) not acknowledged"))
  }

  @Test("A server that says nothing is left; a canceled stream ends")
  func silence() async throws {
    let log = Log()
    let server = MemoryStreamServer([
      .connects { MemoryStreamServer.Connection { _, _ in } }, .connects { log.connection() },
    ])
    var settings = Self.settings()
    settings.silenceSeconds = 0.05
    // The second server is as silent after its welcome, so that only few frames fit in.
    let outcome = try await Self.publisher(server, settings).run(Frames(count: 2))
    #expect(outcome.status.acknowledgedFrames == 2 && server.count >= 2)

    let endless = try Self.publisher(MemoryStreamServer([.connects { log.connection() }]))
    let task = Task {
      await endless.run(SilentCamera())
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    #expect(await task.value.status.phase == .ended)
  }

  struct SilentCamera: DepthCameraSource {
    func events() -> DepthCameraEvents { DepthCameraEvents { _ in {} } }
  }

  @Test("A camera's failure is told after what came before it was sent")
  func failure() async throws {
    struct Failing: DepthCameraSource {
      func events() -> DepthCameraEvents {
        DepthCameraEvents { buffer throws(DepthCameraError) in
          await buffer.send(.capture(SampleCaptures.frame(0)))
          throw .failed("dropped on the floor")
        }
      }
    }
    let log = Log()
    let outcome = try await Self.publisher(MemoryStreamServer([.connects { log.connection() }]))
      .run(Failing())
    guard case .cameraFailed = outcome.ending else { throw Failure(what: "\(outcome)") }
    #expect(outcome.status.acknowledgedFrames == 1)
    #expect(log.messages.withLock { $0.last } == .bye)
  }
}
