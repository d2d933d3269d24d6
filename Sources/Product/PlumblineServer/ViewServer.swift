import NIOCore
import NIOPosix
public import PlumblineCapture
public import PlumblineExport

/// Serves the viewer, what it shows and live streams to browsers.
///
///     let server = try await ViewServer.start(settings, content: content, endpoints: [live])
///     print(server.link)
///     await server.stop()
///
/// Access control and every limit: `Documentation/serve.md`.
public final class ViewServer: Sendable {
  /// The port that it listens at.
  public let port: Int
  /// The addresses that it listens at, IPv6 ones in brackets.
  public let addresses: [String]
  /// The fingerprint of the server's certificate; `nil` without encryption.
  public let fingerprint: CertificateFingerprint?
  /// What there is to say of a certificate that is kept between starts, such as that a new one was made;
  /// `nil` where there is nothing.
  public let certificateNote: String?

  private let secrets: AccessSecrets?
  private let printedHost: String
  private let scheme: String
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any Channel]
  private let registry: ConnectionRegistry

  private init(
    settings: ServerSettings, host: String, secrets: AccessSecrets?,
    certificate: ServerCertificate, group: MultiThreadedEventLoopGroup,
    listeners: [any Channel], registry: ConnectionRegistry
  ) {
    self.group = group
    self.listeners = listeners
    self.registry = registry
    port = listeners.first?.localAddress?.port ?? 0
    addresses = listeners.compactMap { $0.localAddress?.ipAddress }.map { HostNames.written($0) }
    self.secrets = secrets
    scheme = settings.encryption == .none ? "http" : "https"
    printedHost = HostNames.written(host)
    fingerprint = certificate.fingerprint
    certificateNote = certificate.note
  }

  /// The token that clients other than browsers send as `Authorization: Bearer …`; `nil` where none
  /// is required.
  public var token: String? { secrets?.token.text }

  /// What to open in a browser; it holds the token where one is required, and the fingerprint of the
  /// certificate where there is one, for users who can compare it.
  public var link: String {
    let members =
      [token.map { "token=\($0)" }, fingerprint.map { "fp=\($0.hexadecimal)" }].compactMap(\.self)
    return "\(scheme)://\(printedHost):\(port)/"
      + (members.isEmpty ? "" : "#" + members.joined(separator: "&"))
  }

  /// Draws a new token, so that ``link`` is another one, and ends all logins and connections.
  public func renewAccess() {
    secrets?.renew()
    registry.endAll()
  }

  /// The number of connections at the moment.
  public var connectionCount: Int { registry.count }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - settings: Where, and what it bears.
  ///   - content: What it shows.
  ///   - endpoints: What can be talked to by WebSocket, each at a path of its own.
  ///   - page: The file of the viewer that is shown first.
  /// - Returns: The server; it runs until ``stop()``.
  /// - Throws: ``ServerError``.
  public static func start(
    _ settings: ServerSettings, content: any ViewContent, endpoints: [any WebSocketEndpoint] = [],
    page: String = "viewer.html"
  ) async throws(ServerError) -> ViewServer {
    let names = HostNames(settings)
    let certificate = try ServerCertificate(settings.encryption, for: names)
    let secrets =
      settings.isLoopback && !settings.requiresToken
      ? nil : AccessSecrets(idleSeconds: settings.sessionIdleSeconds)
    let registry = ConnectionRegistry(settings)
    let site = ServedSite(
      settings: settings,
      authorizer: RequestAuthorizer(
        hostNames: names.all, isEncrypted: certificate.context != nil, secrets: secrets),
      pages: ViewerPages(start: page), content: content,
      endpoints: Dictionary(
        endpoints.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }),
      slots: ResponseSlots(settings.responseLimit, byteLimit: settings.responseByteLimit),
      unfinished: UnfinishedMessages(byteLimit: settings.unfinishedByteLimit),
      registry: registry,
      clients: ClientList(
        secrets: secrets, registry: registry, fingerprint: certificate.fingerprint))
    // Sockets are waited for by few threads; responses are made elsewhere.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, 4))
    do throws(ServerError) {
      let listeners = try await Listening(
        pipeline: ConnectionPipeline(site: site, encryption: certificate.context), group: group
      ).listen(settings)
      return ViewServer(
        settings: settings, host: names.printed, secrets: secrets,
        certificate: certificate, group: group, listeners: listeners,
        registry: registry)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  /// Ends: refuses new clients, closes WebSockets, gives responses under way two seconds.
  public func stop() async {
    for listener in listeners { try? await listener.close() }
    let channels = registry.stop()
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerStopping()) }
    let deadline = ContinuousClock.now + .seconds(2)
    while registry.count > 0, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
    for channel in registry.stop() { try? await channel.close() }
    try? await group.shutdownGracefully()
  }
}

/// An error when a server cannot start.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address or port cannot be listened at.
  case notListening(host: String, port: Int, detail: String)
  /// There is no certificate, or no key to it, that could be used.
  case certificate(detail: String)
  /// What is kept between starts cannot be changed.
  case state(detail: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .notListening(let host, let port, let detail):
      "cannot listen at \(host), port \(port): \(detail)"
    case .certificate(let detail): "no certificate for https: \(detail)"
    case .state(let detail): "what was given out cannot be made void: \(detail)"
    }
  }
}
