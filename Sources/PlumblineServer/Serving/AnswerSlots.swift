internal import Synchronization

/// Lets a few answers be made at a time, in the order in which they were asked for.
///
/// Each may decode a photo; hundreds of waiting requests cost nothing but their places in the row.
final class AnswerSlots: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: max(count, 1))) }

  /// Makes an answer when it is its turn.
  func run<Answer: Sendable>(_ make: @Sendable () async -> Answer) async -> Answer {
    await take()
    let answer = await make()
    give()
    return answer
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 { state.waiting.append(continuation) }
        defer { state.free = max(state.free - 1, 0) }
        return state.free > 0
      }
      if isFree { continuation.resume() }
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
