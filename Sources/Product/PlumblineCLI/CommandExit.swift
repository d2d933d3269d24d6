import ArgumentParser
import Plumbline
import PlumblineBatch

/// The exit codes of the command line; `Documentation/cli.md` promises them.
enum CommandExit {
  static let notMeasurable = ExitCode(1)
  static let unusableInput = ExitCode(65)
  static let noInput = ExitCode(66)
  static let programFault = ExitCode(70)
  static let cannotCreate = ExitCode(73)
  static let inputOutput = ExitCode(74)
  /// The exit code of a program that Control-C ended.
  static let interrupted = ExitCode(130)

  /// The exit code of a failure; an error of another library counts as a fault of the program.
  static func code(of error: any Error) -> ExitCode {
    code(for: (error as? any CategorizedError)?.category ?? .programFault)
  }

  private static func code(for category: FailureCategory) -> ExitCode {
    ExitCode(Int32(category.exitCode))
  }

  /// Whether an error is printed as a document on standard output too, as `--json` requests.
  @TaskLocal static var printsDocuments = false

  /// Whether arguments request documents, of errors as well, whatever the verb and the rest.
  static func documentIsRequested(by arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--json" || $0 == "--jsonl" }
  }

  /// Runs the work on one capture; a failure becomes a line on standard error and its code, and with
  /// `--json` a document.
  static func running(_ path: String, _ work: () throws -> ExitCode) throws -> ExitCode {
    do {
      return try FilesRead.$current.withValue(FilesRead()) { try work() }
    } catch let error as ExitCode {
      throw error
    } catch let error as UsageError {
      throw error
    } catch {
      let advised = error as? AdvisedError
      let error = advised?.error ?? error
      // Messages repeat names of frames, which are those of files and may hold anything.
      let message =
        printable(text: "\(error)") + (advised.map { "; " + $0.help } ?? help(for: error))
      StandardError.print("plumbline: \(sentence(message, of: error, about: path))")
      let cause = (error as? FileError)?.error ?? error
      if let choices = (cause as? CaptureReadingError)?.choices, !choices.isEmpty {
        StandardError.print("Known are, each with its signs:")
        for choice in choices { StandardError.print("  \(printable(text: choice))") }
      }
      var document = ErrorDocument(error, file: path)
      document.message = message
      if printsDocuments { printDocument(document) }
      return code(of: error)
    }
  }

  /// A message with the path of the input before it.
  ///
  /// Errors about files name their path themselves; errors about models begin with the model's name or that
  /// of its file, which is not said twice.
  private static func sentence(
    _ message: String, of error: any Error, about path: String
  ) -> String {
    if (error as? any CategorizedError)?.namesItsPath ?? false { return message }
    let names = [path, lastPathPart(path)].map { printable(text: $0) + ": " }
    let said = names.first { message.hasPrefix($0) }?.count ?? 0
    return names[0] + message.dropFirst(said)
  }

  /// Ends work that has no result, though nothing was thrown: a line on standard error, with `--json` a
  /// document, and the code.
  static func failing(
    _ category: FailureCategory, _ message: String, file: String? = nil
  ) -> ExitCode {
    let place = file.map { printable(text: $0) + ": " } ?? ""
    StandardError.print("plumbline: \(place)\(message)")
    if printsDocuments { printDocument(ErrorDocument(category, message: message, file: file)) }
    return code(for: category)
  }

  /// Prints the document of an error in one line, so that it fits among those of verbs that print a
  /// document a line.
  static func printDocument(_ document: ErrorDocument) {
    StandardOutput.print(document: document.json, layout: .compact)
  }

  /// What to type after an error, printed behind its sentence; empty if nothing is known to help.
  static func help(for error: any Error) -> String {
    switch error {
    case let error as FileError: help(for: error.error)
    case let error as InferenceError: error.need.map { "; " + $0.help } ?? ""
    case let error as CaptureReadingError:
      switch error.need {
      case .knownDistances: "; two --known-distance make it metric"
      case .sideBySide: "; --side-by-side splits an image in two"
      case nil: ""
      }
    case let error as EstimationError where error.reason == .cameraUnknown: "; give --calibration"
    case let error as StereoError where error.reason == .relative:
      "; give the range as --disparity-range"
    case let error as CorrectionError where error.reason == .relative:
      "; --known-distance makes them meters"
    case RecordingWritingError.unrepresentable(_, _, _, _, let remedy?):
      "; \(remedy.sentence): \(remedy.command)"
    case WorldCloudError.posesMissing: "; --frame in place of --all writes one frame"
    case WorldCloudError.tooManyVoxels: "; give a larger --voxel"
    case let error as JournalError where error.reason == .otherSettings:
      "; --force gives those results up, and another -o keeps them"
    case let error as JournalError where error.reason == .occupied: "; --force replaces it"
    case ProximityError.relativeEstimate:
      "; plumbline estimate fits with --known-distance or --board; watch its capture.mcap"
    default: existingFileHelp(for: error)
    }
  }

  /// Runs work whose errors are shown elsewhere, such as by the viewer's page, with what to type.
  static func addingHelp<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch var error as InferenceError {
      error.found += help(for: error)
      error.need = nil
      throw error
    }
  }

  /// What to do about an output that exists already; an unfinished one may be an interrupted recording,
  /// which must not be overwritten.
  private static func existingFileHelp(for error: any Error) -> String {
    let obstacle: OutputError.Obstacle? =
      switch error {
      case let error as OutputError: error.obstacle
      case RecordingWritingError.output(_, _, _, let obstacle): obstacle
      default: nil
      }
    return switch obstacle {
    case .file: "; --force replaces it"
    case .staleFile: "; --force removes it together with what it belonged to"
    case .unfinishedFile:
      "; plumbline recover makes a recording of what a crash left, and nothing else uses it"
    case nil: ""
    }
  }
}

/// A signal ended work that leaves nothing behind when it is not finished.
struct InterruptedError: CategorizedError, CustomStringConvertible {
  var category: FailureCategory { .interrupted }

  var description: String { "interrupted; nothing was written" }
}
