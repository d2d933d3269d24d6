import ArgumentParser
import Plumbline

struct ConvertCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a recording in another format, and say what that format cannot hold.",
    discussion: """
      The format is told by the ending of the output (.mcap, .r3d) or by --format; the others are \
      folders. mcap holds everything as it was; most others round depth to millimeters and leave \
      out confidence or motion, which is said in one line. Frames that cannot be read or held are \
      left out, with the reason.

      Nothing is corrected on the way unless --rectify or --correct says so: COLMAP and nerfstudio \
      know no lens that is given by tables, and Open3D and TUM none at all. What a recording lacks \
      and a format needs can be given: --calibration, --fps.

        plumbline convert scan.r3d -o scan.mcap
        plumbline convert truedepth.mcap --rectify --format nerfstudio -o scene
        plumbline convert polycam_raw --format colmap -o model
        plumbline convert bag.mcap --format tum --every 2 -o dataset
        plumbline convert scan.r3d --poses poses.json --format colmap -o model
      """)

  @Argument(
    help: "A recording: an archive (.r3d, .zip), an MCAP or .bag file, or a folder of frames.",
    completion: .file(extensions: ["r3d", "zip", "mcap", "bag"]))
  var recording: String

  @Option(name: .output, help: "The file or folder to write.")
  var output: String

  @Option(
    help: ArgumentHelp(
      "What to write: \(RecordingFormatOptions.names).",
      valueName: "FORMAT"), completion: .list(RecordingFormat.allCases.map(\.rawValue)),
    transform: RecordingFormatOptions.named)
  var format: RecordingFormat?

  @Option(help: ArgumentHelp("The first frame, counted from 0.", valueName: "N"))
  var from: Int = 0

  @Option(help: ArgumentHelp("At most so many frames.", valueName: "N"))
  var frames: Int?

  @Option(help: ArgumentHelp("Only every Nth frame.", valueName: "N"))
  var every: Int = 1

  @Option(
    help: ArgumentHelp(
      "The rate of frames that carry no time, for formats that need one; times stay where they are.",
      valueName: "N"))
  var fps: Double?

  @Option(
    help: ArgumentHelp(
      "Write the camera of this file in place of the recording's own, or where it has none.",
      discussion: "A calibration.json of this program, OpenCV's YAML, or Open3D's JSON.",
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @OptionGroup var poses: PoseOptions

  @OptionGroup var stated: DepthStatementOptions

  @Flag(help: "Resample color and depth free from lens distortion, where a frame has any.")
  var rectify = false

  @Flag(help: "Apply what the findings of check ask for, as plumbline correct does.")
  var correct = false

  @Option(
    help: ArgumentHelp(
      "The codes of a meter, for tum: 5000 as the benchmark has it, or 1000, up to 65.5 m.",
      valueName: "N"))
  var depthScale: Int?

  @Flag(help: "Leave color images out.")
  var depthOnly = false

  @OptionGroup var threads: ThreadOptions

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<ConvertCommand>

  func validate() throws {
    guard !(rectify && correct) else {
      throw ValidationError("--correct rectifies where a lens distorts; give one of them.")
    }
    guard from >= 0, every > 0, frames ?? 1 > 0 else {
      throw ValidationError("--from counts from 0; --frames and --every are 1 or more.")
    }
    if let fps, !(fps >= 0.001 && fps <= 1000) {
      throw ValidationError("--fps is 0.001 to 1000 frames per second.")
    }
    // Standard output is refused later, with its reason.
    guard !StandardStreams.isStream(output) else { return }
    guard let written = format ?? RecordingFormat(fileName: output) else {
      throw ValidationError(
        "Say the format with --format, or end the output in .mcap or .r3d: "
          + printable(text: output))
    }
    guard depthScale.map(written.depthScales.contains) ?? true else {
      let scales = written.depthScales.map(String.init).joined(separator: " or ")
      throw ValidationError(
        written.depthScales.isEmpty
          ? "\(written.rawValue) has no choice of --depth-scale." : "--depth-scale is \(scales).")
    }
  }

  func run() throws {
    throw try CommandExit.running(recording) {
      let (found, name) = try CaptureInput.recording(path: recording)
      let replacement = try calibration.map { try CalibrationReplacement(path: $0) }
      let stating = stated.statement.map { found.stating($0) } ?? found
      let calibrated = replacement.map { stating.calibrated(by: $0) } ?? stating
      let posed = try poses.posed(calibrated)
      let recording = posed?.recording ?? calibrated
      guard let format = format ?? RecordingFormat(fileName: output) else {
        return .validationFailure
      }
      let chosen = try recording.indices(from: from, every: every, atMost: frames)
      let indices = try posed.map { try poses.posed(chosen, of: $0) } ?? chosen
      let conversion = RecordingConversion(
        recording: recording, name: name, output: output, existing: outputOptions.existing,
        isQuiet: printing.quiet || printing.json)
      var converter = RecordingConverter(format, hasColor: !depthOnly, framesPerSecond: fps)
      converter.depthScale = depthScale
      converter.threads = threads.count
      let summary =
        try transform().map { try conversion.run(converter, frames: indices, by: $0) { _ in } }
        ?? conversion.run(converter, frames: indices)
      printing.print(summary.document(output: output)) {
        let text = ConversionText(summary: summary, output: output, chosenCount: indices.count)
        for line in text.lines { StandardOutput.print(line) }
      }
      return summary.skipped.isEmpty ? .success : CommandExit.unusableInput
    }
  }

  /// What is done to each frame; `nil` for nothing.
  private func transform() throws -> RecordingCorrection? {
    guard rectify || correct else { return nil }
    var corrector = CaptureCorrector()
    corrector.catalog = try OwnCatalog.devices(nil)
    if rectify {
      corrector.rectified = [.color, .depth]
      corrector.skipsRectified = true
    }
    return RecordingCorrection(corrector)
  }
}
