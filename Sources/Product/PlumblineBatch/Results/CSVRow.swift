/// Writes rows of comma-separated values by RFC 4180, in UTF-8.
///
/// Fields are quoted only where they must be; an unknown one is empty. Every field is written as it is,
/// whatever a spreadsheet makes of it, so that programs read back exactly what was there; only U+0000,
/// which no reader takes, becomes U+FFFD.
enum CSVRow {
  /// A row with its line end; O(*n*).
  static func bytes(_ fields: [String?]) -> [UInt8] {
    var row: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      if let field { append(field, to: &row) }
    }
    row += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    return row
  }

  private static func append(_ field: String, to row: inout [UInt8]) {
    let mustBeQuoted = field.utf8.contains { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte < 0x20
    }
    // Some readers cut spaces at the ends of what is not quoted.
    let hasOuterSpace = field.utf8.first == 0x20 || field.utf8.last == 0x20
    guard mustBeQuoted || hasOuterSpace else {
      row.append(contentsOf: field.utf8)
      return
    }
    row.append(UInt8(ascii: "\""))
    for byte in field.utf8 {
      switch byte {
      case UInt8(ascii: "\""): row += [byte, byte]
      case 0: row += Array("\u{FFFD}".utf8)
      default: row.append(byte)
      }
    }
    row.append(UInt8(ascii: "\""))
  }
}
