internal import NIOHTTP1
internal import PlumblineExport

/// What is to be done about a request, found from its head alone.
enum RequestPlan: Sendable {
  case refuse(RequestRefusal)
  case page(ViewerPages.Page)
  /// The token is exchanged for a cookie.
  case session
  /// The list of connected clients.
  case clients
  /// One of them is to be disconnected.
  case endClient(ClientList.Name)
  case content(ViewRequest)
}

/// Everything that all connections of a server share.
struct ServedSite: Sendable {
  let settings: ServerSettings
  let authorizer: RequestAuthorizer
  let pages: ViewerPages
  let content: any ViewContent
  let endpoints: [String: any WebSocketEndpoint]
  let slots: ResponseSlots
  let unfinished: UnfinishedMessages
  let registry: ConnectionRegistry
  let clients: ClientList

  /// The path of a request without its query; no path is decoded.
  static func path(of head: HTTPRequestHead) -> String {
    String(head.uri.prefix { $0 != "?" && $0 != "#" })
  }

  /// The bytes that the headers say will follow; `Int.max` for more than that, which the decoder takes.
  static func announcedBodyBytes(of head: HTTPRequestHead) -> Int {
    head.headers[canonicalForm: "content-length"].first.map { Int($0) ?? .max } ?? 0
  }

  /// Whether a body follows the headers, in chunks or whole.
  static func hasBody(_ head: HTTPRequestHead) -> Bool {
    announcedBodyBytes(of: head) > 0 || head.headers.contains(name: "transfer-encoding")
  }

  /// Whether the client waits for a word before it sends its body.
  ///
  /// - Source: RFC 9110, 10.1.1.
  static func expectsContinue(_ head: HTTPRequestHead) -> Bool {
    head.headers.contains(name: "expect")
  }

  /// Whether a client expects what no server of this age knows.
  private static func expectsMore(_ head: HTTPRequestHead) -> Bool {
    head.headers[canonicalForm: "expect"].contains { $0.lowercased() != "100-continue" }
  }

  /// Whether the handshake has its one key: 16 bytes in base64.
  ///
  /// - Source: RFC 6455, 4.2.1.
  private static func hasWebSocketKey(_ head: HTTPRequestHead) -> Bool {
    let keys = head.headers["sec-websocket-key"]
    guard keys.count == 1, let key = keys.first, key.utf8.count == 24, key.hasSuffix("==") else {
      return false
    }
    return key.utf8.dropLast(2).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
      default: false
      }
    }
  }

  /// Finds what is requested, and whether it may be.
  func plan(_ head: HTTPRequestHead, port: Int) -> RequestPlan {
    let path = Self.path(of: head)
    guard head.version == .http1_1, path.utf8.first == UInt8(ascii: "/") else {
      return .refuse(head.version == .http1_1 ? .malformed : .foreignHost)
    }
    func refusal(_ target: RequestAuthorizer.Target) -> RequestRefusal? {
      authorizer.refusal(of: head, at: port, for: target)
        ?? (Self.expectsMore(head) ? .expectation : nil)
    }
    if path == "/api/session" {
      guard head.method == .POST else { return .refuse(refusal(.session) ?? .notAllowed) }
      return refusal(.session).map { .refuse($0) } ?? .session
    }
    if path.hasPrefix("/api/clients") {
      if let refusal = refusal(.content) { return .refuse(refusal) }
      return clientPlan(path, head.method)
    }
    let isRead = head.method == .GET || head.method == .HEAD
    if let page = pages.page(at: path) {
      if let refusal = refusal(.page) { return .refuse(refusal) }
      return isRead ? .page(page) : .refuse(.notAllowed)
    }
    if let refusal = refusal(.content) { return .refuse(refusal) }
    if endpoints[path] != nil { return .refuse(.noWebSocket) }
    guard isRead else { return .refuse(.notAllowed) }
    return ViewRequest(path: path).map { .content($0) } ?? .refuse(.notFound)
  }

  private func clientPlan(_ path: String, _ method: HTTPMethod) -> RequestPlan {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    if path == "/api/clients" { return method == .GET ? .clients : .refuse(.notAllowed) }
    guard parts.count == 2, parts.last == "end",
      let name = parts.first.flatMap({ ClientList.Name($0) })
    else { return .refuse(.notFound) }
    return method == .POST ? .endClient(name) : .refuse(.notAllowed)
  }

  /// The WebSocket that is requested, with the subprotocol that both know; `nil` where there is none
  /// for this client.
  func webSocket(
    for head: HTTPRequestHead, port: Int
  ) -> (endpoint: any WebSocketEndpoint, subprotocol: String?)? {
    guard head.version == .http1_1, head.method == .GET, !Self.hasBody(head),
      Self.hasWebSocketKey(head),
      let endpoint = endpoints[Self.path(of: head)]
    else { return nil }
    let target = RequestAuthorizer.Target.webSocket(
      origins: endpoint.allowedOrigins, takesTokenInQuery: endpoint.takesTokenInQuery)
    guard authorizer.refusal(of: head, at: port, for: target) == nil else { return nil }
    let offered = head.headers[canonicalForm: "sec-websocket-protocol"].map { String($0) }
    let common = endpoint.subprotocols.first { offered.contains($0) }
    if !endpoint.subprotocols.isEmpty, common == nil { return nil }
    return (endpoint, common)
  }
}
