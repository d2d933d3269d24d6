import ArgumentParser
import Plumbline

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
  var command: any BatchableCommand.Type {
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

  /// Whether it does nothing without a place for its files.
  var needsOutput: Bool {
    switch self {
    case .convert, .cloud, .extract, .estimate: true
    default: false
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

  static func value(of option: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
      if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
