import ArgumentParser
import Plumbline

/// One capture of many, as it is printed.
struct CheckRow: Sendable {
  /// What is counted in the last line.
  enum Outcome: Sendable, Hashable {
    case verdict(Verdict)
    case unusable
  }

  let outcome: Outcome
  /// Whether every need is met; also `true` for a measurable capture without needs.
  let isGood: Bool
  /// The exit code that the capture alone would give.
  let code: Int32
  /// The line for people, or the document.
  let line: String
  /// What is printed on standard error; `nil` for nothing.
  var message: String?
}

/// How the rows of many captures are printed.
struct CheckRowStyle: PaintedText, Sendable {
  let usesColor: Bool
  /// Whether documents are printed, one a line.
  let isDocument: Bool

  /// The row of a capture that was analyzed.
  ///
  /// - Parameters:
  ///   - result: What was found.
  ///   - path: The path as given, or in the folder that was given.
  /// - Returns: The row.
  func row(_ result: CheckResult, path: String) -> CheckRow {
    let code = result.exitCode.rawValue
    var message: String?
    if case .recording(_, nil) = result.subject, isDocument {
      message = "plumbline: \(printable(text: path)): the frame that stands for all cannot be read"
    }
    return CheckRow(
      outcome: .verdict(result.verdict), isGood: code == 0, code: code,
      line: isDocument
        ? compact(result.document, path: path)
        : line(
          result.headline.text, result.headline.color, result.accuracyWords,
          name(of: result, path: path)),
      message: message)
  }

  /// The row of a capture that cannot be used.
  func row(_ error: any Error, path: String) -> CheckRow {
    let namesItsPath = (error as? any CategorizedError)?.namesItsPath ?? false
    let place = namesItsPath ? "" : printable(text: path) + ": "
    var document = ErrorDocument(error, file: path)
    document.message += CommandExit.help(for: error)
    return CheckRow(
      outcome: .unusable, isGood: false, code: CommandExit.code(of: error).rawValue,
      line: isDocument
        ? compact(document.json, path: path)
        : line("UNUSABLE", "31", "–", printable(text: path)),
      message: isDocument
        ? nil : "plumbline: \(place)\(printable(text: "\(error)"))\(CommandExit.help(for: error))")
  }

  private func name(of result: CheckResult, path: String) -> String {
    guard case .recording(let check, _) = result.subject else { return printable(text: path) }
    return "\(printable(text: path)) (\(check.frames.count.counting("frame")))"
  }

  /// The verdict, the ± and the name, in columns.
  private func line(_ word: String, _ color: String, _ accuracy: String, _ name: String) -> String {
    func gap(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(2, width + 2 - text.count))
    }
    return painted(word, "1;" + color) + gap(word, 31) + accuracy + gap(accuracy, 41) + name
  }

  /// The document on one line, with the path, which tells captures of one name apart.
  private func compact(_ document: JSONValue, path: String) -> String {
    let members = document.members.map { (key: $0.key, value: $0.value) }
    return JSONWriter(layout: .compact).text(
      .object(members + [(key: "path", value: .string(path))]))
  }
}
