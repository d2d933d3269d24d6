import PlumblineFormats
import PlumblineServer
import PlumblineTestSupport
import Testing

@Suite("Encryption and where to listen")
struct EncryptionTests {
  /// Whether a program can be run here; the tests of those that cannot are skipped visibly.
  private static func exists(_ program: String) -> Bool {
    (try? ProgramAnswer(of: program, ["--version"], seconds: 5)) != nil
      || (try? ProgramAnswer(of: program, ["version"], seconds: 5)) != nil
  }

  @Test(
    "A certificate made on the spot serves pages and WebSockets", .enabled(if: exists("openssl")))
  func madeOnTheSpot() async throws {
    let hub = LiveHub()
    let feed = hub.begin("camera")
    try await withServer(
      {
        $0.encryption = .madeOnTheSpot
        $0.requiresToken = true
      }, endpoints: [LiveEndpoint(hub)]
    ) { server in
      #expect(server.link.hasPrefix("https://127.0.0.1:\(server.port)/#token="))
      let bearer = "Authorization: Bearer \(server.token ?? "")"
      let client = try await WireClient.connect(server, encrypted: true)
      #expect(try await client.request("/api/view", headers: [bearer]).status == 200)
      let session = try await client.request(
        "/api/session", method: "POST",
        headers: [bearer, "Origin: https://127.0.0.1:\(server.port)"])
      #expect(session.headers["set-cookie"]?.hasSuffix("; Secure") == true)
      let foreign = try await WireClient.connect(server, encrypted: true)
      #expect(
        try await foreign.request(
          "/api/view", headers: [bearer, "Origin: http://127.0.0.1:\(server.port)"]
        ).status == 403)
      let viewer = try await WireClient.connect(server, encrypted: true)
      #expect(try await viewer.upgrade("/api/live", headers: [bearer]).status == 101)
      let frame = [UInt8](repeating: 5, count: 300_000)
      feed.show(frame: frame, sequence: 0, moment: nil)
      #expect(try await viewer.nextBinary() == frame)
      // Who does not encrypt is no client.
      let plain = try await WireClient.connect(server)
      await plain.trySend(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      try await plain.waitForEnd()
    }
  }

  @Test("Without a certificate there is no server, and the reason is told")
  func noCertificate() async throws {
    var settings = ServerSettings()
    settings.encryption = .files(certificate: "/nonexistent/a.pem", key: "/nonexistent/b.pem")
    let error = await #expect(throws: ServerError.self) {
      _ = try await ViewServer.start(settings, content: EchoContent())
    }
    #expect(error == .certificate(detail: "/nonexistent/a.pem: No such file or directory"))
  }

  @Test("Loopback is both of its addresses; a port that is taken is an error")
  func loopback() async throws {
    try await withServer { server in
      #expect(server.addresses.first == "127.0.0.1")
      if server.addresses.contains("[::1]") {
        let client = try await WireClient.connect(server, host: "::1")
        #expect(try await client.request("/api/view", host: "[::1]:\(server.port)").status == 200)
      }
      var settings = ServerSettings()
      settings.port = server.port
      await #expect(throws: ServerError.self) {
        _ = try await ViewServer.start(settings, content: EchoContent())
      }
    }
  }

  @Test("Beyond loopback nothing goes without a token")
  func beyond() async throws {
    try await withServer({ $0.host = "0.0.0.0" }) { server in
      #expect(server.token != nil)
      let client = try await WireClient.connect(server)
      #expect(try await client.request("/api/view").status == 401)
      let other = try await WireClient.connect(server)
      #expect(
        try await other.request("/api/view", host: "evil.example:\(server.port)").status == 421)
    }
  }

  @Test("A link becomes a picture of it", .enabled(if: exists("qrencode")))
  func code() throws {
    let text = try #require(LinkCode.text(of: "https://192.168.1.5:8080/#token=00112233"))
    #expect(text.split(separator: "\n").count > 10)
  }
}
