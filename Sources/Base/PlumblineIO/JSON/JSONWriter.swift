/// Writes JSON whose bytes depend only on the value.
///
/// The text is safe on a terminal and inside an HTML `<script>`: `<`, control characters, line
/// separators and characters that change the direction of text are escaped.
package struct JSONWriter: Sendable {
  /// The layouts of a document.
  package enum Layout: Sendable {
    /// One line without spaces.
    case compact
    /// One member or element per line, two spaces per level; arrays of plain values stay on one
    /// line.
    case indented
  }

  /// The layout of documents.
  package var layout: Layout

  /// Creates a writer.
  package init(layout: Layout = .indented) { self.layout = layout }

  /// The document as UTF-8, with a final line feed if indented; O(*n*).
  package func bytes(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    append(value, level: 0, to: &output)
    if layout == .indented { output.append(UInt8(ascii: "\n")) }
    return output
  }

  /// The document as text, with a final line feed if indented; O(*n*).
  package func text(_ value: JSONValue) -> String {
    String(decoding: bytes(value), as: UTF8.self)
  }

  private func append(_ value: JSONValue, level: Int, to output: inout [UInt8]) {
    switch value.content {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let digits): output.append(contentsOf: digits.utf8)
    case .string(let text): appendQuoted(text, to: &output)
    case .array(let elements):
      let isPlain = elements.allSatisfy(\.isPlain)
      appendList(elements, ["[", "]"], isOneLine: isPlain, level: level, to: &output) {
        append($0, level: level + 1, to: &$1)
      }
    case .object(let members):
      appendList(members, ["{", "}"], isOneLine: false, level: level, to: &output) {
        appendQuoted($0.key, to: &$1)
        $1.append(contentsOf: (layout == .compact ? ":" : ": ").utf8)
        append($0.value, level: level + 1, to: &$1)
      }
    }
  }

  private func appendList<Element>(
    _ elements: [Element], _ brackets: [Unicode.Scalar], isOneLine: Bool, level: Int,
    to output: inout [UInt8], _ appendElement: (Element, inout [UInt8]) -> Void
  ) {
    let breaks = layout == .indented && !isOneLine && !elements.isEmpty
    output.append(UInt8(ascii: brackets[0]))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if breaks {
        appendBreak(level: level + 1, to: &output)
      } else if index > 0, layout == .indented {
        output.append(UInt8(ascii: " "))
      }
      appendElement(element, &output)
    }
    if breaks { appendBreak(level: level, to: &output) }
    output.append(UInt8(ascii: brackets[1]))
  }

  private func appendBreak(level: Int, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }
}

extension JSONValue {
  /// Whether this is neither an array nor an object.
  package var isPlain: Bool {
    switch content {
    case .array, .object: false
    default: true
    }
  }
}

extension JSONWriter {
  /// Appends a quoted string with every unsafe character escaped.
  func appendQuoted(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(isVerbatim) {
      output.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { Self.append(scalar, to: &output) }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Text of a file for messages: characters that control a terminal or text direction are escaped.
  package static func printable(_ text: String) -> String {
    var output: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar == "<" {
        output.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        append(scalar, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    switch scalar {
    case "\"": output.append(contentsOf: #"\""#.utf8)
    case "\\": output.append(contentsOf: #"\\"#.utf8)
    case "\n": output.append(contentsOf: #"\n"#.utf8)
    case "\r": output.append(contentsOf: #"\r"#.utf8)
    case "\t": output.append(contentsOf: #"\t"#.utf8)
    case _ where mustBeEscaped(scalar):
      // All listed scalars lie in the basic plane, so one escape of four digits is enough.
      let digits = String(scalar.value, radix: 16)
      output.append(contentsOf: #"\u"#.utf8)
      output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
      output.append(contentsOf: digits.utf8)
    default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private func isVerbatim(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: "<")
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true  // control characters, which a terminal obeys
    case 0x3C: true  // "<", which could end a script element
    case 0x2028, 0x2029: true  // line ends to older JavaScript
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction of text
    case 0xFEFF: true  // a byte order mark to some readers
    default: false
    }
  }
}
