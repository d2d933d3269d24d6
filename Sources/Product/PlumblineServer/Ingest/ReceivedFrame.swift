import PlumblineCapture
public import PlumblineIO
public import PlumblineStreams
import Synchronization

/// A frame as a remote camera sent it: its message, and the header that was read of it.
public struct ReceivedFrame: Sendable {
  /// The whole message.
  public let bytes: [UInt8]
  /// Its header.
  public let header: StreamFrameHeader

  /// Reads the header; the images are left as they are.
  ///
  /// - Throws: ``CaptureReadingError`` for bytes that are no message.
  public init(_ bytes: [UInt8]) throws(CaptureReadingError) {
    header = try StreamFrameHeader(bytes)
    self.bytes = bytes
  }

  /// The whole frame; O(*n*).
  ///
  /// - Throws: ``CaptureReadingError`` that names the part.
  package func decoded() throws(CaptureReadingError) -> StreamFrame {
    try StreamFrame(header, bytes)
  }
}

/// The offset of a sender's clock from this machine's.
///
/// Both times of an exchange are this machine's; the answer lies somewhere between them. The middle is
/// believed, off by half the round trip at most, and of the last 16 exchanges the fastest, which can be
/// off the least.
///
/// - Source: RFC 5905 (NTP), 8 and 10: offset and delay, and a clock filter that takes the sample of
///   least delay.
struct ClockOffset: Sendable {
  private static let exchangeCount = 16

  private var exchanges: [(offsetSeconds: Double, plusMinusSeconds: Double)] = []

  /// Takes an exchange; times that make no sense are ignored.
  mutating func add(sentAt: Double, answeredAt: Double, clientSeconds: Double) {
    let trip = answeredAt - sentAt
    let offset = sentAt + trip / 2 - clientSeconds
    guard trip >= 0, offset.isFinite, trip.isFinite else { return }
    exchanges.append((offset, trip / 2))
    exchanges = exchanges.suffix(Self.exchangeCount)
  }

  /// What has to be added to the sender's clock, and by how much that may be off; `nil` before the
  /// first exchange.
  var best: (offsetSeconds: Double, plusMinusSeconds: Double)? {
    exchanges.min { $0.plusMinusSeconds < $1.plusMinusSeconds }
  }
}

/// A bounded queue of frames and events between a socket and its consumer; nothing is ever dropped.
///
/// Where it is full, the socket is not read until there is room again, and the sender waits.
final class BoundedFrameQueue: Sendable {
  enum Item: Sendable {
    case frame(ReceivedFrame)
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
  /// Called when a full queue has room again.
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
        let (taken, hasRoom) = state.withLock { state -> (Item??, Bool) in
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
        if let taken { continuation.resume(returning: taken) }
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

  /// Ends the queue for its consumer; waiting frames are dropped.
  func abandon() {
    finish()
    let wasFull = state.withLock { state in
      defer { (state.items, state.frameCount, state.byteCount) = ([], 0, 0) }
      return state.isFull
    }
    if wasFull { onRoom() }
  }
}
