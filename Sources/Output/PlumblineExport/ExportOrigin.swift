/// The program that made an exported file, and its source; each format has its own form.
///
/// There is no date, so that the same input gives the same bytes.
public struct ExportOrigin: Hashable, Sendable {
  /// The program and its version, such as `plumbline 0.1.0`.
  public var producer: String
  /// The SHA-256 of the capture's file as 64 hexadecimal digits; `nil` when not from one file.
  public var sourceSHA256: String?

  /// Creates an origin from its parts.
  public init(producer: String, sourceSHA256: String? = nil) {
    self.producer = producer
    self.sourceSHA256 = sourceSHA256
  }

  /// One line each, for headers made of lines; control characters cannot end a line.
  var lines: [String] {
    ["made by \(Self.oneLine(producer))"]
      + (sourceSHA256.map { ["source sha256 \(Self.oneLine($0))"] } ?? [])
  }

  /// Text without line ends and other characters than printable ASCII, which headers cannot hold.
  static func oneLine(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value >= 0x20 && $0.value < 0x7F ? Character($0) : "?" })
  }
}
