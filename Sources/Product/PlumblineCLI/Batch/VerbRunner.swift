import ArgumentParser
import Plumbline
import PlumblineBatch

/// Runs verbs in this process, one after another.
final class VerbRunner {
  /// The last command, and what it was parsed from but for the capture.
  private var parsed: (options: [String], command: any BatchableCommand)?

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
    } catch let error as any CategorizedError {
      let document = ErrorDocument(error, file: request.path)
      return VerbOutcome(code: document.code, document: document.json)
    } catch {
      let usage = (error as? UsageError)?.description ?? verb.command.message(for: error)
      return Self.usage(usage, file: request.path)
    }
  }

  private func code(
    of verb: BatchVerb, _ arguments: [String], to output: CaptureOutput?
  ) throws -> Int32 {
    var options = Array(arguments.dropFirst().dropLast())
    let capture = arguments.last ?? ""
    var outputPath: String?
    if let folder = output?.unfinished {
      let (path, needsFolder) = verb.outputPath(in: folder, arguments: arguments)
      outputPath = path
      if needsFolder {
        do throws(SystemFailure) { try FileOperations.system.createDirectory(folder) } catch {
          throw OutputError(.cannotCreate, path: folder, detail: error.text)
        }
      }
      options = ["-o", path] + options
    } else if verb.needsOutput {
      throw UsageError("\(verb.rawValue) writes files, and no folder is given", verb: verb.rawValue)
    }
    var command = try command(of: verb, options, capture: capture)
    command.take(capture: capture, output: outputPath)
    try (command as? any OutputCommand)?.checkOutput(of: verb.rawValue, isDocument: true)
    do {
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    }
  }

  /// A command with these options, parsed once for all captures in a row that have the same ones.
  private func command(
    of verb: BatchVerb, _ options: [String], capture: String
  ) throws -> any BatchableCommand {
    var key = options + [verb.rawValue]
    // Of the output its kind counts, which its ending tells; folders of captures have a long one.
    if options.first == "-o" {
      let ending = pathEnding(options[1])
      key[1] = ending.utf8.count > 5 ? "" : ending
    }
    if let parsed, parsed.options == key { return parsed.command }
    let command = try verb.command.parse(options + [capture])
    parsed = (key, command)
    return command
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
