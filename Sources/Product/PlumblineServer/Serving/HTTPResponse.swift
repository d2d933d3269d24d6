import NIOCore
import NIOHTTP1
import PlumblineStreams
import PlumblineExport
import Synchronization

/// A response before the headers that all responses have.
struct HTTPResponse: Sendable {
  /// What is sent, held once however many connections it goes to.
  enum Body: Sendable {
    /// A small one, or one that is kept in this form.
    case buffer(ByteBuffer)
    /// One that was made for a viewer; it becomes a buffer piece by piece, as the client takes it.
    case bytes([UInt8], ResponseSlots.Room)
  }

  var status: HTTPResponseStatus
  var headers: [(String, String)]
  var body: Body
  /// Whether the connection ends with it.
  var closes = false
  /// What a browser may do with it.
  var policy = HTTPResponse.viewerPolicy

  init(_ status: HTTPResponseStatus, headers: [(String, String)] = [], body: ByteBuffer) {
    self.status = status
    self.headers = headers
    self.body = .buffer(body)
  }

  /// A refusal as JSON; `Documentation/formats/stream.md` names its form.
  init(_ refusal: RequestRefusal) {
    let failure = refusal.failure
    self.init(
      HTTPResponseStatus(statusCode: failure.code.httpStatus),
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: ByteBuffer(bytes: failure.encoded))
    switch refusal {
    case .notAllowed: headers.append(("Allow", "GET, HEAD"))
    case .noToken: headers.append(("WWW-Authenticate", "Bearer"))
    default: break
    }
    // A client of another kind need not keep a connection.
    closes = refusal != .notFound && refusal != .noToken
  }

  /// The content that is shown; never cached on the way.
  init(_ content: ViewResponse, _ room: ResponseSlots.Room) {
    status = HTTPResponseStatus(statusCode: content.status)
    headers = [("Content-Type", content.mediaType), ("Cache-Control", "no-store")]
    body = .bytes(content.bytes, room)
    if content.isSelfContainedPage { policy = Self.pagePolicy(script: content.scriptPolicyWord) }
  }

  /// The viewer loads from this server alone, and no page may show it in a frame.
  static let viewerPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

  /// A page that is complete in itself loads nothing and, by its sandbox, has an origin of its own.
  ///
  /// So its script requests nothing from this server, whatever texts are in it; no other script runs.
  /// The viewer shows it in a frame.
  static func pagePolicy(script: String?) -> String {
    "default-src 'none'; script-src '\(script ?? "none")'; style-src 'unsafe-inline'; "
      + "img-src data: blob:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; "
      + "sandbox allow-scripts"
  }

  /// The headers of every response, beside its policy.
  ///
  /// - Source: `ecosystem.md` §C5; OWASP Secure Headers Project.
  var protection: [(String, String)] {
    [("Content-Security-Policy", policy)] + Self.protection
  }

  private static let protection = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Beside them where browsers heed it; elsewhere they complain.
  ///
  /// - Source: WHATWG HTML, *cross-origin opener policies*: it is ignored unless the page is a
  ///   secure context.
  static let openerPolicy = ("Cross-Origin-Opener-Policy", "same-origin")
}

extension HTTPResponse.Body {
  /// The size in bytes.
  var count: Int {
    switch self {
    case .buffer(let buffer): buffer.readableBytes
    case .bytes(let bytes, _): bytes.count
    }
  }
}

/// Lets a few responses be made at a time, in the order in which they were requested, and none while too
/// many bytes of those before wait for their clients.
///
/// Each may decode a photo; hundreds of waiting requests cost nothing but their places in the row.
final class ResponseSlots: Sendable {
  private struct State {
    var free: Int
    var byteCount = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The bytes of one response, until its last use.
  final class Room: Sendable {
    private let slots: ResponseSlots
    private let byteCount: Int

    fileprivate init(_ byteCount: Int, of slots: ResponseSlots) {
      self.slots = slots
      self.byteCount = byteCount
      slots.state.withLock { $0.byteCount += byteCount }
    }

    deinit { slots.release(byteCount) }
  }

  private let byteLimit: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - count: Responses that are made at a time.
  ///   - byteLimit: Bytes of responses under way with which no further one is begun.
  init(_ count: Int, byteLimit: Int) {
    self.byteLimit = byteLimit
    state = Mutex(State(free: max(count, 1)))
  }

  /// Makes a response when it is its turn; it counts until its room is given up.
  func run(_ make: @Sendable () async -> ViewResponse?) async -> (ViewResponse, Room)? {
    await take()
    let response = await make().map { ($0, Room($0.bytes.count, of: self)) }
    release(slot: true)
    return response
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.waiting.isEmpty, state.free > 0, state.byteCount < byteLimit else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func release(_ byteCount: Int = 0, slot: Bool = false) {
    let next = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.byteCount -= byteCount
      if slot { state.free += 1 }
      guard state.byteCount < byteLimit else { return [] }
      let next = Array(state.waiting.prefix(state.free))
      state.free -= next.count
      state.waiting.removeFirst(next.count)
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
