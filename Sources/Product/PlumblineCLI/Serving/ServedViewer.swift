import ArgumentParser
import Dispatch
public import Plumbline
public import PlumblineServer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A viewer that is served until it is ended: its link is the first line on standard output.
struct ServedViewer {
  let settings: ServerSettings
  let content: any ViewContent
  /// The file of the viewer that is shown first.
  var page = "viewer.html"
  /// What is odd about what is shown, said before.
  var findings: [Finding] = []
  /// The WebSocket endpoints that are served beside the pages, such as live frames.
  var endpoints: [any WebSocketEndpoint] = []
  /// What the viewer shows first, as the fragment of its link without a token.
  var fragment = ""
  /// Whether a browser is opened.
  var opensBrowser: Bool
  /// Where a revocation of all links is noticed; `nil` where there is none to notice.
  var state: ServerState?
  let end = ServingEnd()

  /// Serves until Control-C, the polite request to end, or ``ServingEnd/request(_:)``; `begin` is
  /// called when the server listens, `finish` when it is to end and before it does.
  func run(begin: () -> Void = {}, finish: () -> Void = {}) throws -> ExitCode {
    let signals = SignalTrap { end.request(.success) }
    defer { signals.cancel() }
    // Read before there is a link, so that no revocation after that is missed.
    let revocation = state?.revocation
    let server = try start()
    let watch = state.flatMap { state in
      server.token == nil ? nil : watchRevocation(state, since: revocation, of: server)
    }
    begin()
    let code = end.wait()
    watch?.cancel()
    finish()
    blocking { () async throws(Never) in await server.stop() }
    return code
  }

  /// Begins to serve, prints the link and opens the browser.
  func start() throws(ServerError) -> ViewServer {
    let (settings, content, endpoints, page) = (settings, content, endpoints, page)
    let server = try blocking { () async throws(ServerError) in
      try await ViewServer.start(settings, content: content, endpoints: endpoints, page: page)
    }
    var link = server.link
    if !fragment.isEmpty { link += (link.contains("#") ? "&" : "#") + fragment }
    StandardOutput.print(link)
    if let note = server.certificateNote {
      StandardError.print("plumbline: \(printable(text: note))")
    }
    if let fingerprint = server.fingerprint {
      StandardError.print("plumbline: the certificate's SHA-256 is \(fingerprint)")
    }
    if !settings.isLoopback { warn(about: link) }
    for finding in findings where finding.severity != .note {
      StandardError.print("plumbline: \(printable(text: finding.message))")
    }
    if opensBrowser, server.token == nil, !BrowserOpening.open(link) {
      StandardError.print(
        "plumbline: there is no \(BrowserOpening.program) here; open the link in a browser")
    }
    return server
  }

  /// Checks once a second whether all access was revoked after `revocation`, and then prints the
  /// new link.
  private func watchRevocation(
    _ state: ServerState, since revocation: String?, of server: ViewServer
  ) -> Task<Void, Never> {
    let fragment = fragment
    return Task.detached {
      var last = revocation
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        let now = state.revocation
        guard now != last, now != nil else { continue }
        last = now
        server.renewAccess()
        StandardError.print("plumbline: all links and logins have ended; the new link:")
        StandardOutput.print(server.link + (fragment.isEmpty ? "" : "&" + fragment))
      }
    }
  }

  private func warn(about link: String) {
    let reach = settings.encryption == .none ? "; what is sent can be read by others (--tls)" : ""
    StandardError.print("plumbline: whoever has the link and reaches this machine can look\(reach)")
    do throws(QRCode.TooLong) {
      StandardError.append(try QRCode(link).terminalText())
    } catch {
      StandardError.print(
        "plumbline: no QR code, as the link has \(error.byteCount) bytes (\(error.byteLimit) fit)")
    }
  }
}

/// The end of serving, requested once or more; the first request counts.
final class ServingEnd: Sendable {
  private let code = Mutex<ExitCode?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Ends the serving with an exit code, unless an earlier request did.
  func request(_ code: ExitCode) {
    self.code.withLock { $0 = $0 ?? code }
    semaphore.signal()
  }

  func wait() -> ExitCode {
    semaphore.wait()
    return code.withLock { $0 } ?? .success
  }
}

/// Opens a link in the user's browser, by the system's own program in a process of its own.
enum BrowserOpening {
  #if os(macOS)
    static let program = "open"
  #else
    static let program = "xdg-open"
  #endif

  /// Starts the program; returns whether there is one.
  ///
  /// The link may be read by other users of this machine, as arguments are: it must hold no token.
  @discardableResult
  static func open(_ link: String) -> Bool {
    guard
      let process = try? SpawnedProcess.start([program, link], .null, environment: nil)
    else { return false }
    DispatchQueue.global().async {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    return true
  }
}

/// Runs asynchronous work for a command, whose main thread waits for it.
func blocking<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () async throws(Failure) -> Value
) throws(Failure) -> Value {
  let result = Mutex<Result<Value, Failure>?>(nil)
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    let outcome: Result<Value, Failure>
    do throws(Failure) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    end.signal()
  }
  end.wait()
  guard let outcome = result.withLock({ $0 }) else {
    preconditionFailure("work ended without an outcome")
  }
  return try outcome.get()
}

// Here, since the server does not know the module of the protocol.

extension ServerError: CategorizedError {
  /// The kind of failure, which decides the exit code.
  public var category: FailureCategory {
    switch self {
    case .notListening, .state: .inputOutput
    case .certificate: .unusableInput
    }
  }

  /// `true`: it is about the server's own files and address.
  public var namesItsPath: Bool { true }
}

extension QRCode.TooLong: CategorizedError {
  /// The kind of failure, which decides the exit code.
  public var category: FailureCategory { .programFault }
}
