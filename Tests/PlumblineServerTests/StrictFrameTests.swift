import PlumblineServer
import PlumblineTestSupport
import Testing

@Suite("WebSocket frames by the letter of RFC 6455")
struct StrictFrameTests {
  /// The header of a client's frame with a length of so many bytes, whatever it says.
  private static func header(_ first: UInt8, _ length: [UInt8]) -> [UInt8] {
    [first] + length + [0, 0, 0, 0]
  }

  private static func farewell(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
    WireClient.frame(8, [UInt8(code >> 8), UInt8(code & 255)] + reason)
  }

  /// What is sent, without the payload that it announces, and the code with which the server leaves.
  private static let violations: [(name: String, bytes: [UInt8], code: Int)] = [
    ("16 bits for 125", header(0x81, [0x80 | 126, 0, 125]), 1002),
    ("16 bits for 0", header(0x82, [0x80 | 126, 0, 0]), 1002),
    ("64 bits for 65535", header(0x82, [0x80 | 127, 0, 0, 0, 0, 0, 0, 255, 255]), 1002),
    ("64 bits for 0", header(0x81, [0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 0]), 1002),
    ("the highest of 64 bits", header(0x82, [0x80 | 127, 0x80, 0, 0, 0, 0, 0, 0, 0]), 1002),
    ("16 bits for a ping", header(0x89, [0x80 | 126, 0, 5]), 1002),
    ("reserved bits, before any payload", header(0xC1, [0x80 | 100]), 1002),
    ("an opcode of nobody, before any payload", header(0x83, [0x80 | 100]), 1002),
    ("no mask, before any payload", [0x81, 100], 1002),
    ("a continuation of nothing, before any payload", header(0x80, [0x80 | 100]), 1002),
    (
      "a text within a text, before any payload",
      WireClient.frame(1, [65], isLast: false) + header(0x81, [0x80 | 100]), 1002
    ),
    ("a farewell in fragments", WireClient.frame(8, [3, 232], isLast: false), 1002),
    ("a farewell of one byte", WireClient.frame(8, [3]), 1002),
    ("a farewell without words", WireClient.frame(8, []), 1000),
    ("a reason that is no UTF-8", farewell(1000, [0xff]), 1007),
    ("a reason that ends within a character", farewell(1000, [65, 0xc3]), 1007),
  ]

  @Test("Each violation is answered with its code as soon as its header is there")
  func violations() async throws {
    try await withServer(endpoints: [LiveEndpoint(LiveHub())]) { server in
      for violation in Self.violations {
        for isSlow in [false, true] {
          let client = try await WireClient.webSocket(server, "/api/live")
          if isSlow {
            for byte in violation.bytes { await client.trySend([byte]) }
          } else {
            await client.trySend(violation.bytes)
          }
          #expect(try await client.farewell() == violation.code, "\(violation.name)")
          await client.close()
        }
      }
    }
  }

  @Test("A farewell is answered with its own code, one that nobody may send with 1002")
  func codes() async throws {
    try await withServer(endpoints: [LiveEndpoint(LiveHub())]) { server in
      for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4999] {
        let client = try await WireClient.webSocket(server, "/api/live")
        await client.trySend(Self.farewell(code, Array("Schluß".utf8)))
        #expect(try await client.farewell() == code)
        // Both have said it: there is nothing to wait for.
        try await client.waitForEnd()
      }
      for code in [0, 999, 1004, 1005, 1006, 1012, 1015, 1016, 1100, 2000, 2999, 5000, 65535] {
        let client = try await WireClient.webSocket(server, "/api/live")
        await client.trySend(Self.farewell(code))
        #expect(try await client.farewell() == 1002, "\(code)")
        await client.close()
      }
    }
  }

  @Test("What comes behind a farewell is not looked at, and what came before it is")
  func order() async throws {
    try await withServer(endpoints: [EchoEndpoint()]) { server in
      let client = try await WireClient.webSocket(server, "/echo")
      await client.trySend(
        WireClient.frame(1, Array("before".utf8)) + Self.farewell(1000)
          + WireClient.frame(1, Array("behind".utf8)))
      #expect(try await client.nextFrame().text == "before")
      #expect(try await client.nextFrame().code == 1000)
      try await client.waitForEnd()
    }
  }

  @Test("Sound messages come through however they are fragmented and cut into packets")
  func sound() async throws {
    var generator = SeededGenerator(seed: 18)
    try await withServer(endpoints: [EchoEndpoint()]) { server in
      let client = try await WireClient.webSocket(server, "/echo")
      // Both sides of each width of a length.
      let sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]
      for size in sizes + sizes.shuffled(using: &generator) {
        let message = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var (bytes, start) = ([UInt8](), 0)
        repeat {
          let end = min(size, start + Int.random(in: 0...(size / 2 + 1), using: &generator))
          let part = Array(message[start..<end])
          bytes += WireClient.frame(start == 0 && bytes.isEmpty ? 2 : 0, part, isLast: false)
          bytes += WireClient.frame(10, [1, 2])
          start = end
        } while start < size
        bytes += WireClient.frame(0, [])
        while !bytes.isEmpty {
          let count = min(bytes.count, Int.random(in: 1...(bytes.count / 3 + 8), using: &generator))
          try await client.send(Array(bytes.prefix(count)))
          bytes.removeFirst(count)
        }
        #expect(try await client.nextBinary() == message, "\(size)")
      }
    }
  }

  @Test("A long reason is cut between characters, so that its frame may be sent")
  func reason() async throws {
    try await withServer(endpoints: [EchoEndpoint()]) { server in
      let client = try await WireClient.webSocket(server, "/echo")
      try await client.send(text: "close")
      let frame = try await client.nextFrame()
      #expect(frame.code == 1000 && frame.payload.count <= 125)
      let words = String(validating: frame.payload.dropFirst(2), as: UTF8.self)
      #expect(words.map { !$0.isEmpty && $0.allSatisfy { $0 == "ü" } } == true)
    }
  }

  @Test("Messages that do not end are bounded in sum: who holds most of them is sent away")
  func unfinished() async throws {
    try await withServer({ $0.unfinishedByteLimit = 3 << 20 }, endpoints: [EchoEndpoint()]) {
      server in
      let half = [UInt8](repeating: 7, count: 1 << 20)
      let small = try await WireClient.webSocket(server, "/echo")
      try await small.send(WireClient.frame(2, half, isLast: false))
      // Its frames end, its message does not.
      let large = try await WireClient.webSocket(server, "/echo")
      try await large.send(WireClient.frame(2, half, isLast: false))
      try await large.send(WireClient.frame(0, Array(half[..<(half.count / 2)]), isLast: false))
      let last = try await WireClient.webSocket(server, "/echo")
      await last.trySend(
        Array(WireClient.frame(2, half + half, mask: [0, 0, 0, 0]).dropLast(half.count)))
      #expect(try await large.farewell() == 1008)
      try await large.waitForEnd()
      for client in [small, last] { #expect(!client.isClosed) }
      // What it held is free, and the others end their messages.
      try await small.send(WireClient.frame(0, [1]))
      #expect(try await small.nextBinary() == half + [1])
      try await last.send(half)
      #expect(try await last.nextBinary() == half + half)
    }
  }
}

/// Sends back what comes; `close` ends it with a long reason.
private struct EchoEndpoint: WebSocketEndpoint {
  let path = "/echo"
  let messageByteLimit = 8 << 20

  func open(_ connection: WebSocketConnection) -> any WebSocketReceiver { Echo(connection) }

  private final class Echo: WebSocketReceiver {
    let connection: WebSocketConnection
    init(_ connection: WebSocketConnection) { self.connection = connection }
    func received(text: String) {
      if text == "close" {
        connection.close(reason: String(repeating: "ü", count: 100))
      } else {
        connection.send(WebSocketMessage(text: text))
      }
    }
    func received(binary: [UInt8]) { connection.send(WebSocketMessage(binary: binary)) }
  }
}
