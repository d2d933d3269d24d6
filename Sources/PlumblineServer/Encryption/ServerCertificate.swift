internal import NIOSSL

/// A certificate with its key, ready for TLS 1.2 and newer; nothing where nothing is encrypted.
struct ServerCertificate {
  let context: NIOSSLContext?

  init(_ encryption: ServerEncryption, for names: HostNames) throws(ServerError) {
    switch encryption {
    case .none: context = nil
    case .files(let certificate, let key):
      context = try Self.context {
        (
          try NIOSSLCertificate.fromPEMFile(certificate),
          try NIOSSLPrivateKey(file: key, format: .pem)
        )
      }
    case .madeOnTheSpot:
      let made = try MadeCertificate(addresses: names.addresses, names: names.names)
      context = try Self.context {
        (
          try NIOSSLCertificate.fromPEMBytes(made.certificate),
          try NIOSSLPrivateKey(bytes: made.key, format: .pem)
        )
      }
    }
  }

  private static func context(
    _ read: () throws -> ([NIOSSLCertificate], NIOSSLPrivateKey)
  ) throws(ServerError) -> NIOSSLContext {
    do {
      let (chain, key) = try read()
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      // The upgrade to WebSocket is HTTP/1.1's.
      configuration.applicationProtocols = ["http/1.1"]
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw .certificate(detail: "\(error)")
    }
  }
}
