/// Bytes as text: printable ASCII as it is, everything else as `\xNN`.
///
/// Used wherever bytes of a file reach a message, so that no escape sequence reaches a terminal.
public func printable(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  for byte in bytes {
    if byte >= 0x20 && byte < 0x7F {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      let digits = String(byte, radix: 16, uppercase: true)
      text += "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
  }
  return text
}

/// Text that is safe on a terminal and in a page: letters of every script as they are, whatever
/// steers a terminal or the direction of text as `\u{…}`.
public func printable(text: some StringProtocol) -> String {
  if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return String(text) }
  return text.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse,
      .unassigned:
      "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }.joined()
}
