internal import PlumblineViewer
internal import Synchronization

/// Lets a few answers be made at a time, in the order in which they were requested, and none while too
/// many bytes of those before wait for their clients.
///
/// Each may decode a photo; hundreds of waiting requests cost nothing but their places in the row.
final class AnswerSlots: Sendable {
  private struct State {
    var free: Int
    var byteCount = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The bytes of one answer, until its last use.
  final class Room: Sendable {
    private let slots: AnswerSlots
    private let byteCount: Int

    fileprivate init(_ byteCount: Int, of slots: AnswerSlots) {
      self.slots = slots
      self.byteCount = byteCount
      slots.state.withLock { $0.byteCount += byteCount }
    }

    deinit { slots.release(byteCount) }
  }

  private let byteLimit: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - count: Answers that are made at a time.
  ///   - byteLimit: Bytes of answers under way with which no further one is begun.
  init(_ count: Int, byteLimit: Int) {
    self.byteLimit = byteLimit
    state = Mutex(State(free: max(count, 1)))
  }

  /// Makes an answer when it is its turn; it counts until its room is given up.
  func run(_ make: @Sendable () async -> ViewAnswer?) async -> (ViewAnswer, Room)? {
    await take()
    let answer = await make().map { ($0, Room($0.bytes.count, of: self)) }
    release(slot: true)
    return answer
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.waiting.isEmpty, state.free > 0, state.byteCount < byteLimit else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func release(_ byteCount: Int = 0, slot: Bool = false) {
    let next = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.byteCount -= byteCount
      if slot { state.free += 1 }
      guard state.byteCount < byteLimit else { return [] }
      let next = Array(state.waiting.prefix(state.free))
      state.free -= next.count
      state.waiting.removeFirst(next.count)
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
