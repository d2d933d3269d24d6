import Dispatch
import PlumblineEffects
import PlumblineIO
import PlumblineInference
import PlumblineStreams
import PlumblineExport

/// Responses that were made already, within a bound of bytes, and those that are being made: equal
/// requests share one computation, and only so many run at a time.
///
/// These places bound memory: each decodes a photo. A server's own limit is wider, since it counts
/// responses too that are kept here, or that only wait.
actor ResponseCache {
  private let byteLimit: Int
  private var responses: [ViewRequest: ViewResponse] = [:]
  /// The requests of ``responses``, the one that was used last at the end.
  private var order: [ViewRequest] = []
  private var byteCount = 0
  private var pending: [ViewRequest: Task<ViewResponse, Never>] = [:]
  private var freePlaces: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - byteLimit: The most bytes that are kept.
  ///   - places: The most computations at a time.
  init(byteLimit: Int, places: Int) {
    self.byteLimit = byteLimit
    freePlaces = places
  }

  /// The response that is kept, or else a new one; `make` blocks until it has it, on a thread of its own.
  ///
  /// `keepsResponse` is `false` for what is another one the next time.
  func response(
    to request: ViewRequest, keepsResponse: Bool = true,
    _ make: @escaping @Sendable () -> ViewResponse
  ) async -> ViewResponse {
    if let response = responses[request] {
      order.removeAll { $0 == request }
      order.append(request)
      return response
    }
    if let task = pending[request] { return await task.value }
    let task = Task { () -> ViewResponse in
      await takePlace()
      let response = await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: make()) }
      }
      leavePlace()
      pending[request] = nil
      if keepsResponse { keep(response, for: request) }
      return response
    }
    pending[request] = task
    return await task.value
  }

  private func takePlace() async {
    if freePlaces > 0 {
      freePlaces -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// A place goes straight to the one that waits longest.
  private func leavePlace() {
    if waiting.isEmpty { freePlaces += 1 } else { waiting.removeFirst().resume() }
  }

  /// Failures are not kept: a file may be there the next time.
  private func keep(_ response: ViewResponse, for request: ViewRequest) {
    guard response.status == 200, response.bytes.count <= byteLimit / 2 else { return }
    responses[request] = response
    order.append(request)
    byteCount += response.bytes.count
    while byteCount > byteLimit, let oldest = order.first {
      order.removeFirst()
      byteCount -= responses.removeValue(forKey: oldest)?.bytes.count ?? 0
    }
  }
}

extension ViewResponse {
  /// A JSON document.
  static func document(_ document: JSONValue) -> ViewResponse {
    ViewResponse(
      mediaType: "application/json", bytes: JSONWriter(layout: .compact).bytes(document))
  }

  /// A failure, as `plumbline.error/1`.
  static func failure(_ failure: StreamFailure) -> ViewResponse {
    ViewResponse(
      status: failure.code.httpStatus, mediaType: "application/json", bytes: failure.encoded)
  }

  /// There is nothing of that number.
  static func missing(_ what: String) -> ViewResponse { failure(StreamFailure(.missing, what)) }

  /// The response for an error of reading.
  static func failure(_ error: any Error) -> ViewResponse {
    switch error {
    case let error as CaptureReadingError: failure(StreamFailure(error))
    case let error as EffectError:
      failure(StreamFailure(error.reason == .outOfRange ? .badRequest : .missing, "\(error)"))
    case let error as InferenceError where error.reason == .notInstalled:
      failure(StreamFailure(.missing, "\(error)"))
    case let error as PhotoFaceError: failure(StreamFailure(.missing, "\(error)"))
    case InputError.notFound: failure(StreamFailure(.missing, "\(error)"))
    case InputError.tooLarge, InputError.tooManyFiles:
      failure(StreamFailure(.limitExceeded, "\(error)"))
    default: failure(StreamFailure(.failed, "\(error)"))
    }
  }
}
