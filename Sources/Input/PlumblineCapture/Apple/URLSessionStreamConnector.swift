#if canImport(Darwin)
  internal import Foundation
  internal import Security
  internal import Synchronization

  /// Connections of a ``StreamPublisher`` with `URLSession`, on Apple devices.
  public struct URLSessionStreamConnector: StreamConnector {
    private static let connectSeconds = 10.0
    /// A server's message has at most 64 KiB of text.
    private static let messageByteLimit = 64 << 10

    /// Creates a connector.
    public init() {}

    /// Connects.
    ///
    /// It accepts only the certificate that the link names, or if the link names none, one that the
    /// system trusts; the token is sent only after that.
    public func connect(
      to link: StreamLink
    ) async throws(StreamTransportError) -> any StreamTransport {
      guard let url = URL(string: link.publishAddress) else {
        throw .unreachable("\(link.authority) is no address")
      }
      var request = URLRequest(url: url)
      request.timeoutInterval = Self.connectSeconds
      if let token = link.token {
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
      }
      let opening = StreamOpening(link)
      let session = URLSession(
        configuration: .ephemeral, delegate: opening, delegateQueue: nil)
      let task = session.webSocketTask(with: request)
      task.maximumMessageSize = Self.messageByteLimit
      let stream = URLSessionStream(task, session)
      await withTaskCancellationHandler {
        await opening.wait { task.resume() }
      } onCancel: {
        task.cancel()
      }
      if let failure = opening.failure {
        stream.close()
        throw failure
      }
      return stream
    }
  }

  /// The certificate check of a connection, and the result of opening it.
  private final class StreamOpening: NSObject, URLSessionWebSocketDelegate {
    private struct State {
      var isDecided = false
      var failure: StreamTransportError?
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let link: StreamLink
    private let state = Mutex(State())

    init(_ link: StreamLink) { self.link = link }

    /// The reason why there is no connection; `nil` if there is one.
    var failure: StreamTransportError? { state.withLock { $0.failure } }

    func wait(_ begin: () -> Void) async {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiter = continuation }
        begin()
      }
    }

    /// Ends the wait; the first reason counts.
    private func decide(_ failure: StreamTransportError?) {
      let waiter = state.withLock { state in
        if !state.isDecided { state.failure = state.failure ?? failure }
        state.isDecided = true
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didOpenWithProtocol protocol: String?
    ) { decide(nil) }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      if let status = (task.response as? HTTPURLResponse)?.statusCode, status != 101 {
        decide(.refused(status: status))
      } else {
        decide(.unreachable(error?.localizedDescription ?? "the connection ended"))
      }
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
        let trust = challenge.protectionSpace.serverTrust
      else { return (.performDefaultHandling, nil) }
      guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
        let certificate = chain.first
      else { return (.cancelAuthenticationChallenge, nil) }
      let found = CertificateFingerprint(of: SecCertificateCopyData(certificate) as Data)
      guard let expected = link.fingerprint else {
        if SecTrustEvaluateWithError(trust, nil) { return (.performDefaultHandling, nil) }
        state.withLock { $0.failure = .untrusted(found) }
        return (.cancelAuthenticationChallenge, nil)
      }
      guard found == expected else {
        state.withLock { $0.failure = .otherCertificate(expected: expected, found: found) }
        return (.cancelAuthenticationChallenge, nil)
      }
      return (.useCredential, URLCredential(trust: trust))
    }
  }

  /// A publisher's WebSocket of the system.
  private final class URLSessionStream: StreamTransport {
    private let task: URLSessionWebSocketTask
    private let session: URLSession

    init(_ task: URLSessionWebSocketTask, _ session: URLSession) {
      self.task = task
      self.session = session
    }

    deinit { session.invalidateAndCancel() }

    func send(_ message: StreamTransportMessage) async throws(StreamTransportError) {
      do {
        switch message {
        case .text(let bytes): try await task.send(.string(String(decoding: bytes, as: UTF8.self)))
        case .binary(let bytes): try await task.send(.data(Data(bytes)))
        }
      } catch { throw end(error) }
    }

    func receive() async throws(StreamTransportError) -> StreamTransportMessage {
      do {
        switch try await task.receive() {
        case .string(let text): return .text(Array(text.utf8))
        case .data(let data): return .binary(Array(data))
        @unknown default: throw StreamTransportError.closed(code: nil, reason: "unknown data")
        }
      } catch { throw end(error) }
    }

    func close() {
      task.cancel(with: .goingAway, reason: nil)
      session.invalidateAndCancel()
    }

    /// The server's own close reason, if it gave one.
    private func end(_ error: any Error) -> StreamTransportError {
      let code = task.closeCode.rawValue
      guard code > 0 else { return .closed(code: nil, reason: error.localizedDescription) }
      let words = String(decoding: task.closeReason ?? Data(), as: UTF8.self)
      return .closed(code: code, reason: String(words.prefix(123)))
    }
  }
#endif
