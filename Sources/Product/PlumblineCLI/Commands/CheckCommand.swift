import ArgumentParser
import Plumbline

struct CheckCommand: VerdictCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say whether captures can be measured, how well, and what was wrong with them.",
    discussion: """
      The verdict is one of: measurable (meters as it is), corrected (meters after corrections, \
      which the outputs contain), relative (no meters without a distance that you measured), \
      untrusted (do not measure). The exit code is 0 for the first two and 1 for the others.

      A folder of frames is judged frame by frame. Its verdict is that of the middle frame when \
      they are ordered from best to worst; frames that differ are named, and outputs are those of \
      the first frame that has the verdict. --frame judges one frame alone.

      Of many captures each has one line, and the exit code is the largest of all. A folder of \
      photos is many captures, a recording is one.

      --need asks whether a capture is good enough; the exit code is 0 where it is:
        1%         depth to 1 % of itself, and lengths to 1 %
        2mm        depth to 2 mm, and lengths as long as the distance to 2 mm
        2mm@1m     the same at 1 m, and for lengths of 1 m
        depth:5mm  depth alone; length:1% lengths alone

      With -o, a folder receives report.html (a page that needs nothing else) and, where there is \
      a calibration, cloud.ply; of many captures each has a folder in it.
      """)

  @Argument(
    help: "Photos, depth frames, recordings and folders of them; names of files do not matter.",
    completion: .captures)
  var captures: [String]

  @OptionGroup var options: AnalysisOptions

  @OptionGroup var stated: DepthStatementOptions

  @Option(
    name: .customLong("need"),
    help: ArgumentHelp(
      "A ± that is good enough, such as 1%, 2mm, 2mm@1m, depth:5mm or length:1%; repeatable.",
      valueName: "TOLERANCE"),
    transform: Self.tolerance)
  var needs: [Tolerance] = []

  @Flag(help: "Look into folders of folders too.")
  var recursive = false

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "A folder for report.html and cloud.ply; it is made if it does not exist.",
    completion: .directory)
  var output: String?

  @Flag(help: "Print one JSON document a line, for each capture, whatever their number.")
  var jsonl = false

  @OptionGroup var printing: PrintingOptions<CheckCommand>

  private static func tolerance(_ text: String) throws -> Tolerance {
    guard let tolerance = Tolerance(parsing: text) else {
      throw ValidationError(
        "write a limit with its unit, as in 1%, 2mm, 2mm@1m, depth:5mm or length:1%")
    }
    return tolerance
  }

  func validate() throws {
    guard !(jsonl && printing.json) else {
      throw ValidationError("--json prints one document, --jsonl one a line: give one of them.")
    }
    guard captures.count > 1 || recursive || jsonl else { return }
    guard !printing.json || captures.count == 1 else {
      throw ValidationError("\(FrameOptionError.documentOfMany(count: captures.count)).")
    }
    guard captures.count == 1 && !recursive || options.frame == nil else {
      throw ValidationError("--frame chooses a frame of one recording: name that one alone.")
    }
    guard captures.count == 1 && !recursive || options.knownDistances.isEmpty else {
      throw ValidationError(
        "--known-distance is about one capture: name that one alone.")
    }
  }

  func run() throws {
    throw try CommandExit.running(captures[0]) {
      let list =
        options.frame == nil
        ? CaptureList(paths: captures, isRecursive: recursive)
        : CaptureList(path: captures[0])
      let isMany = list.entries.count > 1
      guard isMany || jsonl else { return try runOnOne(list) }
      guard !printing.json else {
        throw FrameOptionError.documentOfMany(count: list.entries.count)
      }
      guard options.knownDistances.isEmpty || !isMany else {
        throw FrameOptionError.distancesWithoutFrame
      }
      return try runOnMany(list)
    }
  }

  /// Checks a single capture and prints all that is known of it.
  private func runOnOne(_ list: CaptureList) throws -> ExitCode {
    let entry = list.entries[0]
    if let error = entry.error { throw error }
    let checker = try checker(threads: options.threadCount)
    let input = try options.input(entry.path)
    var progress: ProgressLine?
    let result = try checker.check(input, to: output) { frame, count in
      if progress == nil { progress = ProgressLine(total: count, isQuiet: printing.quiet) }
      progress?.begin(frame)
    }
    progress?.end()
    printing.print(result.document) {
      StandardOutput.print(
        result.text(usesColor: printing.showsColors, columns: TerminalWidth.columns(of: 1)))
      printOutputs(result.written)
      if list.ignoredFileCount > 0 {
        StandardError.print("plumbline: \(list.ignoredFileCount.counting("file")) ignored")
      }
    }
    if output != nil, result.written == nil {
      StandardError.print("plumbline: no report: the frame that stands for all cannot be read")
    }
    return result.exitCode
  }

  private func runOnMany(_ list: CaptureList) throws -> ExitCode {
    let threads = min(options.threadCount, list.entries.count)
    return try ManyChecks(
      list: list, checker: checker(threads: options.threadCount / max(1, threads)),
      style: CheckRowStyle(usesColor: printing.showsColors, isDocument: jsonl), output: output,
      threads: threads, isQuiet: printing.quiet
    ).run()
  }

  private func checker(threads: Int) throws -> CaptureChecker {
    var analyzer = try options.analyzer(color: output == nil ? .none : .full)
    analyzer.threads = max(1, threads)
    analyzer.statement = stated.statement
    return CaptureChecker(
      analyzer: analyzer, needs: needs, existing: outputOptions.existing,
      makesDocument: printing.json || jsonl)
  }

  private func printOutputs(_ written: (report: String, cloud: String?)?) {
    if let report = written?.report {
      StandardOutput.print("\n  report       \(printable(text: report))")
    }
    if let cloud = written?.cloud {
      StandardOutput.print("  cloud        \(printable(text: cloud))")
    }
  }
}
