import ArgumentParser
import Plumbline

/// Checks many captures on several threads and prints a row for each, in the order of the list.
struct ManyChecks: Sendable {
  let list: CaptureList
  let checker: CaptureChecker
  let style: CheckRowStyle
  /// The folder of the outputs, which has a folder for each capture; `nil` for none.
  let output: String?
  let threads: Int
  /// Whether only errors are printed; documents always are.
  let isQuiet: Bool

  /// Checks them all.
  ///
  /// - Returns: The largest exit code of all captures.
  /// - Throws: ``OutputError`` for a folder that cannot be created; nothing was checked then.
  func run() throws -> ExitCode {
    let files = FilesRead()
    for entry in list.entries { files.insert(path: entry.path) }
    if let output {
      var transaction = OutputTransaction(existing: checker.existing)
      try transaction.createDirectory(at: output)
      _ = try transaction.publish()
    }
    let names = output == nil ? [] : OutputFolderNames.names(for: list.entries.map(\.path))
    let count = list.entries.count
    var tally = CheckTally(progress: ProgressLine(total: count, isQuiet: isQuiet, noun: "capture"))
    try FilesRead.$current.withValue(files) {
      try OrderedWork(count: count, threads: threads).run { index in
        row(list.entries[index], to: output.map { path(names[index], in: $0) })
      } take: { index, row in
        tally.progress.end()
        print(row)
        tally.add(row)
        if index + 1 < count { tally.progress.begin(index + 1) }
      }
    }
    summarize(tally)
    return ExitCode(tally.code)
  }

  private func row(_ entry: CaptureList.Entry, to folder: String?) -> CheckRow {
    do {
      if let error = entry.error { throw error }
      let input = try CaptureInput(argument: entry.path)
      if case .file = input, checker.analyzer.frame != nil { throw FrameOptionError.notAFolder }
      return style.row(try checker.check(input, to: folder), path: entry.path)
    } catch {
      return style.row(error, path: entry.path)
    }
  }

  private func print(_ row: CheckRow) {
    if style.isDocument || !isQuiet { StandardOutput.print(row.line) }
    if let message = row.message { StandardError.print(message) }
  }

  /// The last line: on standard error where standard output holds documents alone.
  private func summarize(_ tally: CheckTally) {
    guard !isQuiet else { return }
    for (path, finding) in list.findings {
      StandardError.print(
        "plumbline: \(printable(text: path)): \(printable(text: finding.message))")
    }
    let text = tally.text(
      hasNeeds: !checker.needs.isEmpty, ignoredFileCount: list.ignoredFileCount)
    if style.isDocument {
      StandardError.print("plumbline: " + text)
    } else {
      StandardOutput.print("\n" + text)
    }
  }
}

/// How many captures have which result.
struct CheckTally {
  /// The line of a terminal that says how far the work is.
  var progress: ProgressLine
  /// The largest exit code.
  private(set) var code: Int32 = 0
  private var counts: [CheckRow.Outcome: Int] = [:]
  private var total = 0
  private var goodCount = 0

  init(progress: ProgressLine) { self.progress = progress }

  /// Counts a capture.
  mutating func add(_ row: CheckRow) {
    total += 1
    code = max(code, row.code)
    counts[row.outcome, default: 0] += 1
    if row.isGood { goodCount += 1 }
  }

  /// Such as `3 captures: 2 measurable, 1 unusable; 12 files ignored`.
  func text(hasNeeds: Bool, ignoredFileCount: Int) -> String {
    let words: [(CheckRow.Outcome, String)] = [
      (.verdict(.measurable), "measurable"),
      (.verdict(.corrected), "measurable after correction"),
      (.verdict(.relative), "relative only"), (.verdict(.untrusted), "not to be measured"),
      (.unusable, "unusable"),
    ]
    let parts = words.compactMap { outcome, word in counts[outcome].map { "\($0) \(word)" } }
    var text = "\(total.counting("capture")): \(parts.joined(separator: ", "))"
    if hasNeeds { text += "; \(goodCount) good enough" }
    if ignoredFileCount > 0 { text += "; \(ignoredFileCount.counting("file")) ignored" }
    return text
  }
}
