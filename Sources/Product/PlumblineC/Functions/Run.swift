import CPlumbline
import Plumbline

@_cdecl("plumbline_run")
package func runTask(
  _ task: UnsafePointer<CChar>?, _ inputs: UnsafePointer<UnsafePointer<CChar>?>?,
  _ inputCount: Int, _ output: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?,
  _ progress: ProgressFunction?, _ context: UnsafeMutableRawPointer?,
  _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  let first = inputCount > 0 ? inputs?[0].flatMap { String(validatingCString: $0) } : nil
  return reporting(to: error, file: first) {
    let task = try FileTask.named(text(task, "task"))
    guard (0...1_000_000).contains(inputCount), inputs != nil || inputCount == 0 else {
      throw InterfaceError.usage("inputs", expected: "a list of paths", found: "NULL")
    }
    var call = TaskCall(
      inputs: try (0..<inputCount).map { try text(inputs?[$0], "inputs") },
      output: try output.map { try text($0, "output") },
      settings: try Settings(settings.map { try text($0, "settings") }),
      progress: ProgressReport(progress, context: context))
    // No output may replace an input that this call read.
    let document = try FilesRead.$current.withValue(FilesRead()) { try task.perform(&call) }
    return CText.copy(of: JSONWriter().text(document))
  }
}
