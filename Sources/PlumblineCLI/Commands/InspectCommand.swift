import ArgumentParser
import Plumbline

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Print what a file says about itself, without judging it.",
    discussion: """
      Sizes, types, ranges and calibration as the file has them, at their reference size; \
      auxiliary images; and what was odd in the file. Texts of the file are escaped.
      """)

  @OptionGroup var options: CaptureOptions

  @Flag(help: "Print one JSON document (schema plumbline.inspect/1) instead of text.")
  var json = false

  func validate() throws {
    guard options.knownDistances.isEmpty else {
      throw ValidationError(
        "inspect prints the file as it is; --known-distance is for check, extract and cloud.")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.check(color: .none, companions: true)
      let document = check.capture.inspectDocument(fileName: check.fileName, sha256: check.sha256)
      StandardOutput.print(json ? JSONWriter().text(document) : InspectText(document).text)
      return .success
    }
  }
}
