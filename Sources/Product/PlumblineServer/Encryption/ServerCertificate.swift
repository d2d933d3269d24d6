#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import NIOSSL
internal import PlumblineCapture

/// A certificate with its key, ready for TLS 1.2 and 1.3; nothing where nothing is encrypted.
struct ServerCertificate {
  /// Suites of TLS 1.2 that agree on a key of their own for each connection and authenticate what they
  /// encrypt (AEAD), strongest for their cost first; those of TLS 1.3 all do and are not chosen here.
  ///
  /// - Source: RFC 9325, 4.2; Mozilla, *Server Side TLS*, version 5.7, *intermediate*.
  private static let suites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  let context: NIOSSLContext?
  /// Of the server's own certificate, the first of its chain.
  let fingerprint: CertificateFingerprint?
  /// A note about one that is kept.
  let note: String?

  init(_ encryption: ServerEncryption, for names: HostNames) throws(ServerError) {
    switch encryption {
    case .none: (context, fingerprint, note) = (nil, nil, nil)
    case .files(let certificate, let key):
      let chain = try Self.contents(of: certificate, called: "certificate") {
        try NIOSSLCertificate.fromPEMFile($0)
      }
      let secret = try Self.contents(of: key, called: "key") {
        try NIOSSLPrivateKey(file: $0, format: .pem)
      }
      context = try Self.context { (chain, secret) }
      fingerprint = Self.fingerprint(of: chain)
      note = nil
    case .madeOnTheSpot:
      let made = try MadeCertificate(addresses: names.addresses, names: names.names)
      (context, fingerprint) = try Self.context(ofPEM: made.certificate + made.key)
      note = nil
    case .selfSigned(let state):
      let kept = try KeptCertificate.open(in: state.folder, for: names)
      (context, fingerprint) = try Self.context(ofPEM: kept.pem)
      note = kept.note
    }
  }

  private static func context(
    ofPEM pem: [UInt8]
  ) throws(ServerError) -> (NIOSSLContext, CertificateFingerprint?) {
    var chain: [NIOSSLCertificate] = []
    let context = try context {
      chain = try NIOSSLCertificate.fromPEMBytes(pem)
      return (chain, try NIOSSLPrivateKey(bytes: pem, format: .pem))
    }
    return (context, fingerprint(of: chain))
  }

  /// The bytes of a file; the reader's own error names neither the file nor the reason.
  private static func contents<Value>(
    of path: String, called what: String, _ read: (String) throws -> Value
  ) throws(ServerError) -> Value {
    do { return try read(path) } catch {
      let reason =
        access(path, R_OK) == 0 ? "holds no \(what) in PEM" : String(cString: strerror(errno))
      throw .certificate(detail: "\(path): \(reason)")
    }
  }

  private static func fingerprint(of chain: [NIOSSLCertificate]) -> CertificateFingerprint? {
    (try? chain.first?.toDERBytes()).map { CertificateFingerprint(of: $0) }
  }

  private static func context(
    _ read: () throws -> ([NIOSSLCertificate], NIOSSLPrivateKey)
  ) throws(ServerError) -> NIOSSLContext {
    do {
      let (chain, key) = try read()
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      configuration.maximumTLSVersion = .tlsv13
      configuration.cipherSuiteValues = Self.suites
      // The upgrade to WebSocket is HTTP/1.1's.
      configuration.applicationProtocols = ["http/1.1"]
      return try NIOSSLContext(configuration: configuration)
    } catch NIOSSLError.failedToLoadPrivateKey {
      throw .certificate(detail: "the key is not that of the certificate")
    } catch {
      throw .certificate(detail: "\(error)")
    }
  }
}
