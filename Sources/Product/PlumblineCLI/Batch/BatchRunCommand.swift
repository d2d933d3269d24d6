import ArgumentParser
import Plumbline
import PlumblineBatch

struct BatchRunCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Do one verb on many captures.",
    discussion: """
      A PATH is a file, a folder with all folders in it, @list.txt (a path a line) or - (such a list on \
      standard input). The options of the verb follow --.

      The same command again goes on where it stopped, and does what was changed again. Control-C \
      finishes what is being done. The folder of results receives journal.sqlite, results.jsonl, \
      results.csv, timings.csv, results.html and a folder for each capture that has files; of verify \
      also fleet.html and fleet.json, which compare the devices.

      Each capture is done in a worker, a process with limits. A capture that ends its worker twice \
      is set aside with its reason. The exit code is 0 where every capture has a result, whatever \
      its verdict, else the largest of those that failed.
      """)

  static var jsonHelp: String {
    "Print how it went as one JSON document (schema plumbline.batch/1) instead of text."
  }

  @Argument(
    help: ArgumentHelp(
      "What is done: \(BatchVerb.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "verb"))
  var verb: BatchVerb

  @Argument(help: "Captures, folders of them, @list.txt, or - for a list on standard input.")
  var paths: [String]

  @Argument(parsing: .postTerminator, help: "Options of the verb, behind --.")
  var verbOptions: [String] = []

  @Option(name: .output, help: "The folder of results; it is made if it does not exist.")
  var output: String

  @OptionGroup var choice: BatchChoiceOptions

  @OptionGroup var limits: BatchLimitOptions

  @Flag(help: "Replace results of another verb, of other options or of another version.")
  var force = false

  @Flag(
    help: "Of check, measure and verify: write the report or image of each capture too.")
  var reports = false

  @Flag(inversion: .prefixedNo, help: "Make a small image of each capture.")
  var thumbnails = true

  @Flag(help: "Print how far it is on standard error, one JSON object a line.")
  var jsonProgress = false

  @OptionGroup var printing: PrintingOptions<BatchRunCommand>

  func validate() throws {
    guard output != StandardStreams.name else {
      throw ValidationError("batch writes a folder, which standard output cannot hold.")
    }
    guard paths.count(where: { $0 == StandardStreams.name }) <= 1 else {
      throw ValidationError("Standard input is one list: give - once.")
    }
    try BatchVerbOptions(verb: verb, options: verbOptions).check()
  }

  func run() throws {
    throw try CommandExit.running(output) {
      let stop = BatchStop()
      let signals = SignalTrap { stop.request() }
      defer { signals.cancel() }
      let printer = BatchProgressPrinter(
        isQuiet: printing.quiet, printsJSON: jsonProgress, noun: verb.noun)
      let summary: BatchSummary
      do {
        summary = try BatchRun(plan(), stop: stop).run(counts: printer.isShown) { printer.show($0) }
      } catch {
        printer.end()
        throw error
      }
      printer.end()
      let fleet = verb == .verify ? try writeFleet() : nil
      printing.print(BatchText.document(summary, verb: verb.rawValue, folder: output)) {
        if let fleet { StandardOutput.print(fleet + "\n") }
        StandardOutput.print(BatchText.text(summary, folder: output))
      }
      if summary.isInterrupted {
        StandardError.print("plumbline: stopped; the same command goes on with what is left")
        return CommandExit.interrupted
      }
      return ExitCode(Int32(summary.failureCode))
    }
  }

  /// Writes the table of devices beside the results of sessions, and returns it as text.
  private func writeFleet() throws -> String {
    let folder = BatchText.folder(output)
    let report = FleetReport(results: [folder])
    let table = try report.table()
    let page = path("fleet.html", in: folder)
    let document = Array(JSONWriter().text(table.document(report: page)).utf8)
    try report.write(
      [(page, report.page(table)), (path("fleet.json", in: folder), document)],
      existing: .replace)
    return table.text
  }

  private func plan() throws -> BatchPlan {
    let folder = BatchText.folder(output)
    let options = (verb.hasDocument ? ["--json"] : []) + verbOptions
    let writesFiles = verb.writesFiles || reports
    let settings = BatchSettings(
      verb: verb.rawValue, options: options, writesFiles: writesFiles,
      makesThumbnails: thumbnails,
      devices: try OwnCatalog.file(BatchVerb.value(of: "--catalog", in: verbOptions))?.sha256)
    let search = CaptureSearch(
      paths.map { CaptureSource(argument: $0) }, takesFolders: verb == .verify,
      shard: choice.shard ?? .all)
    var plan = BatchPlan(
      folder: folder, settings: settings, search: search,
      workers: limits.workers(running: SelfProgram.words + ["batch-worker"]))
    plan.workerCount = limits.workers ?? SelfProgram.processorCount
    plan.retriesFailed = choice.retry != nil
    plan.since = choice.since?.nanoseconds
    plan.replaces = force
    return plan
  }
}

/// Which captures are done.
struct BatchChoiceOptions: ParsableArguments {
  /// What is done once more.
  enum Retry: String, ExpressibleByArgument { case failed }

  @Option(
    help: ArgumentHelp(
      "Do part K of N, from 1; all parts together are everything.", valueName: "K/N"),
    transform: Self.shard)
  var shard: Shard?

  @Option(help: "Do captures again that failed in an earlier run: failed.")
  var retry: Retry?

  @Option(
    help: ArgumentHelp(
      "Leave out captures that were changed before this date, as in 2026-11-01, in UTC.",
      valueName: "DATE"),
    transform: FileDate.init(parsing:))
  var since: FileDate?

  private static func shard(_ text: String) throws -> Shard {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      let shard = Shard(number: number, count: count)
    else { throw ValidationError("write the part and their number, as in 3/8") }
    return shard
  }
}

/// How much each capture may use, and how many are done at a time.
struct BatchLimitOptions: ParsableArguments {
  @Option(help: "How many captures are done at a time; as many as there are processors by default.")
  var workers: Int?

  @Option(help: ArgumentHelp("The most time for a capture.", valueName: "SECONDS"))
  var timeLimit: Double = 600

  @Option(
    help: ArgumentHelp("The most memory of a worker, such as 4GiB or 800MiB.", valueName: "SIZE"),
    transform: ByteCount.init(parsing:))
  var memoryLimit = ByteCount(bytes: 4 << 30)

  @Option(
    help: ArgumentHelp(
      "The most bytes of a file that is written, such as 8GiB.", valueName: "SIZE"),
    transform: ByteCount.init(parsing:))
  var outputLimit = ByteCount(bytes: 8 << 30)

  func validate() throws {
    guard workers.map({ (1...1_024).contains($0) }) ?? true else {
      throw ValidationError("--workers is 1 to 1024.")
    }
    guard timeLimit > 0, timeLimit <= 1e6 else {
      throw ValidationError("--time-limit is above 0 and at most 1,000,000 seconds.")
    }
    guard memoryLimit.bytes >= 64 << 20 else {
      throw ValidationError("--memory-limit is 64MiB or more; the program itself needs some.")
    }
  }

  func workers(running program: [String]) -> WorkerSettings {
    // Memory that is not touched counts too, so that the system refuses only what is far beyond.
    let bounds = [
      "--file-limit", "\(outputLimit.bytes)",
      "--memory-limit", "\(memoryLimit.bytes + memoryLimit.bytes / 2)",
    ]
    var settings = WorkerSettings(program: program + bounds)
    settings.seconds = timeLimit
    settings.memoryBytes = memoryLimit.bytes
    settings.fileBytes = outputLimit.bytes
    return settings
  }
}
