internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import PlumblineExport

/// Answers the requests of one connection, one after the other.
///
/// The next request is handled when the system took all of the response, so that at most one response
/// waits for a client.
final class HTTPExchange: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case waiting
    case receiving(HTTPRequestHead, RequestPlan, bodyBytes: Int)
    case responding
    case closing
  }

  /// A body has nothing to say; this much is read over.
  static let bodyByteLimit = 4096
  /// What is given to the system at a time of what is shown: no client holds more than this beside
  /// the response itself, which all that requested it share.
  static let pieceByteCount = 64 << 10

  private let site: ServedSite
  private let deadlines: ConnectionDeadlines
  /// Of this connection.
  private let number: Int
  private var state = State.waiting
  private var task: Task<Void, Never>?
  private var isStopping = false

  init(site: ServedSite, deadlines: ConnectionDeadlines, number: Int) {
    self.site = site
    self.deadlines = deadlines
    self.number = number
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (Self.unwrapInboundIn(data), state) {
    case (.head(let head), .waiting): begin(head, context)
    case (.body(let bytes), .receiving(let head, let plan, let count)):
      state = .receiving(head, plan, bodyBytes: count + bytes.readableBytes)
      if count + bytes.readableBytes > Self.bodyByteLimit {
        respond(with: HTTPResponse(.tooLong), to: head, context)
      }
    case (.end, .receiving(let head, let plan, _)):
      deadlines.requestArrived()
      perform(plan, for: head, context)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let plan = site.plan(head, port: context.channel.localAddress?.port ?? 0)
    let length = ServedSite.announcedBodyBytes(of: head)
    let expectsBody = ServedSite.hasBody(head)
    deadlines.headArrived(expectsBody: expectsBody)
    switch plan {
    case .refuse(let refusal) where expectsBody:
      respond(with: HTTPResponse(refusal), to: head, context)
    case .session where length <= Self.bodyByteLimit:
      state = .receiving(head, plan, bodyBytes: 0)
      if expectsBody, ServedSite.expectsContinue(head) {
        let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(goOn)), promise: nil)
      }
    case _ where expectsBody: respond(with: HTTPResponse(.tooLong), to: head, context)
    default: state = .receiving(head, plan, bodyBytes: 0)
    }
  }

  private func perform(
    _ plan: RequestPlan, for head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    switch plan {
    case .refuse(let refusal): respond(with: HTTPResponse(refusal), to: head, context)
    case .session, .clients, .endClient: performAccess(plan, for: head, context)
    case .page(let page):
      let form = page.form(for: head.headers[canonicalForm: "accept-encoding"])
      var headers = [
        ("ETag", form.tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"),
      ]
      if head.headers[canonicalForm: "if-none-match"].contains(Substring(form.tag)) {
        respond(
          with: HTTPResponse(.notModified, headers: headers, body: ByteBuffer()), to: head, context)
      } else {
        headers.append(("Content-Type", page.mediaType))
        if let encoding = form.encoding { headers.append(("Content-Encoding", encoding)) }
        respond(with: HTTPResponse(.ok, headers: headers, body: form.bytes), to: head, context)
      }
    case .content(let request):
      state = .responding
      noteClient(head, context)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      task = Task { [site] in
        let made = await site.slots.run {
          Task.isCancelled ? nil : await site.content.response(to: request)
        }
        guard let (content, room) = made else { return }
        bound.eventLoop.execute {
          let (exchange, context) = bound.value
          exchange.respond(with: HTTPResponse(content, room), to: head, context)
        }
      }
    }
  }

  /// Exchanges a token for a cookie, lists the clients, or ends one of them.
  private func performAccess(
    _ plan: RequestPlan, for head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let session = noteClient(head, context)
    let asker = ClientList.Asker(
      connection: number, session: session, isHere: ConnectionRegistry.isHere(context.channel))
    var (status, headers) = (HTTPResponseStatus.noContent, [("Cache-Control", "no-store")])
    var body = ByteBuffer()
    switch plan {
    case .clients:
      status = .ok
      headers.append(("Content-Type", "application/json"))
      body = ByteBuffer(bytes: site.clients.document(for: asker))
    case .endClient(let name):
      guard site.clients.end(name, for: asker) else {
        return respond(with: HTTPResponse(.notFound), to: head, context)
      }
    default:
      if let secrets = site.authorizer.secrets {
        let address = ConnectionRegistry.plain(context.channel.remoteAddress)
        let login = secrets.login(from: address, known: session)
        if let ended = login.ended { site.registry.end(session: ended) }
        let port = context.channel.localAddress?.port ?? 0
        headers.append(("Set-Cookie", site.authorizer.cookie(of: login.secret, port: port)))
      }
    }
    respond(with: HTTPResponse(status, headers: headers, body: body), to: head, context)
  }

  /// Identifies the client, as far as its request does.
  @discardableResult
  private func noteClient(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Int? {
    let session = site.authorizer.session(of: head, port: context.channel.localAddress?.port ?? 0)
    let isProgram = session == nil && head.headers.contains(name: "authorization")
    site.registry.set(
      number, kind: isProgram ? .program : .browser, isWebSocket: false, session: session)
    return session
  }

  private func respond(
    with response: HTTPResponse, to head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    let closes = response.closes || !head.isKeepAlive || isStopping || hasUnreadBody
    state = closes ? .closing : .responding
    var responseHead = HTTPResponseHead(version: .http1_1, status: response.status)
    responseHead.headers.add(contentsOf: response.headers)
    responseHead.headers.add(contentsOf: response.protection)
    if site.authorizer.isSecureContext(head) {
      responseHead.headers.add(contentsOf: [HTTPResponse.openerPolicy])
    }
    if response.status != .noContent, response.status != .notModified {
      responseHead.headers.add(name: "Content-Length", value: "\(response.body.count)")
    }
    if closes { responseHead.headers.add(name: "Connection", value: "close") }
    context.write(Self.wrapOutboundOut(.head(responseHead)), promise: nil)
    let body = head.method == .HEAD ? .buffer(ByteBuffer()) : response.body
    send(body, from: 0, closes: closes, context)
  }

  /// Sends the rest of a body; the next piece when the system took the one before it.
  private func send(
    _ body: HTTPResponse.Body, from start: Int, closes: Bool, _ context: ChannelHandlerContext
  ) {
    let piece: ByteBuffer
    let end: Int
    switch body {
    case .buffer(let buffer):
      end = body.count
      piece = buffer
    case .bytes(let bytes, _):
      end = min(start + Self.pieceByteCount, bytes.count)
      piece = context.channel.allocator.buffer(bytes: bytes[start..<end])
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(piece)))).whenComplete { result in
      let (exchange, context) = bound.value
      guard case .success = result else { return context.close(promise: nil) }
      guard end < body.count else { return exchange.finish(closes: closes, context) }
      // Not from here: pieces that are taken at once would pile up on the stack.
      bound.eventLoop.execute {
        let (exchange, context) = bound.value
        exchange.send(body, from: end, closes: closes, context)
      }
    }
  }

  /// Whether more of the request is to come, which will not be read.
  private var hasUnreadBody: Bool {
    switch state {
    case .waiting: true
    case .receiving(_, _, let count): count > Self.bodyByteLimit
    case .responding, .closing: false
    }
  }

  private func finish(closes: Bool, _ context: ChannelHandlerContext) {
    let closes = closes || isStopping
    if !closes {
      state = .waiting
      deadlines.responded()
    }
    let bound = context.loopBound
    let written = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
    if closes { written.whenComplete { _ in bound.value.close(promise: nil) } }
  }

  func channelInactive(context: ChannelHandlerContext) {
    task?.cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ServerStopping || event is ClientEnding {
      isStopping = true
      if case .waiting = state { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A request for a WebSocket that there is not comes here next and gets its response.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}

/// Tells the handlers of a connection that the server ends.
struct ServerStopping: Sendable {}
