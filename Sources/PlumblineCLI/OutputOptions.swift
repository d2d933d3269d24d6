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
