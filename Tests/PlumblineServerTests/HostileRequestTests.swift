import PlumblineServer
import PlumblineExport
import Testing

@Suite("Connections that ask too slowly, too much or not at all")
struct HostileRequestTests {
  /// Sends a byte after the other until the connection is gone.
  private func trickle(_ text: String, to client: WireClient) async throws {
    for byte in text.utf8 {
      if client.isClosed { return }
      await client.trySend([byte])
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func status(_ client: WireClient) -> String {
    String(decoding: client.received.prefix(12), as: UTF8.self)
  }

  @Test("Slow headers end, whatever trickles in; the others are served meanwhile")
  func slowHeaders() async throws {
    try await withServer({ $0.headerSeconds = 0.3 }) { server in
      var clients: [WireClient] = []
      for _ in 0..<20 { clients.append(try await WireClient.connect(server)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in clients {
          group.addTask {
            try await trickle(
              "GET /api/view HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 2000), to: client)
          }
        }
        let other = try await WireClient.connect(server)
        #expect(try await other.request("/api/view").status == 200)
        try await group.waitForAll()
      }
      for client in clients {
        try await client.waitForEnd()
        #expect(status(client) == "HTTP/1.1 408")
      }
    }
  }

  @Test("Slow bodies end too")
  func slowBody() async throws {
    try await withServer({ $0.bodySeconds = 0.3 }) { server in
      let client = try await WireClient.connect(server)
      try await client.send(
        "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 4000\r\n\r\n"
      )
      try await trickle(String(repeating: "x", count: 4000), to: client)
      try await client.waitForEnd()
      #expect(status(client) == "HTTP/1.1 408")
    }
  }

  @Test("Who says nothing is let go, before the first request and after it")
  func idle() async throws {
    try await withServer({ $0.idleSeconds = 2 }) { server in
      let once = try await WireClient.connect(server)
      #expect(try await once.request("/api/view").status == 200)
      let silent = try await WireClient.connect(server)
      try await silent.waitForEnd()
      try await once.waitForEnd()
    }
  }

  @Test("Long headers and bodies are refused, known and unknown ones")
  func sizes() async throws {
    try await withServer { server in
      let long = try await WireClient.connect(server)
      await long.trySend(
        Array(("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 4000)).utf8))
      try await long.waitForEnd()
      // Whichever counts first, the decoder or the deadline before it.
      #expect(["HTTP/1.1 400", "HTTP/1.1 431"].contains(status(long)))

      let line = try await WireClient.connect(server)
      await line.trySend(Array(("GET /" + String(repeating: "a", count: 40_000)).utf8))
      try await line.waitForEnd()

      for (path, method, header) in [
        ("/api/session", "POST", "Content-Length: 100000"),
        ("/api/session", "POST", "Content-Length: 99999999999999999999"),
        // More than `Int` holds, and taken by the decoder.
        ("/api/session", "POST", "Content-Length: 9223372036854775808"),
        ("/api/session", "POST", "Content-Length: 18446744073709551615"),
        ("/api/view", "GET", "Content-Length: 10"),
        ("/api/view", "GET", "Transfer-Encoding: chunked"),
      ] {
        let client = try await WireClient.connect(server)
        try await client.send(
          "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(header)\r\n\r\n")
        let answer = try await client.answer()
        #expect([400, 413].contains(answer.status), "\(header)")
        try await client.waitForEnd()
      }

      // Chunks without a stated end.
      let chunked = try await WireClient.connect(server)
      try await chunked.send(
        "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<50 where !chunked.isClosed {
        await chunked.trySend(
          Array(("400\r\n" + String(repeating: "x", count: 1024) + "\r\n").utf8))
      }
      try await chunked.waitForEnd()
      #expect(status(chunked) == "HTTP/1.1 413")
    }
  }

  @Test(
    "What is no HTTP ends at once and harms nobody",
    arguments: [
      "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}", "HELO mail\r\n\r\n",
      "\r\n\r\n\r\n\r\n\0",
      "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
      "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
  func noise(text: String) async throws {
    try await withServer({ $0.headerSeconds = 1 }) { server in
      let client = try await WireClient.connect(server)
      await client.trySend(Array(text.utf8))
      try await client.waitForEnd()
      let other = try await WireClient.connect(server)
      #expect(try await other.request("/api/view").status == 200)
    }
  }

  @Test("Half-closed sockets and sudden ends leave nothing behind")
  func halfClosed() async throws {
    try await withServer { server in
      for text in [
        "", "GET /api", "GET /api/view HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n",
      ] {
        for _ in 0..<5 {
          let client = try await WireClient.connect(server)
          try await client.send(text)
          // Only the sending half, where the system still knows the other side.
          await client.close(sendingOnly: true)
          try await client.waitForEnd()
        }
      }
      for _ in 0..<1000 where server.connectionCount > 0 {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(server.connectionCount == 0)
    }
  }

  @Test("Requests sent ahead are answered one after the other, to a client that takes the answers")
  func pipelining() async throws {
    try await withServer { server in
      let client = try await WireClient.connect(server)
      let request = "GET /api/items/7 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
      try await client.send(String(repeating: request, count: 50))
      for _ in 0..<50 { #expect(try await client.answer().status == 200) }
    }
  }

  @Test("A client that takes no answer is dropped")
  func stalledDownload() async throws {
    struct Large: ViewContent {
      func response(to request: ViewRequest) async -> ViewResponse {
        ViewResponse(mediaType: "text/plain", bytes: [UInt8](repeating: 7, count: 24 << 20))
      }
    }
    try await withServer({ $0.stallSeconds = 0.3 }, content: Large()) { server in
      let client = try await WireClient.connect(server)
      try await client.stopReading()
      try await client.send("GET /api/view HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
      for _ in 0..<4000 where server.connectionCount > 0 {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(server.connectionCount == 0)
    }
  }

  @Test("A large answer comes whole, in pieces; clients that take none hold little of it")
  func pieces() async throws {
    struct Large: ViewContent {
      func response(to request: ViewRequest) async -> ViewResponse {
        ViewResponse(
          mediaType: "text/plain",
          bytes: (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9) })
      }
    }
    try await withServer({ $0.responseByteLimit = 1 }, content: Large()) { server in
      let client = try await WireClient.connect(server)
      for _ in 0..<2 {
        let answer = try await client.request("/api/view")
        let expected = await Large().response(to: .overview).bytes
        #expect(answer.headers["content-length"] == "3000001" && answer.body == expected)
      }
      #expect(try await client.request("/api/view", method: "HEAD").body.isEmpty)
      #expect(try await client.request("/viewer/cloud.js").status == 200)
    }
  }

  @Test("What is expected is answered: a word before a body that may come, 417 to anything else")
  func expectations() async throws {
    try await withServer { server in
      let start = "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
      let client = try await WireClient.connect(server)
      try await client.send(start + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(try await client.answer().status == 100)
      try await client.send("{}")
      #expect(try await client.answer().status == 204)
      // Without a body there is nothing to wait for.
      #expect(
        try await client.request("/api/view", headers: ["Expect: 100-Continue"]).status == 200)
      let other = try await client.request("/api/view", headers: ["Expect: miracles"])
      #expect(other.status == 417)
      #expect(String(decoding: other.body, as: UTF8.self).contains(#""code":"expectation""#))
      try await client.waitForEnd()
      for length in ["Content-Length: 99999", "Content-Length: 5000000000"] {
        let large = try await WireClient.connect(server)
        try await large.send(start + "Expect: 100-continue\r\n\(length)\r\n\r\n")
        #expect(try await large.answer().status == 413)
        try await large.waitForEnd()
      }
    }
  }

  @Test("Where the house is full, who waits longest for a request makes room; who is served stays")
  func fullHouse() async throws {
    try await withServer(
      {
        $0.connectionLimit = 8
        $0.connectionLimitOfLoopback = 8
      }, endpoints: [LiveEndpoint(LiveHub())]
    ) { server in
      var viewers: [WireClient] = []
      for _ in 0..<4 {
        let viewer = try await WireClient.webSocket(server, "/api/live")
        _ = try await viewer.next("live")
        viewers.append(viewer)
      }
      var idle: [WireClient] = []
      for _ in 0..<20 { idle.append(try await WireClient.connect(server)) }
      let late = try await WireClient.connect(server)
      #expect(try await late.request("/api/view").status == 200)
      try await idle[0].waitForEnd()
      #expect(viewers.allSatisfy { !$0.isClosed })
      for _ in 0..<4 {
        let viewer = try await WireClient.webSocket(server, "/api/live")
        _ = try await viewer.next("live")
        viewers.append(viewer)
      }
      let refused = try await WireClient.connect(server)
      try await refused.waitForEnd()
      #expect(status(refused) == "HTTP/1.1 429")
      #expect(viewers.allSatisfy { !$0.isClosed })
    }
  }
}
