/// Bytes as text: printable ASCII as it is, everything else as `\xNN`.
///
/// Used wherever bytes of a file reach a message, so that no escape sequence reaches a terminal.
public func printable(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  for byte in bytes {
    if byte >= 0x20 && byte < 0x7F {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "\\x" + Hexadecimal.uppercase(CollectionOfOne(byte))
    }
  }
  return text
}

/// Text that is safe on a terminal and in a page: letters of every script are unchanged; characters
/// that control a terminal or the direction of text become `\u{…}`.
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

/// The lines of a text, one at a time, so that no list of them is ever held.
///
/// A line ends at a line feed, a carriage return, or both in this order.
package struct TextLines {
  private let bytes: ArraySlice<UInt8>
  private var offset: Int
  /// The number of the line that was read last, from 1.
  package private(set) var number = 0

  /// Starts before the first line.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// The next line without its ending; `nil` behind the last one.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard offset < bytes.endIndex else { return nil }
    let line = bytes[offset...].prefix { $0 != 0x0A && $0 != 0x0D }
    offset = line.endIndex
    if offset < bytes.endIndex, bytes[offset] == 0x0D { offset += 1 }
    if offset < bytes.endIndex, bytes[offset] == 0x0A { offset += 1 }
    number += 1
    return line
  }

  /// The next line that is neither blank nor a comment (`#`), split at blanks and tabs.
  ///
  /// - Parameter maximum: The maximum number of fields; the last field holds the rest of the line.
  /// - Returns: The fields; `nil` after the last line.
  package mutating func nextFields(atMost maximum: Int = 64) -> [ArraySlice<UInt8>]? {
    while let line = next() {
      let fields = Self.fields(line, atMost: maximum)
      if let first = fields.first?.first, first != UInt8(ascii: "#") { return fields }
    }
    return nil
  }

  /// Splits a line at blanks and tabs.
  package static func fields(
    _ line: ArraySlice<UInt8>, atMost maximum: Int = 64
  ) -> [ArraySlice<UInt8>] {
    line.split(maxSplits: maximum - 1, omittingEmptySubsequences: true) {
      $0 == 0x20 || $0 == 0x09
    }
  }

  /// The finite number in a field; `nil` for anything else.
  package static func number(_ field: ArraySlice<UInt8>) -> Double? {
    // No program writes a number with more digits, and parsing long texts costs time.
    guard field.count <= 64 else { return nil }
    return Double(decimal: field).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The finite numbers in all fields; `nil` if any field is not a finite number.
  package static func numbers(_ fields: some Sequence<ArraySlice<UInt8>>) -> [Double]? {
    var numbers: [Double] = []
    for field in fields {
      guard let number = number(field) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
