import NIOCore
import PlumblineServer
import PlumblineStreams
import PlumblineTestSupport
import Synchronization
import Testing
@testable import PlumblineIO

@Suite("The places of cameras, and who may have one")
struct RemoteCameraLimitTests {
  private final class Cameras: Sendable {
    let list = Mutex<[RemoteCamera]>([])
  }

  private func endpoint(
    _ cameras: Cameras, _ change: (inout ServerSettings) -> Void = { _ in }
  ) -> IngestEndpoint {
    var settings = ServerSettings()
    change(&settings)
    return IngestEndpoint(hub: LiveHub(), settings: settings, keepsFrames: false) { camera in
      cameras.list.withLock { $0.append(camera) }
    }
  }

  private func greet(_ client: WireClient, _ session: String) async throws -> Int? {
    try await client.send(
      text: #"{"type":"hello","schema":"plumbline.stream/1","session":"\#(session)"}"#)
    return try await client.next("welcome")["next"]?.integer
  }

  private static func message(_ index: Int) -> [UInt8] {
    StreamFrame(sequence: index, capture: SampleCaptures.frame(index)).encoded()
  }

  @Test("Who vanishes leaves its place to who wants it, and comes back while nobody does")
  func places() async throws {
    let cameras = Cameras()
    let publish = endpoint(cameras) {
      $0.remoteCameraLimit = 1
      $0.placeSeconds = 0.3
      $0.resumeSeconds = 600
    }
    try await withServer(endpoints: [publish]) { server in
      let first = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(first, "first")
      let camera = try cameras.list.withLock { try #require($0.last) }
      try await first.send(binary: Self.message(0))
      _ = try await first.next("received")
      await first.close()
      try await Task.sleep(for: .milliseconds(600))
      // No other camera needed its place.
      let again = try await WireClient.webSocket(server, "/api/publish")
      #expect(try await greet(again, "first") == 1)
      // A connected camera keeps its place.
      let second = try await WireClient.webSocket(server, "/api/publish")
      try await second.send(
        text: #"{"type":"hello","schema":"plumbline.stream/1","session":"second"}"#)
      #expect(try await second.next("error")["code"]?.string == "busy")
      await again.close()
      var isWelcome = false
      for _ in 0..<100 where !isWelcome {
        let third = try await WireClient.webSocket(server, "/api/publish")
        isWelcome = (try? await greet(third, "third")) == 0
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(isWelcome && camera.isOver)
      publish.stop()
    }
  }

  @Test("Who says nothing at all is gone; one that sends a large message slowly is not")
  func silence() async throws {
    let publish = endpoint(Cameras()) { $0.silenceSeconds = 2 }
    try await withServer({ $0.pingSeconds = 600 }, endpoints: [publish]) { server in
      let silent = try await WireClient.webSocket(server, "/api/publish")
      try await silent.waitForEnd()
      // A machine that is busy with other tests may hold up this one as well as a silent camera would.
      var isThrough = false
      for attempt in 0..<5 where !isThrough {
        isThrough = (try? await sendSlowly(to: server, session: "slow-\(attempt)")) != nil
      }
      #expect(isThrough)
      publish.stop()
    }
  }

  /// Sends a frame in pieces for longer than a camera may be silent, and waits for its receipt.
  private func sendSlowly(to server: ViewServer, session: String) async throws {
    let client = try await WireClient.webSocket(server, "/api/publish")
    _ = try await greet(client, session)
    let bytes = WireClient.frame(2, Self.message(0))
    // By the connection's own clock, which no other test holds up.
    let channel = client.channel
    for index in 0..<30 {
      let end = index < 29 ? (index + 1) * 30 : bytes.count
      let part = ByteBuffer(bytes: bytes[(index * 30)..<end])
      channel.eventLoop.scheduleTask(in: .milliseconds(100 * Int64(index))) {
        channel.writeAndFlush(part, promise: nil)
      }
    }
    while try await client.next("received")["sequence"]?.integer != 0 {}
  }

  @Test("A frame before hello is refused at its header, before any of it is kept")
  func early() async throws {
    let cameras = Cameras()
    let publish = endpoint(cameras)
    try await withServer(endpoints: [publish]) { server in
      let early = try await WireClient.webSocket(server, "/api/publish")
      await early.trySend(WireClient.frame(2, [1], statedCount: 50 << 20))
      #expect(try await early.next("error")["message"]?.string == "frames before hello")
      #expect(try await early.farewell() == 1008)
      await early.close()
      // A greeting in the same packet is one before it.
      let hello = #"{"type":"hello","schema":"plumbline.stream/1","session":"a"}"#
      let prompt = try await WireClient.webSocket(server, "/api/publish")
      try await prompt.send(
        WireClient.frame(1, Array(hello.utf8)) + WireClient.frame(2, Self.message(0)))
      while try await prompt.next("received")["sequence"]?.integer != 0 {}
      publish.stop()
    }
  }
}
