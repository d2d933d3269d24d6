import ArgumentParser
import Plumbline

/// What happens to files that exist: `--force`.
///
/// Each command declares `-o` itself, by the name `.output`, and says which file or folder it is.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Replace outputs that exist; without it they stay and the command fails with 73.")
  var force = false

  /// What a transaction does with existing files.
  var existing: OutputTransaction.ExistingFiles { force ? .replace : .keep }
}

extension NameSpecification {
  /// `-o` and the property's own name, `--output`.
  static var output: NameSpecification { [.customShort("o"), .long] }
}

/// How much of the machine a computation uses: `--threads`, on which no result depends.
struct ThreadOptions: ParsableArguments {
  /// The help text of `--threads`.
  static var help: ArgumentHelp { "The most threads to use; results do not depend on it." }

  @Option(name: .customLong("threads"), help: Self.help)
  var count: Int = 2

  mutating func validate() throws { try Self.require(count) }

  /// Refuses a number of threads that is out of range.
  static func require(_ count: Int) throws {
    guard (1...256).contains(count) else {
      throw ValidationError("The number of threads must be between 1 and 256, not \(count).")
    }
  }
}

/// Which image a verb takes, and by which camera.
struct ImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The camera of the image: calibration.json, OpenCV's YAML or Open3D's JSON.",
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @Option(
    help: ArgumentHelp("One frame of a recording: its name or number.", valueName: "NAME|INDEX"))
  var frame: String?

  /// The camera that was given, read; `nil` without one.
  var givenCalibration: CameraCalibration? {
    get throws { try calibration.map { try CameraCalibration(atPath: $0) } }
  }
}

/// Reads one of the words of an enumeration; says them all where it is none.
func choice<Choice: RawRepresentable & CaseIterable>(
  _ argument: String
) throws -> Choice where Choice.RawValue == String {
  if let choice = Choice(rawValue: argument) { return choice }
  let words = Choice.allCases.map(\.rawValue)
  throw ValidationError(
    "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
}
