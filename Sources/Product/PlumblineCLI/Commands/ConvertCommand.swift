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
      named and left out.

      Nothing is corrected on the way: see correct and filter. What a recording lacks and a format \
      needs can be given: --calibration, --fps.

        plumbline convert scan.r3d -o scan.mcap
        plumbline convert polycam_raw --format colmap -o model
        plumbline convert bag.mcap --format tum --every 2 -o dataset
      """)

  @Argument(
    help: "A recording: an archive (.r3d, .zip), an MCAP or .bag file, or a folder of frames.",
    completion: .file(extensions: ["r3d", "zip", "mcap", "bag"]))
  var recording: String

  @Option(name: .output, help: "The file or folder to write.")
  var output: String

  @Option(
    help: ArgumentHelp(
      "What to write: \(RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "FORMAT"), completion: .list(RecordingFormat.allCases.map(\.rawValue)),
    transform: Self.format)
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

  @OptionGroup var stated: DepthStatementOptions

  @Flag(name: .customLong("no-color"), help: "Leave color images out.")
  var leavesColorOut = false

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<ConvertCommand>

  private static func format(_ name: String) throws -> RecordingFormat {
    guard let format = RecordingFormat(rawValue: name) else {
      throw ValidationError("There is no format “\(printable(text: name))”.")
    }
    return format
  }

  func validate() throws {
    guard from >= 0, every > 0, frames ?? 1 > 0 else {
      throw ValidationError("--from counts from 0; --frames and --every are 1 or more.")
    }
    if let fps, !(fps >= 0.001 && fps <= 1000) {
      throw ValidationError("--fps is 0.001 to 1000 frames per second.")
    }
    guard format != nil || RecordingFormat(fileName: output) != nil else {
      throw ValidationError(
        "Say the format with --format, or end the output in .mcap or .r3d: "
          + printable(text: output))
    }
  }

  func run() throws {
    throw try CommandExit.running(recording) {
      let (found, name) = try CaptureInput.recording(path: recording)
      let replacement = try calibration.map { try CalibrationReplacement(path: $0) }
      let stating = stated.statement.map { found.stating($0) } ?? found
      let recording = replacement.map { stating.calibrated(by: $0) } ?? stating
      guard let format = format ?? RecordingFormat(fileName: output) else {
        return .validationFailure
      }
      let indices = try recording.indices(from: from, every: every, atMost: frames)
      var progress = ProgressLine(total: indices.count, isQuiet: printing.quiet || printing.json)
      defer { progress.end() }
      let stop = RecordingStop()
      let signals = SignalTrap { stop.request() }
      defer { signals.cancel() }
      let converter = RecordingConverter(
        format, hasColor: !leavesColorOut, framesPerSecond: fps)
      let summary = try converter.convert(
        recording, indices: indices, path: output, existing: outputOptions.existing, origin: name
      ) {
        if stop.isRequested { throw InterruptedError() }
        progress.begin($0)
      }
      progress.end()
      report(summary, of: indices.count)
      return summary.skipped.isEmpty ? .success : CommandExit.unusableInput
    }
  }

  private func report(_ summary: ConversionSummary, of chosen: Int) {
    for frame in summary.skipped {
      StandardError.print(
        "plumbline: frame \(printable(text: frame.name)) is left out: "
          + printable(text: frame.reason))
    }
    if let reason = summary.colorlessReason {
      StandardError.print(
        "plumbline: \(summary.colorlessFrames.counting("frame")) written without color: "
          + printable(text: reason))
    }
    if summary.unreadableMotionCount > 0 {
      StandardError.print(
        "plumbline: \(summary.unreadableMotionCount.counting("motion sample")) cannot be read, "
          + "or only in part; the first: \(summary.firstUnreadableMotion)")
    }
    printing.print(summary.document(output: output)) {
      StandardOutput.print(
        "\(printable(text: output))  \(summary.format.rawValue), "
          + "\(summary.frameCount) of \(chosen.counting("frame"))"
      )
      if !summary.leftOut.isEmpty {
        let names = summary.leftOut.map(\.description).joined(separator: ", ")
        StandardOutput.print("  left out, since the format has no place for it: \(names)")
      }
    }
  }
}

extension RecordingAspect {
  /// The words by which people read what a format leaves out.
  var description: String {
    switch self {
    case .color: "color"
    case .timestamps: "times"
    case .intrinsics: "the camera's numbers"
    case .intrinsicsPerFrame: "the camera's numbers of each frame"
    case .distortion: "lens distortion"
    case .poses: "poses"
    case .confidence: "confidence"
    case .sigma: "the ± of pixels"
    case .residual: "the residual of an estimate"
    case .motion: "motion samples"
    case .provenance: "device and provenance"
    case .exactDepth: "depth finer than its own steps"
    }
  }
}
