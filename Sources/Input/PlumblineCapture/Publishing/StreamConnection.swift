import PlumblineIO
import PlumblineStreams
internal import Synchronization

/// One connection of a stream: its loops for sending and receiving, and a time-out for silence.
struct StreamConnection: Sendable {
  /// Why a loop of the connection ended.
  enum End: Sendable {
    /// There is nothing left to send, and the end message was sent.
    case allSent
    case broken(String)
    case final(PublishingFailure)
  }

  /// The time of the last message from the server.
  private final class LastMessageTime: Sendable {
    let seconds: Mutex<Double>
    init(_ now: Double) { seconds = Mutex(now) }
  }

  let state: SharedPublishingState
  let transport: any StreamTransport
  let session: String
  private let lastMessage: LastMessageTime

  init(state: SharedPublishingState, transport: any StreamTransport, session: String) {
    self.state = state
    self.transport = transport
    self.session = session
    lastMessage = LastMessageTime(state.now)
  }

  /// Handles the messages of the server until the connection ends.
  func receiveLoop() async -> End {
    while true {
      do throws(StreamTransportError) {
        guard case .text(let text) = try await transport.receive() else {
          return .broken("the server sent what is no text")
        }
        lastMessage.seconds.withLock { $0 = state.now }
        let message: StreamMessage?
        do throws(CaptureReadingError) { message = try StreamMessage(text) } catch {
          return .broken("the server sent what cannot be read: \(error)")
        }
        guard let message else { continue }
        switch state.change({ $0.take(message, session: session) }) {
        case .nothing: break
        case .clock(let id):
          // A request for an unknown clock is ignored.
          guard let seconds = state.cameraSeconds else { continue }
          try await transport.send(.text(StreamMessage.clock(id: id, seconds: seconds).encoded))
        case .refused(let failure, let isFinal):
          return isFinal ? .final(failure) : .broken(failure.description)
        case .violation(let words): return .broken("the server sent \(words)")
        }
      } catch { return Self.end(error) }
    }
  }

  /// Sends the hello message, all frames and messages, and the end message.
  func sendLoop(as name: String) async -> End {
    do throws(StreamTransportError) {
      try await send(.hello(session: session, name: name))
      while await state.wait(until: { $0.next != nil || $0.isFarewellSent }) {
        guard let next = state.read({ $0.next }) else { break }
        switch next {
        case .message(let message): try await send(message)
        case .frame(_, let bytes): try await transport.send(.binary(bytes))
        }
        state.change { $0.sent(next, at: state.now) }
      }
      return .allSent
    } catch { return Self.end(error) }
  }

  /// Ends the connection if the server is silent for too long; a server requests the clock each
  /// second.
  func watchSilence(limitSeconds: Double) async -> End {
    while true {
      let wait = lastMessage.seconds.withLock { $0 } + limitSeconds - state.now
      if wait <= 0 { return .broken("the server is silent") }
      do { try await Task.sleep(for: .seconds(wait)) } catch { return .allSent }
    }
  }

  private func send(_ message: StreamMessage) async throws(StreamTransportError) {
    try await transport.send(.text(message.encoded))
  }

  private static func end(_ error: StreamTransportError) -> End {
    error.isPassing ? .broken(error.description) : .final(.connection(error))
  }
}
