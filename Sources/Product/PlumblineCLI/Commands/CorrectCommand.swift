import ArgumentParser
import Plumbline

struct CorrectCommand: RewritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Write a capture with what was wrong set right, and say by how much.",
    discussion: """
      Without options it does what the findings of check ask for: the focal length of models that \
      are known to state a wrong one, or what you measured yourself (see devices --add), ARKit's zoom and mirroring, and the lens's distortion.

        color.png             the color image, resampled where a step says so
        depth.npy, .tiff      float32 meters, NaN = not measured
        depth.png             16-bit millimeters, 0 = unknown (metric maps only)
        depth-source.npy      which stored pixel each pixel of the map is: what undoes all steps
        calibration.json      the camera with its ± (use it with --calibration)
        provenance.json       every step with its numbers, before and after

      A recording is written as a recording, in the format of -o (.mcap, .r3d) or of --format, with \
      times, poses, cameras, confidence, motion and the steps of each frame; --frame chooses one \
      frame, written as files. A frame that cannot be read or corrected is left out with the \
      reason; the others are written, and the exit code is 65.

        plumbline correct portrait.heic -o corrected
        plumbline correct scan.mcap -o corrected.mcap
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: ArgumentHelp(
      "The folder to write into, made if it does not exist; of a recording the recording to write."),
    completion: .file())
  var output: String?

  @OptionGroup var recordingFormat: RecordingFormatOptions

  @Flag(help: "Take the focal length that the device catalog has for the model, with its ±.")
  var focalFromCatalog = false

  @Option(
    name: .customLong("focal-from-pair"),
    help: ArgumentHelp(
      "Take the focal length that follows from what AVFoundation and ARKit state of one device.",
      discussion: """
        AVFoundation's focal length and the width it belongs to, then ARKit's, as in \
        1781.78@2016,1916.17@2880; or a calibration file or capture in place of either. The law is \
        empirical: its ± is 1.1 % for AVFoundation, 2.1 % for ARKit.
        """,
      valueName: "F@W,F@W"),
    transform: FocalPairArgument.init(parsing:))
  var focalPair: FocalPairArgument?

  @Flag(help: "Undo the zoom between ARKit's depth map and color image.")
  var arkitZoom = false

  @Flag(help: "Mirror map, color and calibration: rows for ARKit's front camera, else columns.")
  var unmirror = false

  @Flag(help: "Mirror the columns of the depth map alone, where a program flipped only it.")
  var unmirrorDepth = false

  @Option(
    help: ArgumentHelp(
      "Resample these free from lens distortion: color, depth, or both.",
      valueName: "color,depth"),
    transform: CaptureParts.init(parsing:))
  var rectify: CaptureParts?

  @Option(
    help: ArgumentHelp("Bring map and color to this size.", valueName: "WxH"),
    transform: RasterSize.init(parsing:))
  var size: RasterSize?

  @Flag(help: "Print each step with its numbers before and after.")
  var explain = false

  @OptionGroup var printing: PrintingOptions<CorrectCommand>

  func validate() throws {
    guard output != nil || explain || printing.json else {
      throw ValidationError(
        "Say where to write with -o, or --explain or --json to see what would be done.")
    }
    guard !(unmirror && unmirrorDepth) else {
      throw ValidationError("--unmirror mirrors the map already; give it or --unmirror-depth.")
    }
    guard [options.calibration != nil, focalFromCatalog, focalPair != nil].count(where: { $0 }) < 2
    else {
      throw ValidationError(
        "--calibration, --focal-from-catalog and --focal-from-pair each replace the focal length; "
          + "give one of them.")
    }
    guard options.knownDistances.isEmpty else {
      throw ValidationError(
        "--known-distance makes a relative map metric and is an option of check, measure, extract, cloud, filter, write and estimate."
      )
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let pair = try focalPair?.pair()
      let input = try options.input()
      guard case .recording(let recording, let name) = input, options.frame == nil else {
        return try correctOne(input, pair)
      }
      guard let output else { return try explain(recording, named: name, pair) }
      return try write(recording, named: name, to: output, pair)
    }
  }

  /// Corrects one capture, or one frame, into a folder of files.
  private func correctOne(_ input: CaptureInput, _ pair: FocalPair?) throws -> ExitCode {
    try recordingFormat.refuseForSingleCapture(output: output)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    if let output { try transaction.createDirectory(at: output) }
    let result = try corrected(analyzer().analyze(input), by: corrector(pair))
    let outputs = try transaction.stage(result.files, in: output, as: .depth)
    let written = try transaction.publish()
    printing.print(result.document(outputs: outputs)) {
      if explain { StandardOutput.print(CorrectionText(result: result, pair: pair?.pair).text) }
      guard output != nil else { return }
      if !explain { StandardOutput.print(CorrectionText(result: result).summary) }
      for path in written { StandardOutput.print(printable(text: path)) }
    }
    return .success
  }

  /// Says what would be done to each frame of a recording, and writes nothing.
  private func explain(
    _ recording: Recording, named name: String, _ pair: FocalPair?
  ) throws -> ExitCode {
    let analyzer = try analyzer()
    let corrector = try corrector(pair)
    var documents: [JSONValue] = []
    let processed = try recording.processFrames(isQuiet: printing.quiet) { index in
      let result = try corrected(
        analyzer.analyze(recording, named: name, at: index), by: corrector)
      if let document = report(result, pair) { documents.append(document) }
    }
    printing.print(processed.document(schema: "plumbline.correct/1", frames: documents)) {}
    return processed.failures.isEmpty ? .success : CommandExit.unusableInput
  }

  /// Corrects a recording into a recording.
  private func write(
    _ recording: Recording, named name: String, to output: String, _ pair: FocalPair?
  ) throws -> ExitCode {
    var first: RecordingCorrection.Report?
    var transform = RecordingCorrection(
      try corrector(pair), deviceModel: options.analysis.device,
      assessesFrames: printing.json || explain)
    transform.requiresDepth = true
    return try rewrite(recording, named: name, to: output, by: transform) { frame in
      first = first ?? frame
      return frame.result.flatMap { report($0, pair) }
    } text: {
      guard !explain, let first else { return }
      StandardOutput.print(CorrectionText.summary(first.steps, of: "\(name), the first frame"))
    }
  }

  /// The document of a frame with `--json`, else `nil`, and its steps are printed with `--explain`.
  private func report(_ result: CorrectionResult, _ pair: FocalPair?) -> JSONValue? {
    if printing.json { return result.document() }
    if explain && !printing.quiet {
      StandardOutput.print(CorrectionText(result: result, pair: pair?.pair).text)
    }
    return nil
  }

  private func corrected(
    _ analysis: CaptureAnalysis, by corrector: CaptureCorrector
  ) throws -> CorrectionResult {
    guard analysis.capture.depth != nil else {
      throw CaptureReadingError(.missing, expected: "a depth map to correct", found: "none")
    }
    return try corrector.correct(analysis)
  }

  private func analyzer() throws -> CaptureAnalyzer {
    var analyzer = try options.analyzer(color: .full, companions: true)
    // The steps are made with numbers before and after, so the analysis keeps the capture's own.
    analyzer.calibration = nil
    analyzer.catalog = .bundled
    return analyzer
  }

  private func corrector(_ pair: FocalPair?) throws -> CaptureCorrector {
    var corrector = CaptureCorrector()
    corrector.calibration = try options.replacement()
    if options.calibration == nil {
      corrector.catalog = try OwnCatalog.devices(options.analysis.catalog)
    }
    corrector.takesFocalFromCatalog = focalFromCatalog
    corrector.focalPair = pair
    corrector.undoesZoom = arkitZoom
    corrector.undoesMirroring = unmirror
    if unmirrorDepth { corrector.mirroring = Mirroring(.columns, of: .depth) }
    corrector.rectified = rectify ?? []
    corrector.size = size
    return corrector
  }
}

/// A pair of stated focal lengths, and where it is from.
private typealias FocalPair = (pair: FocalFromPair, origin: String)
