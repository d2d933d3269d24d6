import PlumblineIO
import Synchronization

/// The secrets by which clients are known: the token of the printed link, and one for each login with it.
///
/// A login ends when a client ends it, when it was not used for ``idleLimit``, when there are more than
/// ``sessionLimit`` and it is the one that was not used for the longest, with a new token, and with the
/// server.
final class AccessSecrets: Sendable {
  /// A login, without its secret.
  struct Session: Sendable {
    let number: Int
    let address: String
    let since: ContinuousClock.Instant
    fileprivate(set) var lastUse: ContinuousClock.Instant
  }

  private struct Entry {
    var session: Session
    var secret: AccessToken
    /// Its open WebSockets; with one it is in use.
    var socketCount = 0
  }

  private struct State {
    var token = AccessToken()
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
  }

  /// Logins at a time: some devices with some browsers each, and no flood.
  static let sessionLimit = 64

  private let idleLimit: Duration
  private let state = Mutex(State())

  /// - Parameter idleSeconds: How long a login lasts without a request or an open WebSocket.
  init(idleSeconds: Double) { idleLimit = .seconds(idleSeconds) }

  /// What the printed link holds, behind `#`, so that no server and no log ever sees it in an address.
  var token: AccessToken { state.withLock { $0.token } }

  /// The logins, oldest first.
  var sessions: [Session] {
    state.withLock { state in
      Self.expire(&state, idleLimit)
      return state.entries.values.map(\.session).sorted { $0.number < $1.number }
    }
  }

  /// Makes a secret that a browser keeps instead of the token, out of the reach of scripts.
  ///
  /// - Parameters:
  ///   - address: Where the login comes from.
  ///   - known: The login of the same browser, which goes on with the new secret; so do its pages.
  /// - Returns: The secret, and the login that made room, if one had to.
  func login(from address: String, known: Int?) -> (secret: AccessToken, ended: Int?) {
    state.withLock { state in
      Self.expire(&state, idleLimit)
      let secret = AccessToken()
      if let known, state.entries[known] != nil {
        state.entries[known]?.secret = secret
        return (secret, nil)
      }
      var ended: Int?
      if state.entries.count >= Self.sessionLimit,
        let oldest = state.entries.min(by: { Self.isUsedBefore($0.value, $1.value) })?.key
      {
        state.entries[oldest] = nil
        ended = oldest
      }
      state.lastNumber += 1
      let now = ContinuousClock.now
      let session = Session(number: state.lastNumber, address: address, since: now, lastUse: now)
      state.entries[session.number] = Entry(session: session, secret: secret)
      return (secret, ended)
    }
  }

  private static func isUsedBefore(_ a: Entry, _ b: Entry) -> Bool {
    // A session with an open WebSocket is in use, whenever it last requested something.
    let (isAOpen, isBOpen) = (a.socketCount > 0, b.socketCount > 0)
    return isAOpen == isBOpen ? a.session.lastUse < b.session.lastUse : isBOpen
  }

  /// The login of a secret, which counts as used now; `nil` for a text that is none.
  ///
  /// Takes the same time whichever it is.
  func session(of candidate: some StringProtocol) -> Int? {
    state.withLock { state in
      Self.expire(&state, idleLimit)
      var found: Int?
      for (number, entry) in state.entries where entry.secret.matches(candidate) { found = number }
      if let found { state.entries[found]?.session.lastUse = .now }
      return found
    }
  }

  /// A WebSocket of a login opened, or closed.
  func count(socketsOf number: Int, by change: Int) {
    state.withLock { state in
      state.entries[number]?.socketCount += change
      state.entries[number]?.session.lastUse = .now
    }
  }

  /// Ends a login; returns whether there was one.
  func end(_ number: Int) -> Bool {
    state.withLock { $0.entries.removeValue(forKey: number) != nil }
  }

  /// Draws a new token and ends all logins.
  func renew() {
    state.withLock { state in
      state.token = AccessToken()
      state.entries = [:]
    }
  }

  private static func expire(_ state: inout State, _ idleLimit: Duration) {
    let now = ContinuousClock.now
    state.entries = state.entries.filter {
      $0.value.socketCount > 0 || now - $0.value.session.lastUse < idleLimit
    }
  }
}

/// A secret of 128 random bits, written as 32 hexadecimal digits.
///
/// - Source: 128 bits: OWASP Session Management Cheat Sheet requires at least 64 bits of entropy;
///   `ecosystem.md` §C5 for 128.
struct AccessToken: Sendable {
  let text: String

  /// Draws one from the system's generator, which is fit for secrets (`getrandom`,
  /// `arc4random_buf`).
  init() {
    var generator = SystemRandomNumberGenerator()
    text = Hexadecimal.lowercase(
      (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Whether a text is the secret; takes the same time wherever they differ.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let (a, b) = (Array(text.utf8), Array(candidate.utf8))
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
