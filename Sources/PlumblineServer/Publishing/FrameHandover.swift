internal import PlumblineCapture
internal import Synchronization

/// A bounded queue between a socket and its recorder; nothing is ever dropped.
///
/// Where it is full, the socket is not read until there is room again, and the sender waits.
final class FrameHandover: Sendable {
  enum Item: Sendable {
    case frame(PublishedFrame)
    case event(DepthCameraEvent)
  }

  private struct State {
    var items: [Item] = []
    var byteCount = 0
    var frameCount = 0
    var isOver = false
    var consumer: CheckedContinuation<Item?, Never>?
    var isFull: Bool {
      frameCount >= frameLimit || byteCount >= byteLimit || items.count >= itemLimit
    }
  }

  /// Frames that wait before the socket is left alone.
  static let frameLimit = 8
  /// Bytes that wait before the socket is left alone.
  static let byteLimit = 64 << 20

  /// Frames and events that wait before the socket is left alone: seconds of them, and no flood.
  static let itemLimit = 256

  private let state = Mutex(State())
  /// Called when a full hand-over has room again.
  private let onRoom: @Sendable () -> Void

  init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

  /// Takes an item in any case.
  ///
  /// - Returns: Whether there is room for another one.
  func put(_ item: Item) -> Bool {
    let (consumer, hasRoom) = state.withLock {
      state -> (CheckedContinuation<Item?, Never>?, Bool) in
      guard !state.isOver else { return (nil, true) }
      if let consumer = state.consumer {
        state.consumer = nil
        return (consumer, true)
      }
      state.items.append(item)
      if case .frame(let frame) = item {
        state.frameCount += 1
        state.byteCount += frame.bytes.count
      }
      return (nil, !state.isFull)
    }
    consumer?.resume(returning: item)
    return hasRoom
  }

  /// The next item; `nil` at the end, or when the task is canceled.
  func next() async -> Item? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, hasRoom) = state.withLock { state -> (Item??, Bool) in
          guard !state.items.isEmpty else {
            if state.isOver { return (.some(nil), false) }
            state.consumer = continuation
            return (nil, false)
          }
          let wasFull = state.isFull
          let item = state.items.removeFirst()
          if case .frame(let frame) = item {
            state.frameCount -= 1
            state.byteCount -= frame.bytes.count
          }
          return (item, wasFull && !state.isFull)
        }
        if let answer { continuation.resume(returning: answer) }
        if hasRoom { onRoom() }
      }
    } onCancel: {
      abandon()
    }
  }

  /// Nothing more comes; what waits is handed out.
  func finish() {
    let consumer = state.withLock { state in
      state.isOver = true
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume(returning: nil)
  }

  /// Ends it for the consumer; waiting frames are dropped.
  func abandon() {
    finish()
    let wasFull = state.withLock { state in
      defer { (state.items, state.frameCount, state.byteCount) = ([], 0, 0) }
      return state.isFull
    }
    if wasFull { onRoom() }
  }
}
