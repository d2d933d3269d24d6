import Plumbline

/// An inspection as a person reads it: one fact a line, unknown ones left out.
struct InspectText {
  /// The lines.
  let text: String

  /// Lays out a document of the schema `plumbline.inspect/1`.
  init(_ document: JSONValue) {
    text = Self.lines(document, indent: 0).joined(separator: "\n")
  }

  private static func lines(_ value: JSONValue, indent: Int) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    return value.members.flatMap { key, value -> [String] in
      if key == "schema" || value == .null { return [] }
      let inner = lines(value, indent: indent + 1)
      if !inner.isEmpty { return ["\(margin)\(key)"] + inner }
      let elements = value.elements ?? []
      if elements.contains(where: { !$0.members.isEmpty }) {
        return elements.enumerated().flatMap { index, element in
          ["\(margin)\(key) \(index + 1)"] + lines(element, indent: indent + 1)
        }
      }
      if elements.isEmpty && value == .array([]) { return [] }
      let padding = String(repeating: " ", count: max(1, 24 - key.count))
      return ["\(margin)\(key)\(padding)\(plain(value))"]
    }
  }

  /// A value without quotation marks; what JSON escapes stays escaped.
  private static func plain(_ value: JSONValue) -> String {
    let text = JSONWriter(layout: .compact).text(value)
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else {
      return text.replacing(",", with: ", ")
    }
    return String(text.dropFirst().dropLast())
  }
}
