import ArgumentParser
import Plumbline
import PlumblineBatch

/// Tables of devices from many verified sessions.
struct FleetCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract:
      "Compare devices by many sessions with a board: model by model, each number with its ±.",
    discussion: """
      RESULTS are results.jsonl of batch verify, folders of results, or documents that verify --json \
      printed. Sessions are grouped by model and version of the system; those that state the same \
      camera are taken for one device. Printed are stated and measured focal length, the sensor's \
      depth and lengths against the board, how much sessions and devices scatter, and what does not \
      fit the others.

        plumbline batch verify sessions/* -o results
        plumbline batch fleet results -o fleet.html
      """)

  @Argument(help: "Files of results or folders of them.", completion: .file())
  var results: [String]

  @Option(
    name: .output, help: "The page to write, HTML.", completion: .file(extensions: ["html"]))
  var output: String?

  @OptionGroup var outputOptions: OutputOptions
  @OptionGroup var printing: PrintingOptions<FleetCommand>

  func run() throws {
    throw try CommandExit.running(results[0]) {
      let report = FleetReport(results: results)
      let table = try report.table()
      if let output {
        try report.write([(output, report.page(table))], existing: outputOptions.existing)
      }
      printing.print(table.document(report: output)) {
        StandardOutput.print(table.text)
        if let output { StandardOutput.print("\n\(printable(text: output))") }
      }
      return table.groups.isEmpty ? CommandExit.notMeasurable : .success
    }
  }
}
