import PlumblineIO

/// The identifiers of an E57 file and of its scan, made from their content.
///
/// E57 wants identifiers that no other content has. These are UUIDs of version 8, 122 bits of a
/// SHA-256, so the same cloud has the same one again.
/// - Source: RFC 9562, 5.8 and appendix B.2.
struct E57Identifiers: Sendable {
  /// The identifier of the file.
  let file: String
  /// The identifier of the scan.
  let scan: String

  /// Stands for identifiers that are not known yet; of the same length.
  static let placeholder = E57Identifiers(digest: Array(repeating: 0, count: 32))

  /// Creates the identifiers of content with this SHA-256.
  init(digest: [UInt8]) {
    file = Self.identifier(digest, of: "file")
    scan = Self.identifier(digest, of: "scan")
  }

  private static func identifier(_ digest: [UInt8], of name: String) -> String {
    var bytes = Array(SHA256Digest.bytes(of: digest + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(Hexadecimal.lowercase(bytes))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return "{\(groups.joined(separator: "-"))}"
  }
}
