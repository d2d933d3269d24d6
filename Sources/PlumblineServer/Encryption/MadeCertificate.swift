internal import PlumblineFormats

/// A certificate that signs itself, made by the program `openssl` in a process of its own.
///
/// ECDSA on P-256, valid for 30 days, for the addresses and names given. Key and certificate pass
/// through a folder that only this user can enter and that is removed at once.
///
/// - Source: `openssl-req(1)`. Names go in as `subjectAltName`, since browsers look nowhere else
///   (RFC 9525, 2).
struct MadeCertificate {
  /// PEM.
  let certificate: [UInt8]
  /// PEM.
  let key: [UInt8]

  init(addresses: [String], names: [String]) throws(ServerError) {
    let folder = try PrivateFolder()
    let (certificate, key) = ("\(folder.path)/certificate.pem", "\(folder.path)/key.pem")
    let alternatives =
      addresses.map { "IP:\($0)" }
      + names.filter { $0.utf8.allSatisfy(Self.isNameByte) && !$0.isEmpty }.map { "DNS:\($0)" }
    do throws(ProgramFailure) {
      _ = try ProgramAnswer(
        of: "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
          "-days", "30", "-subj", "/CN=plumbline", "-addext",
          "subjectAltName=" + alternatives.joined(separator: ","), "-keyout", key, "-out",
          certificate,
        ], seconds: 20)
    } catch {
      throw .certificate(detail: error.detail)
    }
    self.certificate = try folder.contents(of: certificate)
    self.key = try folder.contents(of: key)
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
