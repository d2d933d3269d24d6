import PlumblineModel
import Synchronization

/// A channel for the latest live frame between a camera and its encoder; a newer frame replaces it.
final class LatestFrameChannel: Sendable {
  /// A frame on its way.
  struct Entry: Sendable {
    let capture: Capture
    let sequence: Int
    let takenAt: ContinuousClock.Instant
  }

  private struct State {
    var entry: Entry?
    var isFinished = false
    var taker: CheckedContinuation<Entry?, Never>?
  }

  private let state = Mutex(State())

  /// Replaces the frame in the channel; never waits.
  func put(_ entry: Entry) {
    let taker = state.withLock { state in
      defer { state.taker = nil }
      if state.taker == nil { state.entry = entry }
      return state.taker
    }
    taker?.resume(returning: entry)
  }

  /// Ends the channel: no more frames come.
  func finish() {
    let taker = state.withLock { state in
      state.isFinished = true
      defer { state.taker = nil }
      return state.taker
    }
    taker?.resume(returning: nil)
  }

  /// Takes the latest frame; waits for one, and gives `nil` at the end.
  func take() async -> Entry? {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Entry?? in
        if let entry = state.entry {
          state.entry = nil
          return .some(entry)
        }
        if state.isFinished { return .some(nil) }
        state.taker = continuation
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}

/// A cache of the result for the last requested frame, since viewers request the same frame repeatedly.
final class LastFrameCache<Value: Sendable>: Sendable {
  private struct Entry {
    var item: Int
    var frame: Int
    var value: Value
  }

  private let entry = Mutex<Entry?>(nil)

  /// The cached value of a frame; else the result of `make`, which is then cached.
  ///
  /// Two simultaneous callers may both make it, since none waits for the other.
  func value(item: Int, frame: Int, _ make: () throws -> Value) rethrows -> Value {
    if let found = entry.withLock({ $0 }), found.item == item, found.frame == frame {
      return found.value
    }
    let value = try make()
    entry.withLock { $0 = Entry(item: item, frame: frame, value: value) }
    return value
  }
}
