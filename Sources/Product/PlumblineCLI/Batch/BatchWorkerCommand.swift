import ArgumentParser
import Plumbline
import PlumblineBatch

/// Does the captures that its standard input names, one after another; `batch` and Ray start it.
struct BatchWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-worker",
    abstract: "Do captures that standard input names, for plumbline batch and Ray.",
    discussion: """
      One JSON object a line comes in and one goes out, in the same order. It ends with its input, \
      and at once when its output is read by no process any more.
      """,
    shouldDisplay: false)

  @Option(help: ArgumentHelp("The most bytes of a file that it writes.", valueName: "BYTES"))
  var fileLimit: Int?

  @Option(help: ArgumentHelp("The most bytes of memory that it allocates.", valueName: "BYTES"))
  var memoryLimit: Int?

  func validate() throws {
    guard fileLimit ?? 1 > 0, memoryLimit ?? 1 > 0 else {
      throw ValidationError("A limit is one byte or more.")
    }
  }

  func run() throws {
    WorkerBounds(fileBytes: fileLimit, dataBytes: memoryLimit).set()
    guard let server = WorkerServer() else {
      throw CommandExit.failing(.programFault, "the standard streams cannot be taken over")
    }
    let runner = VerbRunner()
    do {
      try server.serve { request, output in runner.run(request, to: output) }
    } catch {
      throw CommandExit.failing(.usage, "standard input: \(error)")
    }
  }
}
