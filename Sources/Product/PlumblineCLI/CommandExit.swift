import ArgumentParser
import Dispatch
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
    switch category {
    case .usage: .validationFailure
    case .unusableInput: unusableInput
    case .missingInput: noInput
    case .notMeasurable: notMeasurable
    case .programFault: programFault
    case .cannotCreate: cannotCreate
    case .inputOutput: inputOutput
    case .interrupted: interrupted
    }
  }

  /// Runs the work on one capture; a failure becomes a line on standard error and its code.
  static func running(_ path: String, _ work: () throws -> ExitCode) throws -> ExitCode {
    do {
      return try FilesRead.$current.withValue(FilesRead()) { try work() }
    } catch let error as ExitCode {
      throw error
    } catch {
      // Errors about files name their path themselves; for errors about content it is added.
      let namesItsPath = (error as? any CategorizedError)?.namesItsPath ?? false
      let place = namesItsPath ? "" : printable(text: path) + ": "
      // Messages repeat names of frames, which are those of files and may hold anything.
      StandardError.print("plumbline: \(place)\(printable(text: "\(error)"))\(help(for: error))")
      if let choices = (error as? CaptureReadingError)?.choices, !choices.isEmpty {
        StandardError.print("Known are, each with its signs:")
        for choice in choices { StandardError.print("  \(printable(text: choice))") }
      }
      return code(of: error)
    }
  }

  /// What to type after an error, printed behind its sentence; empty if nothing is known to help.
  static func help(for error: any Error) -> String {
    switch error {
    case let error as InferenceError: error.need.map { "; " + $0.help } ?? ""
    case let error as CaptureReadingError:
      switch error.need {
      case .knownDistances: "; two --known-distance make it metric"
      case .sideBySide: "; --side-by-side splits an image in two"
      case nil: ""
      }
    case let error as EstimationError where error.reason == .cameraUnknown: "; give --calibration"
    case let error as StereoError where error.reason == .relative:
      "; give the range as --disparities"
    case let error as CorrectionError where error.reason == .relative:
      "; --known-distance makes them meters"
    case WorldCloudError.posesMissing: "; --frame in place of --all writes one frame"
    case WorldCloudError.tooManyVoxels: "; give a larger --voxel"
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

/// Calls a closure on Control-C, on a request to terminate and when the terminal closes; a second signal
/// ends the program.
struct SignalTrap {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  init(_ action: @escaping @Sendable () -> Void) {
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        action()
        // A second signal ends the process, for instance when a disk hangs.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  /// Lets signals end the program again.
  func cancel() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}

/// A signal ended work that leaves nothing behind when it is not finished.
struct InterruptedError: CategorizedError, CustomStringConvertible {
  var category: FailureCategory { .interrupted }

  var description: String { "interrupted; nothing was written" }
}
