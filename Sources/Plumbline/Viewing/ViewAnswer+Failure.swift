import PlumblineFormats
import PlumblineJSON
import PlumblineViewer

extension ViewAnswer {
  /// A JSON document.
  static func document(_ document: JSONValue, status: Int = 200) -> ViewAnswer {
    ViewAnswer(
      status: status, mediaType: "application/json",
      bytes: JSONWriter(layout: .compact).bytes(document))
  }

  /// Why there is no answer, as `plumbline.error/1`.
  static func failure(_ status: Int, code: String, _ message: String) -> ViewAnswer {
    document(
      .object([
        ("schema", "plumbline.error/1"), ("code", .string(code)),
        ("message", .string(printable(text: message))),
      ]), status: status)
  }

  /// There is nothing of that number.
  static func missing(_ what: String) -> ViewAnswer { failure(404, code: "missing", what) }

  /// What could not be read.
  static func failure(_ error: any Error) -> ViewAnswer {
    switch error {
    case let error as CaptureReadingError:
      failure(error.httpStatus, code: error.reason.rawValue, error.description)
    case InputError.notFound: failure(404, code: "missing", "\(error)")
    case InputError.tooLarge, InputError.tooManyFiles:
      failure(413, code: "limitExceeded", "\(error)")
    default: failure(500, code: "failed", "\(error)")
    }
  }
}

extension CaptureReadingError {
  /// The status that says who can act.
  fileprivate var httpStatus: Int {
    switch reason {
    case .malformed, .unsupported: 415
    case .missing: 404
    case .limitExceeded: 413
    }
  }
}
