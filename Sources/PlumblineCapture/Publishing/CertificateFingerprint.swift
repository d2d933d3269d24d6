import PlumblineIO
/// The SHA-256 of a TLS certificate, by which a self-signed one is known again.
///
/// - Source: as browsers and `openssl x509 -fingerprint -sha256` show it: over the certificate in DER.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  public let hexadecimal: String

  /// The fingerprint of a certificate; O(*n*).
  ///
  /// - Parameter certificate: In DER.
  public init(of certificate: some Sequence<UInt8>) {
    hexadecimal = SHA256Digest.hexadecimal(of: certificate)
  }

  /// Reads a fingerprint: 64 hexadecimal digits in any case, with or without colons between the bytes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 95 else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    let isHexadecimal = digits.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      case UInt8(ascii: "A")...UInt8(ascii: "F"): true
      default: false
      }
    }
    guard digits.count == 64, isHexadecimal else { return nil }
    hexadecimal = String(decoding: digits, as: UTF8.self).lowercased()
  }

  /// Groups of four digits, to be compared by people.
  public var description: String {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 4)
      .map { String(digits[$0..<min($0 + 4, digits.count)]) }.joined(separator: " ")
  }
}
