import PlumblineIO
import PlumblineServer
import PlumblineStreams
import Testing

@Suite("Who is connected, and the end of it")
struct ClientsTests {
  /// Logs in and gives the cookie.
  private func login(_ server: ViewServer, headers: [String] = []) async throws -> String {
    let client = try await WireClient.connect(server)
    let answer = try await client.request(
      "/api/session", method: "POST",
      headers: ["Authorization: Bearer \(server.token ?? "")"] + headers)
    #expect(answer.status == 204)
    return String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
  }

  private func status(_ server: ViewServer, _ headers: [String]) async throws -> Int {
    try await WireClient.connect(server).request("/api/view", headers: headers).status
  }

  private func clients(_ server: ViewServer, _ headers: [String] = []) async throws -> [JSONValue] {
    let answer = try await WireClient.connect(server).request("/api/clients", headers: headers)
    try #require(answer.status == 200)
    let document = try JSONValue(parsing: answer.body)
    #expect(document["schema"]?.string == "plumbline.clients/1")
    #expect(document["isComplete"]?.bool == true)
    return document["clients"]?.elements ?? []
  }

  private func end(_ name: String, _ server: ViewServer, _ headers: [String]) async throws -> Int {
    try await WireClient.connect(server).request(
      "/api/clients/\(name)/end", method: "POST", headers: headers
    ).status
  }

  @Test("Each login has a secret of its own; a browser that logs in again gets another one")
  func secrets() async throws {
    try await withServer({ $0.requiresToken = true }, endpoints: [LiveEndpoint(LiveHub())]) {
      server in
      let first = try await login(server)
      let second = try await login(server)
      #expect(first != second)
      for cookie in [first, second] {
        #expect(try await status(server, ["Cookie: \(cookie)"]) == 200)
      }
      let viewer = try await WireClient.webSocket(
        server, "/api/live", headers: ["Cookie: \(second)"])
      let third = try await login(server, headers: ["Cookie: \(second)"])
      #expect(try await status(server, ["Cookie: \(second)"]) == 401)
      #expect(try await status(server, ["Cookie: \(third)"]) == 200)
      #expect(try await status(server, ["Cookie: \(first)"]) == 200)
      // Its other pages go on.
      #expect(try await clients(server, ["Cookie: \(third)"]).count == 2 && !viewer.isClosed)
    }
  }

  @Test("Logins are bounded: the one that was not used for the longest goes; idle ones go anyway")
  func bounds() async throws {
    try await withServer({ $0.requiresToken = true }) { server in
      var cookies: [String] = []
      for _ in 0..<64 { cookies.append(try await login(server)) }
      #expect(try await status(server, ["Cookie: \(cookies[0])"]) == 200)
      cookies.append(try await login(server))
      // The first one was used since.
      for (index, cookie) in cookies.enumerated() {
        #expect(try await status(server, ["Cookie: \(cookie)"]) == (index == 1 ? 401 : 200))
      }
    }
    try await withServer(
      {
        $0.requiresToken = true
        $0.sessionIdleSeconds = 0.3
      }, endpoints: [LiveEndpoint(LiveHub())]
    ) { server in
      let (idle, watching) = (try await login(server), try await login(server))
      let viewer = try await WireClient.webSocket(
        server, "/api/live", headers: ["Cookie: \(watching)"])
      try await Task.sleep(for: .milliseconds(600))
      #expect(try await status(server, ["Cookie: \(idle)"]) == 401)
      #expect(try await status(server, ["Cookie: \(watching)"]) == 200)
      #expect(!viewer.isClosed)
    }
  }

  @Test("The list tells what each is; whom somebody ends is out, and the others are not")
  func list() async throws {
    let hub = LiveHub()
    var settings = ServerSettings()
    // The camera of this test answers no ping.
    settings.silenceSeconds = 600
    let publish = IngestEndpoint(hub: hub, settings: settings, keepsFrames: false) { _ in }
    try await withServer(
      { $0.requiresToken = true }, endpoints: [LiveEndpoint(hub), publish]
    ) { server in
      let bearer = "Authorization: Bearer \(server.token ?? "")"
      let cookies = [try await login(server), try await login(server)]
      let viewer = try await WireClient.webSocket(
        server, "/api/live", headers: ["Cookie: \(cookies[0])"])
      let camera = try await WireClient.webSocket(server, "/api/publish", headers: [bearer])
      try await camera.send(
        text: #"{"type":"hello","schema":"plumbline.stream/1","session":"one"}"#)
      let program = try await WireClient.connect(server)
      _ = try await program.request("/api/view", headers: [bearer])
      // A client with neither token nor cookie gets no data.
      #expect(try await WireClient.connect(server).request("/api/clients").status == 401)
      let rows = try await clients(server, ["Cookie: \(cookies[1])"])
      #expect(rows.map { $0["kind"]?.string } == ["viewer", "browser", "publisher", "program"])
      #expect(rows.map { $0["isThis"]?.bool } == [false, true, false, false])
      #expect(rows.allSatisfy { $0["address"]?.string == "127.0.0.1" })
      #expect(rows.allSatisfy { ($0["sinceSeconds"]?.number ?? -1) >= 0 })
      let names = rows.compactMap { $0["name"]?.string }
      #expect(names.count == 4)

      #expect(try await end(names[0], server, []) == 401)
      for wrong in ["s99", "c99999", "x1", "s", "s-1", "s+1"] {
        #expect(try await end(wrong, server, [bearer]) == 404, "\(wrong)")
      }
      #expect(
        try await end(names[0], server, [bearer, "Origin: http://evil.example"]) == 403)
      #expect(
        try await WireClient.connect(server).request(
          "/api/clients/\(names[0])/end", headers: [bearer]
        ).status == 405)
      #expect(try await end(names[0], server, ["Cookie: \(cookies[1])"]) == 204)
      #expect(try await viewer.farewell() == 4001)
      #expect(try await status(server, ["Cookie: \(cookies[0])"]) == 401)
      #expect(try await status(server, ["Cookie: \(cookies[1])"]) == 200)
      #expect(!camera.isClosed && !program.isClosed)
      #expect(try await end(names[2], server, [bearer]) == 204)
      #expect(try await camera.farewell() == 4001)
      #expect(try await end(names[3], server, [bearer]) == 204)
      try await program.waitForEnd()
      // A client ends itself, and still gets the response.
      #expect(try await end(names[1], server, ["Cookie: \(cookies[1])"]) == 204)
      #expect(try await status(server, ["Cookie: \(cookies[1])"]) == 401)
      publish.stop()
    }
  }

  @Test("Where everybody here may look there are no logins; a page is ended all the same")
  func loopback() async throws {
    try await withServer(endpoints: [LiveEndpoint(LiveHub())]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      let rows = try await clients(server)
      #expect(rows.compactMap { $0["kind"]?.string } == ["viewer", "browser"])
      #expect(try await end(try #require(rows[0]["name"]?.string), server, []) == 204)
      #expect(try await viewer.farewell() == 4001)
    }
  }
}
