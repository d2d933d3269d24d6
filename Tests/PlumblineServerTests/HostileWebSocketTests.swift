import PlumblineServer
import PlumblineStreams
import PlumblineTestSupport
import Testing

@Suite("WebSocket frames that nobody should send")
struct HostileWebSocketTests {
  private static func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, isMasked: Bool = true,
    reserved: UInt8 = 0, statedCount: Int? = nil
  ) -> [UInt8] {
    WireClient.frame(
      opcode, payload, isLast: isLast, isMasked: isMasked, reserved: reserved,
      statedCount: statedCount)
  }

  /// What is sent, and the code with which the server leaves; RFC 6455, 7.4.1.
  private static let violations: [(name: String, bytes: [UInt8], code: Int)] = [
    ("no mask", frame(1, Array("{}".utf8), isMasked: false), 1002),
    ("a ping without a mask", frame(9, [], isMasked: false), 1002),
    ("reserved bits", frame(1, Array("{}".utf8), reserved: 4), 1002),
    ("an opcode of nobody", frame(3, [1]), 1002),
    ("a control opcode of nobody", frame(11, [1]), 1002),
    ("a continuation of nothing", frame(0, [1]), 1002),
    ("a text within a text", frame(1, [65], isLast: false) + frame(1, [66]), 1002),
    ("a fragmented ping", frame(9, [1], isLast: false), 1002),
    ("a long ping", frame(9, [UInt8](repeating: 1, count: 126)), 1002),
    ("bad UTF-8", frame(1, [0xff, 0xfe]), 1007),
    ("a surrogate", frame(1, [0xed, 0xa0, 0x80]), 1007),
    ("a large message", frame(1, [UInt8](repeating: 65, count: 5000)), 1009),
    ("a length of four gigabytes", frame(1, [65], statedCount: 1 << 32), 1009),
    ("a length beyond all numbers", [0x81, 0xff] + [UInt8](repeating: 0xff, count: 8), 1002),
    (
      "a large sum",
      frame(1, [65], isLast: false)
        + Array(
          (0..<5).map { _ in frame(0, [UInt8](repeating: 65, count: 1000), isLast: false) }
            .joined()), 1009
    ),
    (
      "a flood of empty fragments",
      frame(1, [], isLast: false)
        + Array((0..<5000).map { _ in frame(0, [], isLast: false) }.joined()), 1009
    ),
    ("a flood of pings", Array((0..<200).map { _ in frame(9, [1]) }.joined()), 1008),
    ("a flood of messages", Array((0..<3000).map { _ in frame(1, [0x7b, 0x7d]) }.joined()), 1008),
    ("a frame to a server that sends them", frame(2, [1, 2, 3]), 1003),
    ("good-bye", frame(8, [0x03, 0xe8]), 1000),
  ]

  @Test("Each is answered with its code, and the others go on")
  func violations() async throws {
    let hub = LiveHub()
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let witness = try await WireClient.webSocket(server, "/api/live")
      for violation in Self.violations {
        let client = try await WireClient.webSocket(server, "/api/live")
        await client.trySend(violation.bytes)
        #expect(try await client.farewell() == violation.code, "\(violation.name)")
        await client.trySend(Self.frame(8, [0x03, 0xe8]))
        try await client.waitForEnd()
      }
      let feed = hub.begin("after all of it")
      feed.show(frame: [1, 2, 3], sequence: 0, moment: nil)
      #expect(try await witness.nextBinary() == [1, 2, 3])
    }
  }

  @Test("Noise after the handshake ends that connection alone")
  func noise() async throws {
    let hub = LiveHub()
    let publish = IngestEndpoint(hub: hub, settings: ServerSettings(), keepsFrames: false) { _ in }
    try await withServer(endpoints: [LiveEndpoint(hub), publish]) { server in
      var generator = SeededGenerator(seed: 21)
      for path in ["/api/live", "/api/publish"] {
        for _ in 0..<40 {
          let client = try await WireClient.webSocket(server, path)
          let count = Int.random(in: 1...400, using: &generator)
          await client.trySend(
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
          await client.close()
        }
      }
      // Sound messages with a few bytes changed, by a camera that greeted.
      let message = StreamFrame(sequence: 3, capture: SampleCaptures.frame(0)).encoded()
      for _ in 0..<40 {
        let client = try await WireClient.webSocket(server, "/api/publish")
        try await client.send(
          text: #"{"type":"hello","schema":"plumbline.stream/1","session":"damaged"}"#)
        _ = try await client.next("welcome")
        var damaged = message
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          // Most of the message is numbers that may be anything.
          let index = Int.random(in: 0..<min(900, damaged.count), using: &generator)
          damaged[index] = UInt8.random(in: .min ... .max, using: &generator)
        }
        await client.trySend(WireClient.frame(2, damaged))
        await client.close()
      }
      let witness = try await WireClient.webSocket(server, "/api/live")
      _ = try await witness.next("live")
      let camera = try await WireClient.webSocket(server, "/api/publish")
      try await camera.send(
        text: #"{"type":"hello","schema":"plumbline.stream/1","session":"sound"}"#)
      _ = try await camera.next("welcome")
      try await camera.send(binary: message)
      while try await witness.nextBinary() != message {}
      publish.stop()
    }
  }

  @Test("Pings are answered with what they bring, between the fragments of a message too")
  func ping() async throws {
    let hub = LiveHub()
    let feed = hub.begin("a source")
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let client = try await WireClient.webSocket(server, "/api/live")
      _ = try await client.next("live")
      feed.show(frame: [1], sequence: 0, moment: nil)
      _ = try await client.nextBinary()
      feed.show(frame: [2], sequence: 1, moment: nil)
      _ = try await client.nextBinary()
      feed.show(frame: [3], sequence: 2, moment: nil)
      let shown = Array(#"{"type":"shown","sequence":1}"#.utf8)
      try await client.send(Self.frame(1, Array(shown[..<9]), isLast: false))
      try await client.send(Self.frame(9, [7, 8, 9]))
      while true {
        let frame = try await client.nextFrame()
        if frame.opcode == 10 {
          #expect(frame.payload == [7, 8, 9])
          break
        }
      }
      try await client.send(Self.frame(0, Array(shown[9...])))
      #expect(try await client.nextBinary() == [3])
    }
  }

  @Test("Who answers no ping is let go")
  func silence() async throws {
    try await withServer({ $0.pingSeconds = 0.2 }, endpoints: [LiveEndpoint(LiveHub())]) { server in
      let client = try await WireClient.webSocket(server, "/api/live")
      try await client.waitForEnd()
    }
  }

  @Test("A subprotocol is agreed on, or there is no WebSocket; other origins where it says so")
  func subprotocol() async throws {
    final class Echo: WebSocketReceiver {
      let connection: WebSocketConnection
      init(_ connection: WebSocketConnection) { self.connection = connection }
      func received(text: String) {
        connection.send(WebSocketMessage(text: "\(connection.subprotocol ?? "none"): \(text)"))
      }
      func received(binary: [UInt8]) { connection.send(WebSocketMessage(binary: binary)) }
    }
    struct Endpoint: WebSocketEndpoint {
      let path = "/third"
      let subprotocols = ["new.v2", "old.v1"]
      let allowedOrigins: Set<String> = ["https://app.example"]
      let takesTokenInQuery = true
      let messageByteLimit = 1 << 20
      func open(_ connection: WebSocketConnection) -> any WebSocketReceiver { Echo(connection) }
    }
    try await withServer({ $0.requiresToken = true }, endpoints: [Endpoint()]) { server in
      let path = "/third?token=\(server.token ?? "")"
      let origin = "Origin: https://app.example"
      let client = try await WireClient.connect(server)
      let answer = try await client.upgrade(
        path, headers: [origin, "Sec-WebSocket-Protocol: old.v1, new.v2"])
      #expect(answer.status == 101)
      #expect(answer.headers["sec-websocket-protocol"] == "new.v2")
      #expect(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
      try await client.send(text: "hello")
      #expect(try await client.nextFrame().text == "new.v2: hello")
      let bytes = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 * 7) }
      try await client.send(binary: bytes)
      #expect(try await client.nextBinary() == bytes)
      for headers in [
        [], ["Sec-WebSocket-Protocol: other"],
        ["Origin: https://evil.example", "Sec-WebSocket-Protocol: old.v1"],
        ["Content-Length: 5", "Sec-WebSocket-Protocol: new.v2"],
        ["Transfer-Encoding: chunked", "Sec-WebSocket-Protocol: new.v2"],
      ] {
        let refused = try await WireClient.connect(server)
        #expect(try await refused.upgrade(path, headers: headers).status != 101, "\(headers)")
      }
      let tokenless = try await WireClient.connect(server)
      #expect(
        try await tokenless.upgrade(
          "/third", headers: ["Sec-WebSocket-Protocol: old.v1"]
        ).status != 101)
    }
  }
}
