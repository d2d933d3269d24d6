import PlumblineStreams
/// Why a request gets no answer, found before anything of it is done.
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
      StreamFailure(.noToken, "Open the link that plumbline printed; it holds the token.")
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
