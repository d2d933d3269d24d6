internal import NIOCore
internal import NIOHTTP1
import PlumblineStreams
internal import PlumblineViewer

/// An answer before the headers that all answers bear.
struct HTTPAnswer: Sendable {
  /// What is sent, held once however many connections it goes to.
  enum Body: Sendable {
    /// A small one, or one that is kept in this form.
    case buffer(ByteBuffer)
    /// One that was made for a viewer; it becomes a buffer piece by piece, as the client takes it.
    case bytes([UInt8], AnswerSlots.Room)
  }

  var status: HTTPResponseStatus
  var headers: [(String, String)]
  var body: Body
  /// Whether the connection ends with it.
  var closes = false
  /// What a browser may do with it.
  var policy = HTTPAnswer.viewerPolicy

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
  init(_ answer: ViewAnswer, _ room: AnswerSlots.Room) {
    status = HTTPResponseStatus(statusCode: answer.status)
    headers = [("Content-Type", answer.mediaType), ("Cache-Control", "no-store")]
    body = .bytes(answer.bytes, room)
    if answer.isSelfContainedPage { policy = Self.pagePolicy(script: answer.scriptPolicyWord) }
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

  /// The headers of every answer, beside its policy.
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

extension HTTPAnswer.Body {
  /// The size in bytes.
  var count: Int {
    switch self {
    case .buffer(let buffer): buffer.readableBytes
    case .bytes(let bytes, _): bytes.count
    }
  }
}
