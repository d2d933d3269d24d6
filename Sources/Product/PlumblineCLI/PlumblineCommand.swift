import ArgumentParser
import Plumbline

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

        plumbline check photo.heic -o photo       verdict, report.html, cloud.ply
        plumbline check photo.heic --json         the same answer for a program
        plumbline measure photo.heic --distance 812,1304:1630,1290   a length with its ±
        plumbline cloud photo.heic -o photo.ply   a colored point cloud in meters
        plumbline extract photo.heic -o photo     its parts as files
        plumbline board charuco:7x5:30mm -o board a board to print
        plumbline verify frames -o report         does the factory calibration fit?
        plumbline calibrate frames -o measured    a measured camera with its ±
        plumbline correct frames -o corrected     what was wrong set right
        plumbline filter frames -o clean          without flying and lonely pixels
        plumbline align frames -o overlay.png     does depth lie on color?
        plumbline compare one.heic other.heic     how two captures differ
        plumbline write photo.jpg --attach depth/capture.mcap -o deep.jpg   depth into a photo
        plumbline effect blur portrait.heic --aperture 1.8 -o blurred.jpg   refocused by its depth
        plumbline devices iPad13,8                what is known of a device
        plumbline simulate board -o frames        frames with exact truth
        plumbline info scan.r3d                   what a recording holds
        plumbline convert scan.r3d -o scan.mcap   the same in another format
        plumbline record --source simulated -o a.mcap   a live camera, recorded
        plumbline recover a.mcap.partial -o a.mcap      what a cut recording holds
        plumbline view scan.r3d                   look at it in the browser
        plumbline serve --source phone --host 0.0.0.0   a phone as a live camera
        plumbline watch --source simulated --near 0.5   say when something is too near
        plumbline stereo left.jpg right.jpg -o depth    depth from two images, with its ±
        plumbline estimate photo.jpg -o depth     depth from one image, fitted where possible
        plumbline evaluate depth/depth.npy truth.npy    how far depths are from the truth

      Exit codes: 0 done (check: measurable), 1 not measurable in meters, 64 usage, 65 the file \
      cannot be used, 66 no such file, 70 a fault of this program, 73 the output cannot be \
      created, 74 reading or writing failed.
      """,
    version: PlumblineVersion.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Captures",
        subcommands: [
          CheckCommand.self, MeasureCommand.self, InspectCommand.self, ExtractCommand.self,
          CloudCommand.self, AlignCommand.self, CorrectCommand.self, FilterCommand.self,
          CompareCommand.self,
        ]),
      CommandGroup(
        name: "Photos", subcommands: [WriteCommand.self, EffectCommand.self]),
      CommandGroup(
        name: "Calibration",
        subcommands: [
          BoardCommand.self, VerifyCommand.self, CalibrateCommand.self, DevicesCommand.self,
        ]),
      CommandGroup(
        name: "Recordings",
        subcommands: [
          InfoCommand.self, ConvertCommand.self, RecordCommand.self, RecoverCommand.self,
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
    // Closures: the compiler crashes on key paths of metatypes.
    let names = Self.configuration.groupedSubcommands.flatMap { $0.subcommands }
      .compactMap { $0.configuration.commandName }
    throw ValidationError(
      "Say what to do: \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "").")
  }

  /// Parses and runs; a message about wrong usage repeats arguments, which may hold anything.
  static func main() {
    #if os(Linux)
      // Before anything else: this program may decode or run a network for another that runs it.
      DecoderWorker.runIfAsked()
      NetworkWorker.runIfAsked()
    #endif
    // A file past the limit of its size shall be an error of writing, which leaves nothing partial.
    signal(SIGXFSZ, SIG_IGN)
    ArgumentBytes.requireUTF8()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      if code == .success { exit(withError: error) }
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      let message = lines.map { printable(text: $0) }.joined(separator: "\n")
      if !message.isEmpty { StandardError.print(message) }
      exit(withError: code)
    }
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
      PlumblineCommand.exit(withError: ExitCode.validationFailure)
    }
  }

  private static func count(_ argument: UnsafeMutablePointer<CChar>) -> Int {
    var count = 0
    while argument[count] != 0 { count += 1 }
    return count
  }
}
