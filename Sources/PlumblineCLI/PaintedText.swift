import Plumbline

/// A text for a terminal that may show colors.
protocol PaintedText {
  /// Whether colors are written.
  var usesColor: Bool { get }
}

extension PaintedText {
  /// The word of a severity, padded so that lines align.
  func mark(_ severity: Finding.Severity) -> String {
    switch severity {
    case .fault: painted("fault  ", "31")
    case .caution: painted("caution", "33")
    case .note: dim("note   ")
    }
  }

  /// A number with its name, in two columns.
  func fact(_ fact: (name: String, value: String), columns: Int?) -> String {
    let name = fact.name + String(repeating: " ", count: max(1, 13 - fact.name.count))
    return "  " + name + wrapped(fact.value, indent: 2 + name.count, columns: columns)
  }

  /// Text that matters less.
  func dim(_ text: String) -> String { painted(text, "2") }

  /// Words broken into lines of so many columns, the first of them indented already, those that
  /// follow by `indent`; one line without a terminal, so that programs find whole sentences.
  func wrapped(_ text: String, indent: Int, columns: Int?) -> String {
    guard let columns, columns >= 20 else { return text }
    // Where little room is left beside the indent, the lines that follow start further left.
    let rest = columns >= indent + 30 ? indent : 4
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let start = lines.isEmpty ? indent : rest
      if !line.isEmpty, start + line.count + 1 + word.count > columns {
        lines.append(line)
        line = String(word)
      } else {
        line += line.isEmpty ? String(word) : " \(word)"
      }
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: rest))
  }

  /// Text in one of the terminal's modes, an SGR code of ECMA-48; as it is without colors.
  func painted(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
