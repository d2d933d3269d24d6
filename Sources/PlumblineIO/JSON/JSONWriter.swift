/// Writes JSON whose bytes depend on nothing but the value.
///
/// The text is safe to print on a terminal and to stand inside an HTML `<script>`: `<`, control
/// characters, line separators and characters that turn the direction of text are escaped.
public struct JSONWriter: Sendable {
  /// The layouts of a document.
  public enum Layout: Sendable {
    /// One line without spaces.
    case compact
    /// A member or element a line, two spaces a level; arrays of plain values stay on one line.
    case indented
  }

  /// The layout of documents.
  public var layout: Layout

  /// Creates a writer.
  public init(layout: Layout = .indented) { self.layout = layout }

  /// The document as UTF-8, ended by a line feed where indented; O(*n*).
  public func bytes(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    append(value, level: 0, to: &output)
    if layout == .indented { output.append(UInt8(ascii: "\n")) }
    return output
  }

  /// The document as text, ended by a line feed where indented; O(*n*).
  public func text(_ value: JSONValue) -> String {
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
