import ArgumentParser
import Plumbline
import PlumblineBatch

/// The verbs that can be run on many captures.
enum BatchVerb: String, CaseIterable, ExpressibleByArgument {
  case check
  case convert
  case cloud
  case extract
  case correct
  case filter
  case measure
  case estimate
  case face
  case verify

  /// The command.
  var command: any ParsableCommand.Type {
    switch self {
    case .check: CheckCommand.self
    case .convert: ConvertCommand.self
    case .cloud: CloudCommand.self
    case .extract: ExtractCommand.self
    case .correct: CorrectCommand.self
    case .filter: FilterCommand.self
    case .measure: MeasureCommand.self
    case .estimate: EstimateCommand.self
    case .face: FaceCommand.self
    case .verify: VerifyCommand.self
    }
  }

  /// Whether it prints a document; of the others a list of what was written takes its place.
  var hasDocument: Bool {
    switch self {
    case .cloud, .extract: false
    default: true
    }
  }

  /// Whether its result is the files that it writes; the others write a report where one is wanted.
  var writesFiles: Bool {
    switch self {
    case .check, .measure, .verify: false
    default: true
    }
  }

  /// What `-o` gets so that the files are in a folder, or are it.
  ///
  /// - Parameters:
  ///   - folder: The folder, which does not exist.
  ///   - arguments: All arguments of the verb, the capture as the last one.
  /// - Returns: The path, and whether the folder must be made before.
  func outputPath(in folder: String, arguments: [String]) -> (path: String, needsFolder: Bool) {
    switch self {
    case .check, .extract, .estimate, .face, .verify: return (folder, false)
    case .cloud:
      return (path("cloud.\(Self.value(of: "--format", in: arguments) ?? "ply")", in: folder), true)
    case .measure: return (path("measure.png", in: folder), true)
    case .correct, .filter:
      let capture = arguments.last ?? ""
      let isRecording =
        (try? FileOperations.system.kind(capture)) == .directory
        || ["r3d", "zip", "mcap", "bag"].contains(pathEnding(capture))
      let isOneFrame = Self.value(of: "--frame", in: arguments) != nil
      return isRecording && !isOneFrame ? (path("capture.mcap", in: folder), true) : (folder, false)
    case .convert:
      let format =
        Self.value(of: "--format", in: arguments)
        .map { RecordingFormat(rawValue: $0) } ?? .mcap
      guard let ending = format?.fileEnding else { return (folder, false) }
      return (path("capture.\(ending)", in: folder), true)
    }
  }

  private static func value(of option: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
      if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}

/// Runs verbs in this process, one after another.
struct VerbRunner {
  /// Runs a verb on one capture.
  ///
  /// - Parameters:
  ///   - request: The verb with its arguments.
  ///   - output: The folder of its files; `nil` where none are wanted.
  /// - Returns: Its exit code, and its document or that of its error.
  func run(_ request: WorkerRequest, to output: CaptureOutput?) -> VerbOutcome {
    guard let name = request.arguments.first, let verb = BatchVerb(rawValue: name) else {
      return Self.usage("there is no such verb for many captures")
    }
    let captured = CapturedOutput()
    do {
      let exitCode = try CapturedOutput.$current.withValue(captured) {
        try CommandExit.$printsDocuments.withValue(true) {
          try code(of: verb, request.arguments, to: output)
        }
      }
      let document =
        captured.document ?? Self.list(of: output, verb: name, capture: request.path)
      return VerbOutcome(code: Int(exitCode), document: document)
    } catch {
      let usage = (error as? UsageError)?.description ?? verb.command.message(for: error)
      return Self.usage(usage, file: request.path)
    }
  }

  private func code(
    of verb: BatchVerb, _ arguments: [String], to output: CaptureOutput?
  ) throws -> Int32 {
    var arguments = Array(arguments.dropFirst())
    if let folder = output?.unfinished {
      let (path, needsFolder) = verb.outputPath(in: folder, arguments: arguments)
      if needsFolder {
        do throws(SystemFailure) { try FileOperations.system.createDirectory(folder) } catch {
          throw OutputError(.cannotCreate, path: folder, detail: error.text)
        }
      }
      arguments = ["-o", path] + arguments
    } else if verb == .convert || verb == .cloud || verb == .extract || verb == .estimate {
      throw UsageError("\(verb.rawValue) writes files, and no folder is given", verb: verb.rawValue)
    }
    var command = try verb.command.parse(arguments)
    try (command as? any OutputCommand)?.checkOutput(of: verb.rawValue, isDocument: true)
    do {
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    }
  }

  /// What stands for the document of a verb that prints none.
  private static func list(
    of output: CaptureOutput?, verb: String, capture: String
  ) -> JSONValue {
    [
      "schema": "plumbline.batch-files/1", "verb": .string(verb),
      "file": .string(lastPathPart(capture)),
      "outputs": .array((output?.files ?? []).map { .string($0) }),
    ]
  }

  private static func usage(_ message: String, file: String? = nil) -> VerbOutcome {
    let document = ErrorDocument(.usage, message: printable(text: message), file: file)
    return VerbOutcome(code: document.code, document: document.json)
  }
}
