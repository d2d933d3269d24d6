internal import NIOCore
internal import NIOWebSocket
internal import PlumblineCapture
import PlumblineIO
import PlumblineStreams
internal import Synchronization

/// A publisher's WebSocket on a socket.
final class SocketStream: StreamTransport {
  private typealias Answer = Result<StreamTransportMessage, StreamTransportError>

  private struct State {
    var messages: [StreamTransportMessage] = []
    var end: StreamTransportError?
    var receiver: CheckedContinuation<Answer, Never>?
  }

  /// A server has no reason to send more than a few messages a second.
  private static let messageLimit = 1000
  private let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  deinit { channel.close(promise: nil) }

  func send(_ message: StreamTransportMessage) async throws(StreamTransportError) {
    let (opcode, bytes): (WebSocketOpcode, [UInt8]) =
      switch message {
      case .text(let bytes): (.text, bytes)
      case .binary(let bytes): (.binary, bytes)
      }
    let frame = WebSocketFrame(
      fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    do { try await channel.writeAndFlush(frame).get() } catch {
      throw state.withLock { $0.end } ?? .closed(code: nil, reason: "\(error)")
    }
  }

  func receive() async throws(StreamTransportError) -> StreamTransportMessage {
    let answer = await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Answer? in
        if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
        if let end = state.end { return .failure(end) }
        precondition(state.receiver == nil, "a stream has one listener")
        state.receiver = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
    return try answer.get()
  }

  func close() {
    end(.closed(code: nil, reason: ""))
    channel.close(promise: nil)
  }

  /// A message came.
  func take(_ message: StreamTransportMessage) {
    let (receiver, isFlood) = state.withLock {
      state -> (CheckedContinuation<Answer, Never>?, Bool) in
      if let receiver = state.receiver {
        state.receiver = nil
        return (receiver, false)
      }
      state.messages.append(message)
      return (nil, state.messages.count > Self.messageLimit)
    }
    receiver?.resume(returning: .success(message))
    if isFlood { close() }
  }

  /// Nothing more comes; the first reason counts.
  func end(_ error: StreamTransportError) {
    let receiver = state.withLock { state in
      if state.end == nil { state.end = error }
      defer { state.receiver = nil }
      return state.receiver
    }
    receiver?.resume(returning: .failure(error))
  }
}

/// Takes a server's frames apart for a publisher, and answers its pings.
final class SocketStreamReader: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let stream: SocketStream

  init(_ stream: SocketStream) { self.stream = stream }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    switch frame.opcode {
    case .text: stream.take(.text(Array(frame.unmaskedData.readableBytesView)))
    case .binary: stream.take(.binary(Array(frame.unmaskedData.readableBytesView)))
    case .ping:
      let pong = WebSocketFrame(
        fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
      context.writeAndFlush(Self.wrapOutboundOut(pong), promise: nil)
    case .connectionClose:
      var data = frame.unmaskedData
      let code = data.readInteger(as: UInt16.self).map { Int($0) }
      let words = String(decoding: data.readableBytesView.prefix(123), as: UTF8.self)
      stream.end(.closed(code: code, reason: printable(text: words)))
      let answer = WebSocketFrame(
        fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.unmaskedData)
      context.writeAndFlush(Self.wrapOutboundOut(answer)).assumeIsolated().whenComplete { _ in
        context.close(promise: nil)
      }
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    stream.end(.closed(code: nil, reason: "the network broke it off"))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    stream.end(.closed(code: nil, reason: "\(error)"))
    context.close(promise: nil)
  }
}
