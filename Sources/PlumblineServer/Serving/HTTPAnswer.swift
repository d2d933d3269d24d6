internal import NIOCore
internal import NIOHTTP1
internal import PlumblineJSON
internal import PlumblineViewer

/// An answer before the headers that all answers bear.
struct HTTPAnswer: Sendable {
  var status: HTTPResponseStatus
  var headers: [(String, String)]
  var body: ByteBuffer
  /// Whether the connection ends with it.
  var closes = false

  init(_ status: HTTPResponseStatus, headers: [(String, String)] = [], body: ByteBuffer) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A refusal as JSON; `Documentation/formats/stream.md` names its form.
  init(_ refusal: RequestRefusal) {
    let document: JSONValue = [
      "schema": "plumbline.error/1", "code": .string(refusal.rawValue),
      "message": .string(refusal.message),
    ]
    self.init(
      refusal.status,
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: ByteBuffer(bytes: JSONWriter(layout: .compact).bytes(document)))
    switch refusal {
    case .notAllowed: headers.append(("Allow", "GET, HEAD"))
    case .noToken: headers.append(("WWW-Authenticate", "Bearer"))
    default: break
    }
    // Who is no client of ours need not keep a connection.
    closes = refusal != .notFound && refusal != .noToken
  }

  /// What is shown; never kept by anybody on the way.
  init(_ answer: ViewAnswer) {
    self.init(
      HTTPResponseStatus(statusCode: answer.status),
      headers: [("Content-Type", answer.mediaType), ("Cache-Control", "no-store")],
      body: ByteBuffer(bytes: answer.bytes))
  }

  /// The headers of every answer.
  ///
  /// - Source: `ecosystem.md` §C5; OWASP Secure Headers Project.
  static let protection = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
