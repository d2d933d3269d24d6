/// The program that wrote an exported file, and its source; each format stores them in its own way.
///
/// There is no date, so the same input gives the same bytes.
public struct ExportOrigin: Hashable, Sendable {
  /// The program and its version, such as `plumbline 0.1.0`.
  public var producer: String
  /// The SHA-256 of the capture's file as 64 hexadecimal digits; `nil` if it is not from one file.
  public var sourceSHA256: String?

  /// Creates an origin from its parts.
  public init(producer: String, sourceSHA256: String? = nil) {
    self.producer = producer
    self.sourceSHA256 = sourceSHA256
  }

  /// One line each, for headers made of lines; control characters are removed so that none ends a
  /// line.
  var lines: [String] {
    ["made by \(Self.oneLine(producer))"]
      + (sourceSHA256.map { ["source sha256 \(Self.oneLine($0))"] } ?? [])
  }

  /// Text reduced to printable ASCII without line ends, for headers.
  static func oneLine(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { line, scalar in
      let isPrintable = scalar.value >= 0x20 && scalar.value < 0x7F
      line += isPrintable ? String(scalar) : spelled[scalar] ?? "?"
    }
  }

  /// What stands for the signs of our own statements.
  private static let spelled: [Unicode.Scalar: String] = [
    "±": "+-", "·": "*", "×": "x", "−": "-", "°": " deg", "²": "^2", "³": "^3", "σ": "sigma",
    "δ": "delta", "µ": "u", "\u{A0}": " ",
  ]
}
