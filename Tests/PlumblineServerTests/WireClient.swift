import NIOCore
import NIOPosix
import NIOSSL
import PlumblineServer
import PlumblineExport
import Synchronization

/// A client that sends exactly the bytes that a test wants, and keeps what comes back.
final class WireClient: Sendable {
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  /// An answer to a request.
  struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
  }

  struct Inbox: Sendable {
    var bytes: [UInt8] = []
    var isClosed = false
  }

  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let inbox: Box

    init(_ inbox: Box) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let buffer = Self.unwrapInboundIn(data)
      inbox.state.withLock { $0.bytes += Array(buffer.readableBytesView) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      inbox.state.withLock { $0.isClosed = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }

  final class Box: Sendable {
    let state = Mutex(Inbox())
  }

  let channel: any Channel
  let port: Int
  private let inbox: Box

  private init(_ channel: any Channel, _ port: Int, _ inbox: Box) {
    self.channel = channel
    self.port = port
    self.inbox = inbox
  }

  deinit { channel.close(promise: nil) }

  static func connect(
    _ server: ViewServer, host: String = "127.0.0.1", encrypted: Bool = false
  ) async throws -> WireClient {
    let inbox = Box()
    let context =
      try encrypted
      ? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        return try NIOSSLContext(configuration: configuration)
      }() : nil
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // A small window, so that a client that does not read is noticed after little data.
      .channelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
      .channelOption(.allowRemoteHalfClosure, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context {
            try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
          }
          try pipeline.addHandler(Reader(inbox))
        }
      }
      .connect(host: host, port: server.port).get()
    return WireClient(channel, server.port, inbox)
  }

  /// Waits for something; a test that would wait for ever fails instead.
  @discardableResult
  func wait<Value>(
    _ what: String, _ find: (inout Inbox) -> Value?
  ) async throws -> Value {
    for _ in 0..<6000 {
      let (value, isClosed) = inbox.state.withLock { (find(&$0), $0.isClosed) }
      if let value { return value }
      if isClosed { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    let bytes = inbox.state.withLock { $0.bytes }
    throw Stuck(
      description: "no \(what); got \(String(decoding: bytes.prefix(300), as: UTF8.self))")
  }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Sends what the other side may not want any more.
  func trySend(_ bytes: [UInt8]) async { try? await send(bytes) }

  /// Closes the connection, or the sending half of it alone.
  func close(sendingOnly: Bool = false) async {
    try? await channel.close(mode: sendingOnly ? .output : .all)
  }

  func waitForEnd() async throws { try await wait("end") { $0.isClosed ? true : nil } }

  var isClosed: Bool { inbox.state.withLock { $0.isClosed } }

  /// Everything that has come and was not taken.
  var received: [UInt8] { inbox.state.withLock { $0.bytes } }

  func stopReading() async throws {
    try await channel.setOption(.autoRead, value: false).get()
  }

  func request(
    _ path: String, method: String = "GET", host: String? = nil, headers: [String] = [],
    body: String = ""
  ) async throws -> Answer {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
      + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    try await send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return try await answer(hasBody: method != "HEAD")
  }

  func answer(hasBody: Bool = true) async throws -> Answer {
    try await wait("answer") { inbox in
      let end = Array("\r\n\r\n".utf8)
      guard let head = inbox.bytes.indices.first(where: { inbox.bytes[$0...].starts(with: end) })
      else { return nil }
      let lines = String(decoding: inbox.bytes[..<head], as: UTF8.self).split(separator: "\r\n")
      let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
      }
      let count = hasBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0
      guard inbox.bytes.count >= head + 4 + count else { return nil }
      let body = Array(inbox.bytes[(head + 4)..<(head + 4 + count)])
      inbox.bytes.removeFirst(head + 4 + count)
      return Answer(status: status, headers: headers, body: body)
    }
  }
}

/// Content that answers with what was requested.
struct EchoContent: ViewContent {
  func response(to request: ViewRequest) async -> ViewResponse {
    ViewResponse(mediaType: "text/plain", bytes: Array("\(request)".utf8))
  }
}

/// Runs a server for a test and ends it, whatever happens.
func withServer(
  _ change: (inout ServerSettings) -> Void = { _ in },
  content: any ViewContent = EchoContent(), endpoints: [any WebSocketEndpoint] = [],
  _ body: (ViewServer) async throws -> Void
) async throws {
  var settings = ServerSettings()
  change(&settings)
  let server = try await ViewServer.start(settings, content: content, endpoints: endpoints)
  do { try await body(server) } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
