import PlumblineServer
import Testing

@Suite("Requests that say twice who they come from")
struct AmbiguousRequestTests {
  @Test("Which of two counts is a guess; so none does")
  func twice() async throws {
    try await withServer({ $0.requiresToken = true }, endpoints: [LiveEndpoint(LiveHub())]) {
      server in
      let bearer = "Authorization: Bearer \(server.token ?? "")"
      let origin = "Origin: http://127.0.0.1:\(server.port)"
      let login = try await WireClient.connect(server).request(
        "/api/session", method: "POST", headers: [bearer])
      let pair = String(try #require(login.headers["set-cookie"]).prefix { $0 != ";" })
      let cases: [(path: String, method: String, headers: [String])] = [
        ("/api/view", "GET", [bearer, "Authorization: Bearer wrong"]),
        ("/api/view", "GET", [bearer, bearer]),
        ("/viewer/cloud.js", "GET", ["Authorization: Basic eDp5", bearer]),
        ("/api/session", "POST", [bearer, bearer]),
        ("/api/live", "GET", WireClient.upgradeHeaders + [bearer, "Authorization: Bearer x"]),
        ("/api/view", "GET", [bearer, origin, origin]),
        ("/api/view", "GET", [bearer, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"]),
        ("/api/view", "GET", ["Cookie: \(pair); \(pair)0"]),
        ("/api/view", "GET", ["Cookie: \(pair)", "Cookie: a=b; \(pair)"]),
        ("/api/view", "GET", ["Cookie: \(pair)", "Host: 127.0.0.1:\(server.port)"]),
      ]
      for one in cases {
        let client = try await WireClient.connect(server)
        let answer = try await client.request(one.path, method: one.method, headers: one.headers)
        #expect(answer.status == 400, "\(one)")
      }
      // Once is as before, beside cookies of others.
      for headers in [[bearer, origin], ["Cookie: a=b; \(pair)"]] {
        let client = try await WireClient.connect(server)
        #expect(try await client.request("/api/view", headers: headers).status == 200)
      }
    }
  }
}
