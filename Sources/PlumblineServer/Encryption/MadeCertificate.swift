import PlumblineIO
/// A certificate that signs itself, made by the program `openssl` in a process of its own.
///
/// ECDSA on P-256, valid for some days, for the addresses and names given. It can sign nothing else: who
/// makes a phone trust it trusts this server alone. Key and certificate pass through a folder that
/// only this user can enter and that is removed at once.
///
/// - Source: `openssl-req(1)`, `x509v3_config(5)`. Names go in as `subjectAltName`, since browsers look
///   nowhere else (RFC 9525, 2). Apple, *Requirements for trusted certificates in iOS 13*
///   (support.apple.com/103769): SHA-2, `serverAuth`, at most 825 days.
struct MadeCertificate {
  /// PEM.
  let certificate: [UInt8]
  /// PEM.
  let key: [UInt8]

  init(addresses: [String], names: [String], days: Int = 30) throws(ServerError) {
    let folder = try PrivateFolder()
    let (certificate, key) = ("\(folder.path)/certificate.pem", "\(folder.path)/key.pem")
    let request = "\(folder.path)/request.conf"
    try folder.put(Self.request(addresses, names), at: request)
    do throws(ProgramFailure) {
      // LibreSSL, which macOS has, knows `-nodes` and not the newer `-noenc`.
      _ = try ProgramAnswer(
        of: "openssl",
        [
          "req", "-x509", "-config", request, "-newkey", "ec", "-pkeyopt",
          "ec_paramgen_curve:P-256", "-sha256", "-nodes", "-days", "\(days)", "-keyout", key,
          "-out", certificate,
        ], seconds: 20)
    } catch {
      throw .certificate(detail: error.detail)
    }
    self.certificate = try folder.contents(of: certificate)
    self.key = try folder.contents(of: key)
  }

  /// What the certificate says; the system's own configuration would make it an authority.
  private static func request(_ addresses: [String], _ names: [String]) -> String {
    let alternatives =
      addresses.map { "IP:\($0)" }
      + names.filter { $0.utf8.allSatisfy(isNameByte) && !$0.isEmpty }.map { "DNS:\($0)" }
    return """
      [req]
      prompt = no
      distinguished_name = subject
      x509_extensions = extensions
      [subject]
      CN = plumbline
      [extensions]
      basicConstraints = critical, CA:FALSE
      keyUsage = critical, digitalSignature
      extendedKeyUsage = serverAuth
      subjectKeyIdentifier = hash
      subjectAltName = \(alternatives.joined(separator: ","))

      """
  }

  /// What stands in a list of openssl must not hold its separators.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }
}
