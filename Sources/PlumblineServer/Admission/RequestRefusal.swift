internal import NIOHTTP1

/// Why a request gets no answer, as it is told to the client.
enum RequestRefusal: String, Sendable, CaseIterable {
  case malformed
  case noToken
  case foreignOrigin
  case notFound
  case notAllowed
  case tooLong
  case foreignHost
  case noWebSocket

  var status: HTTPResponseStatus {
    switch self {
    case .malformed, .noWebSocket: .badRequest
    case .noToken: .unauthorized
    case .foreignOrigin: .forbidden
    case .notFound: .notFound
    case .notAllowed: .methodNotAllowed
    case .tooLong: .payloadTooLarge
    case .foreignHost: .misdirectedRequest
    }
  }

  /// One sentence; never anything that the client sent.
  var message: String {
    switch self {
    case .malformed: "This is no request that this server understands."
    case .noToken: "Open the link that plumbline printed; it holds the token."
    case .foreignOrigin: "Pages of other sites may not ask this server."
    case .notFound: "There is nothing here."
    case .notAllowed: "This can only be read."
    case .tooLong: "The request is too long."
    case .foreignHost: "This server does not go by that name."
    case .noWebSocket: "Here one can only talk by WebSocket."
    }
  }
}
