package import PlumblineIO
/// Why a request failed: `plumbline.error/1` of `Documentation/formats/stream.md`.
public struct StreamFailure: Error, Sendable, Hashable {
  /// The kind of failure as a word for programs; each has one HTTP status.
  public enum Code: String, Sendable, CaseIterable {
    /// The request is invalid; 400.
    case badRequest
    /// This path requires a WebSocket with a valid handshake; 400.
    case noWebSocket
    /// A token is required; 401.
    case noToken
    /// The request comes from a page of another site; 403.
    case foreignOrigin
    /// There is no such path, number or file; 404.
    case missing
    /// The path is read-only; 405.
    case notAllowed
    /// The request or the file exceeds a limit; 413.
    case limitExceeded
    /// The file is damaged; 415.
    case malformed
    /// The file contains something that this version cannot read; 415.
    case unsupported
    /// An expectation other than `100-continue`; 417.
    case expectation
    /// The request names another host than this server; 421.
    case foreignHost
    /// Anything else; 500.
    case failed

    /// The HTTP status.
    package var httpStatus: Int {
      switch self {
      case .badRequest, .noWebSocket: 400
      case .noToken: 401
      case .foreignOrigin: 403
      case .missing: 404
      case .notAllowed: 405
      case .limitExceeded: 413
      case .malformed, .unsupported: 415
      case .expectation: 417
      case .foreignHost: 421
      case .failed: 500
      }
    }
  }

  /// The kind of failure.
  public var code: Code
  /// One sentence for people; in ``encoded``, control characters are escaped.
  public var message: String

  /// Creates a failure.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Converts an error of reading.
  package init(_ error: CaptureReadingError) {
    let code: Code =
      switch error.reason {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .missing: .missing
      case .limitExceeded: .limitExceeded
      }
    self.init(code, error.description)
  }

  /// The JSON document in UTF-8.
  public var encoded: [UInt8] {
    let document: JSONValue = [
      "schema": "plumbline.error/1", "code": .string(code.rawValue),
      "message": .string(printable(text: message)),
    ]
    return JSONWriter(layout: .compact).bytes(document)
  }
}

extension StreamFailure: CustomStringConvertible {
  /// The sentence, escaped for printing.
  public var description: String { printable(text: message) }
}
