import Plumbline
import PlumblineBatch

/// How a run went, as text and as a document.
enum BatchText {
  /// A folder as it was given, without slashes at its end.
  static func folder(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The text, of a few lines.
  static func text(_ summary: BatchSummary, folder: String) -> String {
    let progress = summary.progress
    let all = progress.done + progress.failed
    var line = "\(all.counting("capture")): \(progress.done) done, \(progress.failed) failed"
    if progress.skipped > 0 { line += "; \(progress.skipped) of them in earlier runs" }
    var lines = [line]
    if let rate = progress.perSecond {
      lines.append("\(progress.seconds.fixed(1)) s, \(rate.fixed(1)) captures/s")
    }
    if let slowest = progress.slowest {
      lines.append("slowest: \(slowest.seconds.fixed(2)) s, \(printable(text: slowest.path))")
    }
    lines.append("results: \(printable(text: folder))/results.html")
    return lines.joined(separator: "\n")
  }

  /// The document `plumbline.batch/1`.
  static func document(_ summary: BatchSummary, verb: String, folder: String) -> JSONValue {
    let progress = summary.progress
    return [
      "schema": "plumbline.batch/1", "verb": .string(verb), "folder": .string(folder),
      "total": .integer(progress.done + progress.failed), "done": .integer(progress.done),
      "failed": .integer(progress.failed), "skipped": .integer(progress.skipped),
      "seconds": .number(progress.seconds), "perSecond": .number(progress.perSecond),
      "interrupted": .bool(summary.isInterrupted),
    ]
  }
}

/// Shows how far a run is, on a terminal or for programs.
final class BatchProgressPrinter {
  private let printsJSON: Bool
  private var line: ProgressLine
  private let noun: String
  private var lastSeconds = -1.0
  /// Whether anything is shown, for which the captures are counted.
  let isShown: Bool

  init(isQuiet: Bool, printsJSON: Bool, noun: String) {
    self.printsJSON = printsJSON
    self.noun = noun
    line = ProgressLine(total: 0, isQuiet: isQuiet || printsJSON)
    isShown = printsJSON || (!isQuiet && TerminalWidth.takesCodes(2))
  }

  /// Shows the progress where the last one was shown long enough ago.
  func show(_ progress: BatchProgress) {
    let interval = printsJSON ? 1.0 : 0.25
    guard isShown, progress.seconds - lastSeconds >= interval else { return }
    lastSeconds = progress.seconds
    if printsJSON {
      StandardError.print(JSONWriter(layout: .compact).text(progress.json))
    } else {
      line.show(text(of: progress))
    }
  }

  private func text(of progress: BatchProgress) -> String {
    let done = progress.done + progress.failed
    var text = "\(noun) \(done)" + (progress.total.map { " of \($0)" } ?? "")
    text += ", \(progress.failed) failed"
    if let rate = progress.perSecond { text += ", \(rate.fixed(1))/s" }
    if let left = progress.secondsLeft { text += ProgressLine.left(seconds: Int(left) + 1) }
    if let (path, seconds) = progress.slowest {
      text += ", slowest \(seconds.fixed(1)) s \(printable(text: lastPathPart(path)))"
    }
    guard let columns = TerminalWidth.columns(of: 2) else { return text }
    return String(text.prefix(max(20, columns - 1)))
  }

  func end() { line.end() }
}
