import PlumblineEffects
import PlumblineInference
import PlumblineIO
import PlumblineStreams
import PlumblineViewer

extension ViewAnswer {
  /// A JSON document.
  static func document(_ document: JSONValue) -> ViewAnswer {
    ViewAnswer(
      mediaType: "application/json", bytes: JSONWriter(layout: .compact).bytes(document))
  }

  /// A failure, as `plumbline.error/1`.
  static func failure(_ failure: StreamFailure) -> ViewAnswer {
    ViewAnswer(
      status: failure.code.httpStatus, mediaType: "application/json", bytes: failure.encoded)
  }

  /// There is nothing of that number.
  static func missing(_ what: String) -> ViewAnswer { failure(StreamFailure(.missing, what)) }

  /// The answer for an error of reading.
  static func failure(_ error: any Error) -> ViewAnswer {
    switch error {
    case let error as CaptureReadingError: failure(StreamFailure(error))
    case let error as EffectError:
      failure(StreamFailure(error.reason == .outOfRange ? .badRequest : .missing, "\(error)"))
    case let error as InferenceError where error.reason == .notInstalled:
      failure(StreamFailure(.missing, "\(error)"))
    case let error as FaceRunError: failure(StreamFailure(.missing, "\(error)"))
    case InputError.notFound: failure(StreamFailure(.missing, "\(error)"))
    case InputError.tooLarge, InputError.tooManyFiles:
      failure(StreamFailure(.limitExceeded, "\(error)"))
    default: failure(StreamFailure(.failed, "\(error)"))
    }
  }
}
