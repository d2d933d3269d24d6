import ArgumentParser
import Plumbline

struct InspectCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Print what a file says about itself, without judging it.",
    discussion: """
      Sizes, types, ranges and calibration as the file has them, at their reference size; \
      auxiliary images; and what was odd in the file. Texts of the file are escaped.
      """)

  @OptionGroup var options: CaptureOptions

  @OptionGroup var printing: DocumentOptions<InspectCommand>

  func validate() throws {
    guard options.knownDistances.isEmpty else {
      throw ValidationError(
        "inspect prints the file as it is; --known-distance is for check, extract and cloud.")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.analysis(color: .none, companions: true)
      let document = check.capture.inspectDocument(fileName: check.fileName, sha256: check.sha256)
      printing.print(document) { StandardOutput.print(InspectText(document).text) }
      return .success
    }
  }
}

/// An inspection as a person reads it: one fact a line, unknown ones left out.
struct InspectText {
  /// All facts, each indented below what it belongs to.
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
