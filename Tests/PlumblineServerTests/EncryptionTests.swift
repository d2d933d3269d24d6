import PlumblineIO
import PlumblineTestSupport
import Testing

@testable import PlumblineServer

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
      // A client that does not encrypt is refused.
      let plain = try await WireClient.connect(server)
      await plain.trySend(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      try await plain.waitForEnd()
    }
  }

  @Test(
    "TLS 1.2 and 1.3 with suites that authenticate what they encrypt, and nothing else",
    .enabled(if: exists("openssl")))
  func suites() async throws {
    try await withServer({ $0.encryption = .madeOnTheSpot }) { server in
      func handshake(_ options: [String]) -> String? {
        let answer = try? ProgramAnswer(
          of: "openssl", ["s_client", "-connect", "127.0.0.1:\(server.port)"] + options,
          seconds: 20)
        return answer.map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      for (options, version, suite) in [
        (["-tls1_3"], "TLSv1.3", "TLS_AES_"),
        (["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"], "TLSv1.3", "CHACHA20"),
        (["-tls1_2"], "TLSv1.2", "ECDHE-ECDSA-AES"),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"], "TLSv1.2", "AES256-GCM"),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], "TLSv1.2", "CHACHA20"),
      ] {
        let text = handshake(options) ?? ""
        #expect(text.contains(version) && text.contains(suite), "\(options): \(text)")
      }
      // By its own defaults the program would not even offer what is old.
      for options in [
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0"],
        ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
      ] {
        #expect(handshake(options) == nil, "\(options)")
      }
    }
  }

  @Test(
    "The certificate is for servers alone, names each address once and lasts 30 days",
    .enabled(if: exists("openssl")))
  func certificate() throws {
    var settings = ServerSettings()
    settings.host = "0.0.0.0"
    settings.hostNames = ["desk.local", "Desk.local", "192.0.2.7", "a,DNS:evil.example", "b\nc"]
    let names = HostNames(settings)
    let made = try MadeCertificate(addresses: names.addresses, names: names.names)
    let text = String(
      decoding: try ProgramAnswer(
        of: "openssl", ["x509", "-noout", "-text"], input: made.certificate, seconds: 20
      ).bytes, as: UTF8.self)
    for fact in [
      "CA:FALSE", "TLS Web Server Authentication", "Digital Signature", "prime256v1",
      "ecdsa-with-SHA256", "DNS:desk.local", "IP Address:192.0.2.7",
    ] {
      #expect(text.contains(fact), "\(fact)")
    }
    #expect(!text.contains("CA:TRUE") && !text.contains("evil") && !text.contains("Desk.local"))
    for once in ["IP Address:127.0.0.1", "IP Address:0:0:0:0:0:0:0:1"] {
      #expect(text.split(separator: once, omittingEmptySubsequences: false).count == 2, "\(once)")
    }
    let days = { (seconds: String) in
      try? ProgramAnswer(
        of: "openssl", ["x509", "-noout", "-checkend", seconds], input: made.certificate,
        seconds: 20)
    }
    // It ends with a status where the certificate will have ended.
    #expect(days("\(29 * 86_400)") != nil && days("\(31 * 86_400)") == nil)
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
}
