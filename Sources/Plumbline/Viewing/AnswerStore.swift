import Dispatch
import PlumblineViewer

/// Answers that were made already, within a bound of bytes, and those that are being made: equal
/// requests share one computation, and only so many run at a time.
///
/// These places bound memory: each decodes a photo. A server's own limit is wider, since it counts
/// answers too that are kept here, or that only wait.
actor AnswerStore {
  private let byteLimit: Int
  private var answers: [ViewRequest: ViewAnswer] = [:]
  /// The requests of ``answers``, the one that was used last at the end.
  private var order: [ViewRequest] = []
  private var byteCount = 0
  private var pending: [ViewRequest: Task<ViewAnswer, Never>] = [:]
  private var freePlaces: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - byteLimit: The most bytes that are kept.
  ///   - places: The most computations at a time.
  init(byteLimit: Int, places: Int) {
    self.byteLimit = byteLimit
    freePlaces = places
  }

  /// The answer that is kept, or else a new one; `make` blocks until it has it, on a thread of its own.
  ///
  /// `keepsAnswer` is `false` for what is another one the next time.
  func answer(
    to request: ViewRequest, keepsAnswer: Bool = true,
    _ make: @escaping @Sendable () -> ViewAnswer
  ) async -> ViewAnswer {
    if let answer = answers[request] {
      order.removeAll { $0 == request }
      order.append(request)
      return answer
    }
    if let task = pending[request] { return await task.value }
    let task = Task { () -> ViewAnswer in
      await takePlace()
      let answer = await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: make()) }
      }
      leavePlace()
      pending[request] = nil
      if keepsAnswer { keep(answer, for: request) }
      return answer
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
  private func keep(_ answer: ViewAnswer, for request: ViewRequest) {
    guard answer.status == 200, answer.bytes.count <= byteLimit / 2 else { return }
    answers[request] = answer
    order.append(request)
    byteCount += answer.bytes.count
    while byteCount > byteLimit, let oldest = order.first {
      order.removeFirst()
      byteCount -= answers.removeValue(forKey: oldest)?.bytes.count ?? 0
    }
  }
}
