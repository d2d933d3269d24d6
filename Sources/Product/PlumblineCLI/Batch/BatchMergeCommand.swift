import ArgumentParser
import Plumbline
import PlumblineBatch

struct BatchMergeCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join folders of results, such as those of the parts of one run.",
    discussion: """
      The folders stay as they are. They must be about the same verb, options and version, and a \
      path that two of them have must have the same result in both.
      """)

  static var jsonHelp: String {
    "Print how many captures there are as one JSON document (schema plumbline.batch/1)."
  }

  @Argument(help: "Folders of results.", completion: .directory)
  var folders: [String]

  @Option(name: .output, help: "The folder of all results; it is made if it does not exist.")
  var output: String

  @OptionGroup var printing: PrintingOptions<BatchMergeCommand>

  func run() throws {
    throw try CommandExit.running(output) {
      let counts = try BatchMerge(
        folders.map { BatchText.folder($0) }, into: BatchText.folder(output)
      ).run()
      let document: JSONValue = [
        "schema": "plumbline.batch/1", "folder": .string(output),
        "total": .integer(counts.done + counts.failed), "done": .integer(counts.done),
        "failed": .integer(counts.failed),
      ]
      printing.print(document) {
        StandardOutput.print(
          "\((counts.done + counts.failed).counting("capture")): \(counts.done) done, "
            + "\(counts.failed) failed\nresults: \(printable(text: output))/results.html")
      }
      return .success
    }
  }
}

extension BatchMergeCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}
