import ArgumentParser
import Plumbline

/// The options for the place of results and for existing files.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Replace outputs that exist; without it they stay and the command fails with 73.")
  var force = false

  /// What a transaction does with existing files.
  var existing: OutputTransaction.ExistingFiles { force ? .replace : .keep }
}

/// A name inside a folder.
func path(_ name: String, in folder: String) -> String {
  folder.hasSuffix("/") ? folder + name : folder + "/" + name
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

/// The option for the number of threads of a command.
struct ThreadOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: "The most threads to use; results do not depend on it.")
  var count: Int = 2

  mutating func validate() throws {
    guard (1...256).contains(count) else {
      throw ValidationError("The number of threads must be between 1 and 256, not \(count).")
    }
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
