import PlumblineIO
import PlumblineServer
import PlumblineStreams
import PlumblineExport
import Testing

@Suite("Who may look")
struct AdmissionTests {
  private struct Case {
    var path = "/api/view"
    var method = "GET"
    var host = "127.0.0.1:PORT"
    var headers: [String] = []
    var status: Int
  }

  /// Each request on a connection of its own; `PORT` and `TOKEN` are filled in.
  private func check(_ cases: [Case], _ server: ViewServer) async throws {
    for one in cases {
      func filled(_ text: String) -> String {
        text.split(separator: "PORT", omittingEmptySubsequences: false).joined(
          separator: "\(server.port)"
        ).split(separator: "TOKEN", omittingEmptySubsequences: false).joined(
          separator: server.token ?? "")
      }
      let client = try await WireClient.connect(server)
      let answer = try await client.request(
        filled(one.path), method: one.method, host: filled(one.host),
        headers: one.headers.map { filled($0) })
      #expect(answer.status == one.status, "\(one)")
      #expect(answer.headers["access-control-allow-origin"] == nil)
      #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(answer.headers["x-content-type-options"] == "nosniff")
    }
  }

  /// A page that is complete in itself runs its own scripts, in a place of their own; nothing else runs any.
  @Test func aPageOfItsOwnReachesNothing() async throws {
    struct Pages: ViewContent {
      func response(to request: ViewRequest) async -> ViewResponse {
        let isPage = request == .facePage(item: 0, frame: 0, face: 1)
        return ViewResponse(
          mediaType: "text/html; charset=utf-8", bytes: Array("<p>".utf8),
          isSelfContainedPage: isPage, scriptPolicyWord: isPage ? "sha256-YQ==" : nil)
      }
    }
    try await withServer(content: Pages()) { server in
      func policy(_ path: String) async throws -> [String] {
        let answer = try await WireClient.connect(server).request(
          path, host: "127.0.0.1:\(server.port)")
        #expect(answer.status == 200)
        let text = answer.headers["content-security-policy"] ?? ""
        return text.split(separator: ";").map { String($0.drop { $0 == " " }) }
      }
      let page = try await policy("/api/items/0/frames/0/faces/1")
      #expect(page.contains("sandbox allow-scripts") && page.contains("default-src 'none'"))
      #expect(page.contains("frame-ancestors 'self'"))
      #expect(page.contains("script-src 'sha256-YQ=='"))
      #expect(!page.contains { $0.hasPrefix("connect-src") })
      for path in ["/api/items/0/frames/0/faces", "/"] {
        let other = try await policy(path)
        #expect(other.contains("script-src 'self'") && other.contains("frame-ancestors 'none'"))
        #expect(other.contains("frame-src 'self'"))
      }
    }
  }

  private static let socket = WireClient.upgradeHeaders

  @Test("On loopback: own names and own pages alone")
  func loopback() async throws {
    try await withServer(endpoints: [LiveEndpoint(LiveHub())]) { server in
      #expect(server.token == nil)
      #expect(server.link == "http://127.0.0.1:\(server.port)/")
      try await check(
        [
          Case(status: 200),
          Case(host: "localhost:PORT", status: 200),
          Case(host: "LocalHost:PORT", status: 200),
          Case(host: "[::1]:PORT", status: 200),
          Case(host: "127.0.0.1", status: 421),
          Case(host: "127.0.0.1:1", status: 421),
          Case(host: "127.0.0.1:PORT0", status: 421),
          Case(host: "127.0.0.1.:PORT", status: 421),
          Case(host: "evil.example", status: 421),
          Case(host: "evil.example:PORT", status: 421),
          Case(host: "localhost:PORT@evil.example", status: 421),
          Case(host: "", status: 421),
          Case(path: "/viewer/cloud.js", host: "evil.example:PORT", status: 421),
          Case(headers: ["Host: evil.example"], status: 400),
          Case(headers: ["Origin: http://127.0.0.1:PORT"], status: 200),
          Case(headers: ["Origin: https://127.0.0.1:PORT"], status: 403),
          Case(headers: ["Origin: http://localhost:PORT"], status: 403),
          Case(headers: ["Origin: http://evil.example"], status: 403),
          Case(headers: ["Origin: null"], status: 403),
          Case(headers: ["Sec-Fetch-Site: same-origin"], status: 200),
          Case(headers: ["Sec-Fetch-Site: none"], status: 200),
          Case(headers: ["Sec-Fetch-Site: cross-site"], status: 403),
          Case(headers: ["Sec-Fetch-Site: same-site"], status: 403),
          // A link to the viewer may be followed; what it shows cannot be requested that way.
          Case(
            path: "/viewer/cloud.js",
            headers: [
              "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
            ], status: 200),
          Case(
            path: "/viewer/cloud.js",
            headers: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], status: 403),
          Case(
            headers: [
              "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
            ], status: 403),
          Case(method: "POST", status: 405),
          Case(method: "DELETE", status: 405),
          Case(method: "OPTIONS", headers: ["Origin: http://evil.example"], status: 403),
          Case(path: "/api/session", method: "POST", status: 204),
          Case(
            path: "/api/session", method: "POST", headers: ["Origin: http://evil.example"],
            status: 403),
          Case(path: "/api/session", status: 405),
          Case(path: "/api/live", status: 400),
          Case(path: "/api/live", headers: Self.socket, status: 101),
          Case(
            path: "/api/live", headers: Self.socket + ["Origin: http://127.0.0.1:PORT"], status: 101
          ),
          Case(
            path: "/api/live", headers: Self.socket + ["Origin: http://evil.example"], status: 403),
          Case(path: "/api/live", headers: Self.socket + ["Origin: null"], status: 403),
          Case(
            path: "/api/live", headers: Self.socket + ["Sec-Fetch-Site: cross-site"], status: 403),
          Case(path: "/api/live", host: "evil.example:PORT", headers: Self.socket, status: 421),
          Case(path: "/api/view", headers: Self.socket, status: 200),
          Case(path: "/nothing", headers: Self.socket, status: 404),
        ].filter { $0.status != 101 }, server)
      // A successful upgrade has other headers than an answer.
      for headers in [[], ["Origin: http://127.0.0.1:\(server.port)"]] {
        let client = try await WireClient.webSocket(server, "/api/live", headers: headers)
        #expect(try await client.next("live")["schema"]?.string == "plumbline.stream/1")
      }
    }
  }

  @Test("With a token: the page is free, what it shows is not; a cookie takes the token's place")
  func token() async throws {
    try await withServer({ $0.requiresToken = true }, endpoints: [LiveEndpoint(LiveHub())]) {
      server in
      let token = try #require(server.token)
      #expect(token.utf8.count == 32)
      #expect(server.link == "http://127.0.0.1:\(server.port)/#token=\(token)")
      let wrong = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
      try await check(
        [
          Case(path: "/viewer/cloud.js", status: 200),
          Case(status: 401),
          Case(headers: ["Authorization: Bearer TOKEN"], status: 200),
          Case(headers: ["Authorization: bearer TOKEN"], status: 200),
          Case(headers: ["Authorization: Bearer \(wrong)"], status: 401),
          Case(headers: ["Authorization: Bearer TOKENx"], status: 401),
          Case(headers: ["Authorization: Bearer "], status: 401),
          Case(headers: ["Authorization: Basic TOKEN"], status: 401),
          Case(headers: ["Cookie: plumbline-PORT=TOKEN"], status: 401),
          Case(path: "/api/view?token=TOKEN", status: 401),
          Case(path: "/api/session", method: "POST", status: 401),
          Case(
            path: "/api/session", method: "POST", headers: ["Authorization: Bearer \(wrong)"],
            status: 401),
          Case(path: "/api/live", headers: Self.socket, status: 401),
          Case(path: "/api/live?token=TOKEN", headers: Self.socket, status: 401),
        ], server)

      let client = try await WireClient.connect(server)
      let answer = try await client.request(
        "/api/session", method: "POST",
        headers: ["Authorization: Bearer \(token)", "Origin: http://127.0.0.1:\(server.port)"],
        body: "{}")
      #expect(answer.status == 204)
      let cookie = try #require(answer.headers["set-cookie"])
      #expect(!cookie.contains(token))
      #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
      let pair = String(cookie.prefix { $0 != ";" })
      let seen = try await client.request("/api/view", headers: ["Cookie: a=b; \(pair)"])
      #expect(seen.status == 200)
      #expect(try await client.request("/api/view", headers: ["Cookie: \(pair)0"]).status == 401)
      let live = try await WireClient.webSocket(server, "/api/live", headers: ["Cookie: \(pair)"])
      _ = try await live.next("live")
    }
  }

  @Test("Every path but the known ones is nothing, however it is written")
  func traversal() async throws {
    try await withServer { server in
      for path in [
        "/viewer/../../../etc/passwd", "/viewer/..%2f..%2fetc%2fpasswd",
        "/viewer/%2e%2e/%2e%2e/etc/passwd", "/viewer/..%252f..%252fetc/passwd",
        "/viewer/....//....//etc/passwd", "/viewer/..\\..\\etc\\passwd",
        "/viewer/..%5c..%5cetc%5cpasswd", "/viewer/%c0%ae%c0%ae/etc/passwd",
        "/viewer/cloud.js%00.html", "//etc/passwd", "/viewer//etc/passwd", "/viewer/",
        "/viewer/cloud.js/", "/viewer/./cloud.js", "/viewer/Cloud.js",
      ] {
        let client = try await WireClient.connect(server)
        let answer = try await client.request(path)
        #expect([400, 404].contains(answer.status), "\(path)")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("root:"), "\(path)")
      }
      for uri in ["http://127.0.0.1:\(server.port)/api/view", "*", "api/view"] {
        let client = try await WireClient.connect(server)
        #expect(try await client.request(uri).status == 400, "\(uri)")
      }
    }
  }

  @Test("Files of the viewer come with their types and are known again")
  func pages() async throws {
    try await withServer { server in
      let client = try await WireClient.connect(server)
      let file = try #require(ViewerFile(named: "cloud.js"))
      let answer = try await client.request("/viewer/cloud.js")
      #expect(answer.body == file.bytes)
      #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
      let tag = try #require(answer.headers["etag"])
      let again = try await client.request(
        "/viewer/cloud.js", headers: ["If-None-Match: \(tag)"])
      #expect(again.status == 304)
      // Packed for clients that accept gzip, with another entity tag for caches.
      let packed = try await client.request(
        "/viewer/cloud.js", headers: ["Accept-Encoding: deflate, gzip, br"])
      #expect(packed.headers["content-encoding"] == "gzip" && packed.headers["etag"] != tag)
      #expect(packed.headers["vary"] == "Accept-Encoding" && answer.headers["vary"] != nil)
      #expect(packed.body == GzipStream.deflated(file.bytes, level: 9))
      #expect(packed.body.count * 2 < file.bytes.count)
      let packedTag = try #require(packed.headers["etag"])
      for (encoding, status) in [("gzip", 304), ("identity", 200)] {
        let known = try await client.request(
          "/viewer/cloud.js",
          headers: ["Accept-Encoding: \(encoding)", "If-None-Match: \(packedTag)"])
        #expect(known.status == status)
      }
      let plain = try await client.request(
        "/viewer/cloud.js", headers: ["Accept-Encoding: br, gzip;q=0"])
      #expect(plain.body == file.bytes && plain.headers["content-encoding"] == nil)
      let head = try await client.request("/viewer/cloud.js", method: "HEAD")
      #expect(head.headers["content-length"] == "\(file.bytes.count)")
      // The connection is still in step.
      let content = try await client.request("/api/items/2/frames/3?x=y")
      #expect(String(decoding: content.body, as: UTF8.self) == "frame(item: 2, frame: 3)")
      #expect(content.headers["cache-control"] == "no-store")
    }
  }

  @Test("A handshake without a sound key gets no WebSocket")
  func keys() async throws {
    try await withServer(endpoints: [LiveEndpoint(LiveHub())]) { server in
      let key = "Sec-WebSocket-Key: "
      for keys in [
        [], [key], [key + "dGhlIHNhbXBsZSBub25jZQ"], [key + "dGhlIHNhbXBsZSBub25jZQ==="],
        [key + "dGhlIHNhbXBsZSBub25j"], [key + "dGhlIHNhbXBsZSBub25!ZQ=="], [key + "x"],
        [key + "dGhlIHNhbXBsZSBub25jZQ==", key + "dGhlIHNhbXBsZSBub25jZQ=="],
      ] {
        let client = try await WireClient.connect(server)
        let answer = try await client.request(
          "/api/live", headers: Array(WireClient.upgradeHeaders.dropLast()) + keys)
        #expect(answer.status == 400, "\(keys)")
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""code":"noWebSocket""#))
      }
      _ = try await WireClient.webSocket(server, "/api/live")
    }
  }

  @Test("The policy for openers goes where browsers heed it: to this machine's own names")
  func openers() async throws {
    try await withServer({
      $0.host = "0.0.0.0"
      $0.hostNames = ["desk.local", "127.example", "192.0.2.7"]
    }) { server in
      for (host, isSecure) in [
        ("127.0.0.1", true), ("localhost", true), ("[::1]", true), ("desk.local", false),
        ("127.example", false), ("192.0.2.7", false),
      ] {
        let client = try await WireClient.connect(server)
        let answer = try await client.request("/", host: "\(host):\(server.port)")
        #expect(answer.status == 200, "\(host)")
        let policy = answer.headers["cross-origin-opener-policy"]
        #expect(policy == (isSecure ? "same-origin" : nil), "\(host)")
      }
    }
  }
}
