import PlumblineCapture
import PlumblineStreams
import Synchronization

/// A server in memory that says what a test wants.
final class MemoryStreamServer: StreamConnector {
  /// One connection of it.
  final class Connection: StreamTransport {
    private struct State {
      var answers: [StreamTransportMessage] = []
      var receiver: CheckedContinuation<StreamTransportMessage?, Never>?
      var isClosed = false
    }

    private let state = Mutex(State())
    private let take: @Sendable (StreamTransportMessage, Connection) -> Void

    init(_ take: @escaping @Sendable (StreamTransportMessage, Connection) -> Void) {
      self.take = take
    }

    func send(_ message: StreamTransportMessage) async throws(StreamTransportError) {
      guard !state.withLock({ $0.isClosed }) else { throw .closed(code: nil, reason: "") }
      take(message, self)
    }

    func receive() async throws(StreamTransportError) -> StreamTransportMessage {
      let message = await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> StreamTransportMessage?? in
          if !state.answers.isEmpty { return .some(state.answers.removeFirst()) }
          if state.isClosed { return .some(nil) }
          state.receiver = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
      guard let message else { throw .closed(code: 1000, reason: "over") }
      return message
    }

    func say(_ message: StreamMessage) {
      let receiver = state.withLock { state in
        if state.receiver == nil { state.answers.append(.text(message.encoded)) }
        defer { state.receiver = nil }
        return state.receiver
      }
      receiver?.resume(returning: .text(message.encoded))
    }

    func close() {
      let receiver = state.withLock { state in
        state.isClosed = true
        defer { state.receiver = nil }
        return state.receiver
      }
      receiver?.resume(returning: nil)
    }
  }

  /// An attempt to connect.
  enum Attempt: Sendable {
    case fails(StreamTransportError)
    case connects(@Sendable () -> Connection)
  }

  /// What the server does at each attempt; the last one for all further ones.
  private let attempts: [Attempt]
  private let state = Mutex(0)

  init(_ attempts: [Attempt]) { self.attempts = attempts }

  /// The number of attempts so far.
  var count: Int { state.withLock { $0 } }

  func connect(
    to link: StreamLink
  ) async throws(StreamTransportError) -> any StreamTransport {
    let number = state.withLock { number in
      number += 1
      return number
    }
    switch attempts[min(number, attempts.count) - 1] {
    case .fails(let error): throw error
    case .connects(let make): return make()
    }
  }
}
