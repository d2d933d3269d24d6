import ArgumentParser
import Plumbline
import PlumblineBatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@main
struct PlumblineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plumbline",
    abstract: "Can I measure with this depth capture, and how well?",
    discussion: """
      Reads what iPhones and iPads and their apps write, photos and folders of frames, finds \
      what is wrong with the numbers, corrects it, and says how far each can be trusted.

      \(RootHelp.exitCodes.joined(separator: " "))

      \(RootHelp.exampleLines.joined(separator: "\n"))
      """,
    version: PlumblineVersion.text,
    subcommands: [BatchWorkerCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Captures",
        subcommands: [
          CheckCommand.self, MeasureCommand.self, InspectCommand.self, ExtractCommand.self,
          CloudCommand.self, MeshCommand.self, AlignCommand.self, CorrectCommand.self,
          FilterCommand.self, CompareCommand.self, CompareSurfaceCommand.self,
        ]),
      CommandGroup(
        name: "Photos", subcommands: [WriteCommand.self, EffectCommand.self]),
      CommandGroup(
        name: "Calibration",
        subcommands: [
          BoardCommand.self, VerifyCommand.self, CalibrateCommand.self, DevicesCommand.self,
        ]),
      CommandGroup(name: "Many captures", subcommands: [BatchCommand.self]),
      CommandGroup(
        name: "Recordings",
        subcommands: [
          InfoCommand.self, FuseCommand.self, ConvertCommand.self, RecordCommand.self,
          RecoverCommand.self,
        ]),
      CommandGroup(
        name: "Without a sensor",
        subcommands: [
          StereoCommand.self, EstimateCommand.self, FaceCommand.self, EvaluateCommand.self,
          ModelsCommand.self,
        ]),
      CommandGroup(
        name: "Looking", subcommands: [ViewCommand.self, ServeCommand.self, WatchCommand.self]),
      CommandGroup(name: "Without a phone", subcommands: [SimulateCommand.self]),
    ])

  func run() throws {
    throw UsageError(
      "Say what to do: one of \(RootHelp.verbs.joined(separator: ", ")).", verb: "")
  }

  /// Parses and runs; a message about wrong usage repeats arguments, which may hold anything.
  static func main() {
    #if os(Linux)
      FreedMemory.keep()
      // Before anything else: this program may decode or run a network for another that runs it.
      DecoderWorker.runIfAsked()
      NetworkWorker.runIfAsked()
    #endif
    // A file past the limit of its size shall be an error of writing, which leaves nothing partial.
    signal(SIGXFSZ, SIG_IGN)
    ArgumentBytes.requireUTF8()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if RootHelp.isRequested(by: arguments) {
      StandardOutput.print(RootHelp.text)
      return
    }
    let isDocument = CommandExit.documentIsRequested(by: arguments)
    do {
      let path = try VerbPath(arguments)
      try RenamedOption.refuse(in: path)
      try StandardStreams.refuseInput(in: path)
      var command = try parseAsRoot(NegativeValues.joined(arguments))
      try (command as? any OutputCommand)?.checkOutput(
        of: path.text, isDocument: isDocument)
      try CommandExit.$printsDocuments.withValue(isDocument) { try command.run() }
    } catch {
      end(error, isDocument: isDocument)
    }
  }

  /// Ends the program with what parsing or a command threw.
  private static func end(_ error: any Error, isDocument: Bool) -> Never {
    let usage = error as? UsageError
    let code = usage == nil ? exitCode(for: error) : .validationFailure
    // Help and the version are thrown too, and go to standard output.
    if code == .success { exit(withError: error) }
    let message = usage?.fullMessage ?? fullMessage(for: error)
    if !message.isEmpty {
      let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
      StandardError.print(lines.map { printable(text: $0) }.joined(separator: "\n"))
      if isDocument {
        let sentence = usage?.description ?? self.message(for: error)
        CommandExit.printDocument(ErrorDocument(.usage, message: printable(text: sentence)))
      }
    }
    exit(withError: code)
  }
}

/// The arguments as the system hands them over: bytes, which need not be UTF-8.
enum ArgumentBytes {
  /// Ends the program where an argument is not UTF-8.
  ///
  /// Swift would put U+FFFD in place of the wrong bytes, and the file of that other name does not
  /// exist.
  static func requireUTF8() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeBufferPointer(
        start: UnsafeRawPointer(argument).assumingMemoryBound(to: UInt8.self),
        count: Self.count(argument))
      if String(validating: bytes, as: UTF8.self) != nil { continue }
      StandardError.print(
        "plumbline: argument \(index) is not UTF-8: “\(printable(bytes))”. Names in other encodings "
          + "cannot be passed: rename the file, or make a link to it whose name is UTF-8.")
      if CommandExit.documentIsRequested(by: CommandLine.arguments) {
        CommandExit.printDocument(ErrorDocument(.usage, message: "argument \(index) is not UTF-8"))
      }
      PlumblineCommand.exit(withError: ExitCode.validationFailure)
    }
  }

  private static func count(_ argument: UnsafeMutablePointer<CChar>) -> Int {
    var count = 0
    while argument[count] != 0 { count += 1 }
    return count
  }
}
