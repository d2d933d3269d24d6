import PlumblineGeometry
import PlumblineModel

/// Text of a USD layer while it is written.
struct USDText {
  /// The text so far.
  private(set) var bytes: [UInt8] = []
  private var depth = 0

  /// Appends an indented line.
  mutating func line(_ text: String) {
    bytes += Array(repeating: UInt8(ascii: " "), count: 4 * depth)
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends lines between two others, one step further in.
  mutating func block(_ opening: String, _ closing: String, _ body: (inout USDText) -> Void) {
    line(opening)
    depth += 1
    body(&self)
    depth -= 1
    line(closing)
  }

  /// Appends an attribute with a value for each element.
  mutating func array<Element>(
    _ declaration: String, _ elements: [Element], _ text: (Element) -> String,
    interpolation: String? = nil
  ) {
    bytes += Array(repeating: UInt8(ascii: " "), count: 4 * depth)
    bytes += "\(declaration) = [".utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += ", ".utf8 }
      bytes += text(element).utf8
    }
    bytes.append(UInt8(ascii: "]"))
    guard let interpolation else {
      bytes.append(UInt8(ascii: "\n"))
      return
    }
    bytes += " (\n".utf8
    depth += 1
    line("interpolation = \"\(interpolation)\"")
    depth -= 1
    line(")")
  }

  /// A point or direction.
  static func triple(_ point: PackedPoint) -> String { "(\(point.x), \(point.y), \(point.z))" }

  /// Three indices.
  static func triangle(_ corners: TriangleIndices) -> String {
    "\(corners.first), \(corners.second), \(corners.third)"
  }

  /// A number, which may be none.
  static func number(_ number: Float) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number > 0 ? "inf" : "-inf") : "\(number)"
  }

  /// Text in quotation marks: printable ASCII, all else becomes `?`.
  static func quoted(_ text: String) -> String {
    let escaped = ExportOrigin.oneLine(text).map { character in
      character == "\"" || character == "\\" ? "\\\(character)" : String(character)
    }
    return "\"\(escaped.joined())\""
  }

  /// A legal and new name of a prim for each text: letters, digits and `_`, no digit first.
  static func identifiers(_ texts: [String]) -> [String] {
    var taken: Set<String> = []
    return texts.map { text in
      var name = String(
        text.unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
          default: Character("_")
          }
        })
      if name.first?.isNumber != false { name = "_\(name)" }
      var candidate = name
      var number = 1
      while !taken.insert(candidate).inserted {
        number += 1
        candidate = "\(name)_\(number)"
      }
      return candidate
    }
  }
}
