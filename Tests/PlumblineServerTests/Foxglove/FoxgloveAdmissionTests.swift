import PlumblineServer
import PlumblineTestSupport
import Testing
@testable import PlumblineIO

@Suite("Who may watch with Foxglove, and what it may send")
struct FoxgloveAdmissionTests {
  private static let app = "https://app.foxglove.dev"

  /// Requests a WebSocket and compares the status of the answer.
  private func expect(
    _ status: Int, _ server: ViewServer, _ path: String = "/foxglove", origin: String?,
    headers: [String] = []
  ) async throws {
    let client = try await WireClient.connect(server)
    let answer = try await client.upgrade(
      path,
      headers: WireClient.foxgloveHeaders + headers + (origin.map { ["Origin: \($0)"] } ?? []))
    #expect(answer.status == status, "\(path) from \(origin ?? "nowhere")")
  }

  private func endpoints(_ settings: ServerSettings) -> [any WebSocketEndpoint] {
    let hub = LiveHub()
    return [FoxgloveEndpoint(hub, settings: settings), LiveEndpoint(hub)]
  }

  @Test("Another site's page is refused unless it is named, and then gets nothing else")
  func origins() async throws {
    try await withServer(endpoints: endpoints(ServerSettings())) { server in
      try await expect(101, server, origin: nil)
      try await expect(101, server, origin: "http://127.0.0.1:\(server.port)")
      for origin in [Self.app, "null", "file://", "http://127.0.0.1:1"] {
        try await expect(403, server, origin: origin)
      }
    }
    var settings = ServerSettings()
    settings.allowedOrigins = [Self.app, "null", "*"]
    try await withServer({ $0 = settings }, endpoints: endpoints(settings)) { server in
      try await expect(101, server, origin: Self.app)
      try await expect(
        101, server, origin: Self.app, headers: ["Sec-Fetch-Site: cross-site"])
      for origin in [
        "null", "*", "https://app.foxglove.dev.evil.example", "http://app.foxglove.dev",
      ] {
        try await expect(403, server, origin: origin)
      }
      try await expect(403, server, "/api/live", origin: Self.app)
      try await expect(403, server, "/api/view", origin: Self.app)
    }
  }

  @Test("Where a token is required, the address may hold it")
  func token() async throws {
    var settings = ServerSettings()
    settings.requiresToken = true
    settings.allowedOrigins = [Self.app]
    try await withServer({ $0 = settings }, endpoints: endpoints(settings)) { server in
      let token = server.token ?? ""
      try await expect(401, server, origin: nil)
      try await expect(101, server, "/foxglove?token=\(token)", origin: nil)
      try await expect(101, server, "/foxglove?token=\(token)", origin: Self.app)
      try await expect(403, server, "/foxglove?token=\(token)0", origin: Self.app)
      try await expect(403, server, "/foxglove", origin: Self.app)
      // What a desktop program may call its own pages; the token says that it was let in.
      try await expect(101, server, "/foxglove?token=\(token)", origin: "null")
      try await expect(403, server, "/foxglove?token=\(token)0", origin: "null")
      try await expect(403, server, origin: "null")
      try await expect(403, server, "/api/live?token=\(token)", origin: "null")
    }
  }

  @Test("An origin is a scheme, a host and perhaps a port")
  func originNames() {
    for name in [Self.app, "http://localhost:8080", "https://[::1]:1", "file://"] {
      #expect(ServerSettings.isOrigin(name), "\(name)")
    }
    for name in [
      "", "*", "null", "https://", "app.foxglove.dev", "https://app.foxglove.dev/",
      "https://App.foxglove.dev", "https://a b", "https://user@host", "ftp://host", "file:///x",
    ] {
      #expect(!ServerSettings.isOrigin(name), "\(name)")
    }
  }

  @Test("What makes no sense is answered with a status, and the stream goes on")
  func nonsense() async throws {
    let hub = LiveHub()
    let feed = hub.begin("camera")
    try await withServer(endpoints: [FoxgloveEndpoint(hub, settings: ServerSettings())]) { server in
      let client = try await WireClient.foxglove(server)
      func subscriptions(_ list: String) -> String {
        #"{"op":"subscribe","subscriptions":\#(list)}"#
      }
      let entry = #"{"id":1,"channelId":1}"#
      for text in [
        "", "{", "[]", "7", #"{"op":7}"#, #"{"op":"advertise","channels":[]}"#,
        #"{"op":"getParameters","parameterNames":[]}"#, #"{"op":"subscribe"}"#,
        subscriptions("7"), subscriptions("[7]"), subscriptions(#"[{"id":1}]"#),
        subscriptions(#"[{"id":1,"channelId":0}]"#), subscriptions(#"[{"id":1,"channelId":99}]"#),
        subscriptions(#"[{"id":-1,"channelId":1}]"#),
        subscriptions(#"[{"id":4294967296,"channelId":1}]"#),
        subscriptions("[" + Array(repeating: entry, count: 300).joined(separator: ",") + "]"),
        String(repeating: "[", count: 5000), #"{"op":"unsubscribe","subscriptionIds":[1]}"#,
      ] {
        try await client.send(text: text)
        #expect(
          try await client.nextOperation("status")["level"]?.integer == 2, "\(text.prefix(60))")
      }
      // The first of them is sound, the second has its channel, the third its id.
      let info = FoxgloveChannel.depthInfo
      try await client.subscribe([(1, info), (2, info), (1, FoxgloveChannel.depth)])
      #expect(
        try await client.nextOperation("status")["message"]?.string?.hasPrefix("2 subscriptions")
          == true)
      feed.show(SampleCaptures.frame(0), sequence: 0)
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 1)
    }
  }

  @Test(
    "A flood of nonsense, frames of a client and messages without end are the end of it",
    arguments: [(1, 1, 1008), (2, 5, 1008), (1, 70_000, 1009)])
  func floods(opcode: Int, bytes: Int, code: Int) async throws {
    let hub = LiveHub()
    try await withServer(endpoints: [FoxgloveEndpoint(hub, settings: ServerSettings())]) { server in
      let client = try await WireClient.foxglove(server)
      let frame = WireClient.frame(UInt8(opcode), [UInt8](repeating: 1, count: bytes))
      for _ in 0..<200 where !client.isClosed { await client.trySend(frame) }
      #expect(try await client.farewell() == code)
      try await client.waitForEnd()
      let other = try await WireClient.foxglove(server)
      #expect(!other.isClosed)
      for _ in 0..<2000 where hub.viewerCount > 1 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(hub.viewerCount == 1)
    }
  }
}
