import NIOHTTP1
import PlumblineStreams

/// Access control, by the head of a request alone.
///
/// - Source: Host, Origin and `Sec-Fetch-Site` each close a hole that the others leave, as
///   CVE-2025-24010 showed: a name that is pointed at this machine (DNS rebinding), a WebSocket from
///   another site, which no browser refuses by itself, and a request that carries a cookie.
struct RequestAuthorizer: Sendable {
  /// The kind of content that is requested.
  enum Target: Sendable, Equatable {
    /// A page of the viewer itself, which holds nothing of anybody.
    case page
    /// A token for a cookie.
    case session
    /// The content that is shown.
    case content
    /// A WebSocket, with origins of other sites that may open it and whether its address may
    /// hold the token.
    case webSocket(origins: Set<String>, takesTokenInQuery: Bool)
  }

  /// The names of this server in lower case, IPv6 addresses in brackets.
  let hostNames: Set<String>
  let isEncrypted: Bool
  /// `nil` where every client that can connect has access.
  let secrets: AccessSecrets?

  private var scheme: String { isEncrypted ? "https" : "http" }
  private var schemePort: Int { isEncrypted ? 443 : 80 }

  /// The reason why a request is refused; `nil` for one that may pass.
  func refusal(
    of head: HTTPRequestHead, at port: Int, for target: Target
  ) -> RequestRefusal? {
    let hosts = head.headers[canonicalForm: "host"]
    guard hosts.count == 1, let host = hosts.first?.lowercased() else {
      return hosts.isEmpty ? .foreignHost : .malformed
    }
    guard isOwn(host: host, port: port) else { return .foreignHost }
    guard hasUniqueFields(head, port: port) else { return .malformed }
    guard isFromOwnOrigin(head, host: host, target: target) else { return .foreignOrigin }
    guard isAuthorized(head, port: port, target: target) else { return .noToken }
    return nil
  }

  /// Whether nothing that admits a client is there twice; which of two counts is a guess, and a proxy on
  /// the way may guess otherwise.
  ///
  /// - Source: RFC 9110, 5.3: fields that are no lists come once; RFC 6265, 5.4: one field `Cookie`.
  private func hasUniqueFields(_ head: HTTPRequestHead, port: Int) -> Bool {
    let once = ["authorization", "origin", "sec-fetch-site", "cookie"]
    return once.allSatisfy { head.headers[$0].count <= 1 }
      && sessions(in: head, port).count <= 1 && tokens(inQueryOf: head).count <= 1
  }

  /// Whether browsers take what was requested at this host as coming unchanged from where it says.
  ///
  /// - Source: W3C *Secure Contexts*, 3.1: encryption, or this machine's own addresses and name.
  func isSecureContext(_ head: HTTPRequestHead) -> Bool {
    guard !isEncrypted, let host = head.headers[canonicalForm: "host"].first?.lowercased() else {
      return isEncrypted
    }
    let name = host.split(separator: ":").first ?? ""
    return host.hasPrefix("[::1]") || name == "localhost"
      || name.hasPrefix("127.") && HostNames.isAddress(String(name))
  }

  private func isOwn(host: String, port: Int) -> Bool {
    if port == schemePort, hostNames.contains(host) { return true }
    let suffix = ":\(port)"
    return host.hasSuffix(suffix) && hostNames.contains(String(host.dropLast(suffix.utf8.count)))
  }

  private func isFromOwnOrigin(
    _ head: HTTPRequestHead, host: String, target: Target
  ) -> Bool {
    // Other origins that this WebSocket is for; its pages are another site's by definition.
    if case .webSocket(let origins, let takesTokenInQuery) = target {
      let given = head.headers[canonicalForm: "origin"]
      if given.count == 1, let origin = given.first {
        if origins.contains(String(origin)) { return true }
        // Programs whose pages are files; so is any page in a sandboxed frame, but none knows the
        // token.
        if origin == "null", takesTokenInQuery, let secrets, hasTokenInQuery(secrets.token, head) {
          return true
        }
      }
    }
    // No browser leaves it out where it matters; other clients have no cookies to abuse.
    for origin in head.headers[canonicalForm: "origin"] where origin != "\(scheme)://\(host)" {
      return false
    }
    for site in head.headers[canonicalForm: "sec-fetch-site"] {
      // Pages on other ports of this machine are the same site, and strangers all the same.
      if site == "same-origin" || site == "none" { continue }
      // A link on another page may be followed to the viewer, where it takes the whole window.
      let isFollowed =
        target == .page && head.headers[canonicalForm: "sec-fetch-mode"].first == "navigate"
        && head.headers[canonicalForm: "sec-fetch-dest"].first == "document"
      if !isFollowed { return false }
    }
    return true
  }

  private func isAuthorized(_ head: HTTPRequestHead, port: Int, target: Target) -> Bool {
    guard let secrets else { return true }
    switch target {
    case .page: return true
    case .session: return hasToken(secrets.token, head)
    case .content: return hasToken(secrets.token, head) || session(of: head, port: port) != nil
    case .webSocket(_, let takesTokenInQuery):
      return hasToken(secrets.token, head) || session(of: head, port: port) != nil
        || takesTokenInQuery && hasTokenInQuery(secrets.token, head)
    }
  }

  private func hasToken(_ token: AccessToken, _ head: HTTPRequestHead) -> Bool {
    head.headers["authorization"].contains { value in
      let words = value.split(separator: " ", maxSplits: 1)
      return words.count == 2 && words[0].lowercased() == "bearer" && token.matches(words[1])
    }
  }

  /// The login whose secret a request holds, which counts as used now; `nil` without one.
  func session(of head: HTTPRequestHead, port: Int) -> Int? {
    guard let secrets, let secret = sessions(in: head, port).first else { return nil }
    return secrets.session(of: secret)
  }

  private func hasTokenInQuery(_ token: AccessToken, _ head: HTTPRequestHead) -> Bool {
    tokens(inQueryOf: head).contains { token.matches($0) }
  }

  /// The values of this server's own cookie.
  private func sessions(in head: HTTPRequestHead, _ port: Int) -> [Substring] {
    head.headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == Self.cookieName(port) ? parts[1] : nil
    }
  }

  private func tokens(inQueryOf head: HTTPRequestHead) -> [Substring] {
    guard let query = head.uri.split(separator: "?", maxSplits: 1).dropFirst().first else {
      return []
    }
    return query.split(separator: "&").filter { $0.hasPrefix("token=") }
      .map { $0.dropFirst("token=".utf8.count) }
  }

  /// Cookies of all ports of a host lie in one jar.
  private static func cookieName(_ port: Int) -> String { "plumbline-\(port)" }

  /// The cookie that stands for the token, out of the reach of scripts and of other sites.
  func cookie(of secret: AccessToken, port: Int) -> String {
    "\(Self.cookieName(port))=\(secret.text); Path=/; HttpOnly; SameSite=Strict"
      + (isEncrypted ? "; Secure" : "")
  }
}

/// Why a request is refused, found before anything of it is done.
enum RequestRefusal: Sendable, CaseIterable {
  case malformed
  case noToken
  case foreignOrigin
  case notFound
  case notAllowed
  case tooLong
  case expectation
  case foreignHost
  case noWebSocket

  /// The failure as reported to the client; it never repeats what the client sent.
  var failure: StreamFailure {
    switch self {
    case .malformed:
      StreamFailure(.badRequest, "This is no request that this server understands.")
    case .noToken:
      StreamFailure(.noToken, "Open the link that the server printed; it holds the token.")
    case .foreignOrigin:
      StreamFailure(.foreignOrigin, "Pages of other sites may not ask this server.")
    case .notFound: StreamFailure(.missing, "There is nothing here.")
    case .notAllowed: StreamFailure(.notAllowed, "This can only be read.")
    case .tooLong: StreamFailure(.limitExceeded, "The request is too long.")
    case .expectation: StreamFailure(.expectation, "This server cannot do what is expected.")
    case .foreignHost: StreamFailure(.foreignHost, "This server does not go by that name.")
    case .noWebSocket: StreamFailure(.noWebSocket, "Here one can only talk by WebSocket.")
    }
  }
}
