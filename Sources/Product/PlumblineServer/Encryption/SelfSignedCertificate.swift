import NIOSSL
import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A certificate that signs itself and is kept between the starts of a server, so that its fingerprint
/// stays the same and programs can hold on to it.
///
/// Certificate and key are one file that only this user can read, `certificate.pem` in the folder given,
/// written beside and renamed. It is made anew where less than 30 of its 397 days are left, where this
/// machine has addresses or names that it does not hold, and where others could have read or replaced it.
///
/// - Source: 397 days: below the 398 that browsers allow a certificate of the public authorities
///   (CA/Browser Forum, *Baseline Requirements*, 6.3.2) and the 825 that iOS asks of any.
struct KeptCertificate {
  /// PEM, behind a line with the names that it holds.
  let pem: [UInt8]
  /// A note about it; `nil` for one that was there and is as it should be.
  let note: String?

  /// The path of the certificate in a folder.
  static func path(in folder: String) -> String { folder + "/certificate.pem" }

  static let days = 397
  private static let leastDaysLeft = 30
  private static let byteLimit = 64 << 10
  private static let namesLabel = "Names: "

  /// Reads the certificate of a folder, or makes it.
  ///
  /// - Throws: ``ServerError`` where none can be made; a failure to keep it is named in ``note``.
  static func open(in folder: String, for names: HostNames) throws(ServerError) -> KeptCertificate {
    let path = path(in: folder)
    let reason: String
    switch read(path) {
    case .sound(let pem):
      guard let fault = fault(of: pem, names) else { return KeptCertificate(pem: pem, note: nil) }
      reason = fault
    case .absent: reason = "none was there"
    case .unfit(let fault): reason = fault
    }
    let made = try MadeCertificate(addresses: names.addresses, names: names.names, days: days)
    let label = namesLabel + names.lasting.joined(separator: " ") + "\n"
    let pem = Array(label.utf8) + made.certificate + made.key
    do throws(PrivateFile.Fault) {
      try PrivateFile.write(pem, to: path, in: folder)
      return KeptCertificate(
        pem: pem, note: "a new certificate was made, since \(reason); it is kept in \(path)")
    } catch {
      return KeptCertificate(
        pem: pem, note: "a certificate was made that ends with this run, since \(error.detail)")
    }
  }

  private enum Stored {
    case absent
    case unfit(String)
    case sound([UInt8])
  }

  private static func read(_ path: String) -> Stored {
    do throws(PrivateFile.Fault) {
      return .sound(try PrivateFile.read(path, byteLimit: byteLimit))
    } catch {
      return error == .absent ? .absent : .unfit(error.detail)
    }
  }

  /// Why a certificate does not serve here; `nil` where it does.
  private static func fault(of pem: [UInt8], _ names: HostNames) -> String? {
    guard let certificate = try? NIOSSLCertificate.fromPEMBytes(pem).first,
      (try? NIOSSLPrivateKey(bytes: pem, format: .pem)) != nil
    else { return "the one that was kept is damaged" }
    let secondsLeft = Int(certificate.notValidAfter) - Int(time(nil))
    guard secondsLeft >= leastDaysLeft * 86_400 else {
      return secondsLeft < 0
        ? "the one that was kept has ended"
        : "the one that was kept ends in \(secondsLeft / 86_400) days"
    }
    let line = String(decoding: pem.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let held = Set(line.dropFirst(namesLabel.count).split(separator: " ").map(String.init))
    let missing = names.lasting.filter { !held.contains($0) }
    guard line.hasPrefix(namesLabel), missing.isEmpty else {
      return "the one that was kept is not for \(missing.prefix(3).joined(separator: ", "))"
    }
    return nil
  }
}

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
