import ArgumentParser
import Plumbline

struct FilterCommand: RewritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Write a depth map without what is wrong in it, and say what each filter did.",
    discussion: """
      Needs depths in meters. The presets:

        metrology   only removes: untrusted, flying and lonely pixels (the default)
        fusion      removes more, smooths each surface within its own ±, never fills
        preview     smooths, steadies frames of a camera that stands still, and fills holes
                    where one surface lies around them

        depth.npy, .tiff      float32 meters, NaN = not measured
        depth.png             16-bit millimeters, 0 = unknown
        sigma.npy             one standard deviation of each depth, meters
        invented.png          255 where no sensor measured
        confidence.png        the sensor's levels, where it has any; 0 where invented
        calibration.json      the camera at the size of the map
        filter.json           what each filter did (schema plumbline.filter/1)

      A recording is written as a recording, in the format of -o (.mcap, .r3d) or of --format, with \
      everything else that it holds; its frames are filtered in the order of time. --frame chooses \
      one frame, written as files. A frame that cannot be read or filtered is left out with the \
      reason.

        plumbline filter portrait.heic -o filtered
        plumbline filter scan.mcap --preset fusion -o filtered.mcap
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

  @Option(
    help: ArgumentHelp(
      "What the result is for: metrology, fusion or preview.", valueName: "PRESET"),
    transform: DepthFilterPreset.init(parsing:))
  var preset = DepthFilterPreset.metrology

  @Option(help: "The least confidence that stays, in place of the preset's; 0 keeps all.")
  var confidence: UInt8?

  @Option(
    help: ArgumentHelp("The depths that stay, in meters.", valueName: "NEAR:FAR"),
    transform: ClosedRange.init(parsingDepths:))
  var depthRange: ClosedRange<Double>?

  @Option(
    help: ArgumentHelp(
      "Fill holes: none, surface, left, farthest or nearest, whatever the preset does.",
      valueName: "RULE"),
    transform: CaptureFilter.Filling.init(parsing:))
  var fill: CaptureFilter.Filling?

  @Option(help: "Make the map smaller by this factor, 2 to 8, with medians of measured pixels.")
  var decimate: Int?

  @Flag(help: "Bring the map to the color image's size, its edges drawn by color.")
  var upsample = false

  @OptionGroup var printing: PrintingOptions<FilterCommand>

  func validate() throws {
    if let decimate, !(2...8).contains(decimate) {
      throw ValidationError("--decimate takes a whole number from 2 to 8, not \(decimate).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let input = try options.input()
      let analyzer = try options.analyzer(color: filter.needsColor ? .full : .none)
      guard case .recording(let recording, let name) = input, options.frame == nil else {
        return try filterOne(input, analyzer)
      }
      guard let output else { return try explain(recording, named: name, analyzer) }
      return try write(recording, named: name, to: output, analyzer)
    }
  }

  /// Filters one capture, or one frame, into a folder of files.
  private func filterOne(_ input: CaptureInput, _ analyzer: CaptureAnalyzer) throws -> ExitCode {
    try recordingFormat.refuseForSingleCapture(output: output)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    if let output { try transaction.createDirectory(at: output) }
    var memory = TemporalFilter.Memory()
    let result = try filter.filter(analyzer.analyze(input), after: &memory)
    let outputs = try transaction.stage(result.files, in: output, as: .depth)
    let written = try transaction.publish()
    printing.print(result.document(outputs: outputs)) {
      for line in FilterText.lines(result) { StandardOutput.print(line) }
      for path in written { StandardOutput.print(printable(text: path)) }
    }
    return .success
  }

  /// Says what would be done to each frame of a recording, and writes nothing.
  private func explain(
    _ recording: Recording, named name: String, _ analyzer: CaptureAnalyzer
  ) throws -> ExitCode {
    var memory = TemporalFilter.Memory()
    var documents: [JSONValue] = []
    var lines: [String] = []
    let processed = try recording.processFrames(isQuiet: printing.quiet) { index in
      let analysis = try analyzer.analyze(recording, named: name, at: index)
      let result = try filter.filter(analysis, after: &memory)
      if printing.json {
        documents.append(result.document())
      } else {
        lines += FilterText.lines(result)
      }
    }
    printing.print(processed.document(schema: "plumbline.filter/1", frames: documents)) {
      for line in lines { StandardOutput.print(line) }
    }
    return processed.failures.isEmpty ? .success : CommandExit.unusableInput
  }

  /// Filters a recording into a recording.
  private func write(
    _ recording: Recording, named name: String, to output: String, _ analyzer: CaptureAnalyzer
  ) throws -> ExitCode {
    var totals = FilterText()
    return try rewrite(
      recording, named: name, to: output, by: RecordingFiltering(filter, analyzer: analyzer)
    ) { result in
      totals.add(result.filtered.reports)
      return printing.json ? result.document() : nil
    } text: {
      for line in totals.lines { StandardOutput.print(line) }
    }
  }

  private var filter: CaptureFilter {
    var filter = CaptureFilter(preset)
    filter.leastConfidence = confidence
    filter.rangeMeters = depthRange
    filter.filling = fill
    filter.decimation = decimate
    filter.isUpsampled = upsample
    return filter
  }
}

/// What filters did to all frames of a recording.
struct FilterText {
  private var totals: [DepthFilterReport] = []

  /// What was done to one capture.
  static func lines(_ result: FilterResult) -> [String] {
    [printable(text: result.before.fileName)]
      + result.filtered.reports.map { "  \($0.name): \($0.sentence)" }
  }

  /// Adds the reports of a frame, which are as many as those of the frames before.
  mutating func add(_ reports: [DepthFilterReport]) {
    guard !totals.isEmpty else {
      totals = reports
      return
    }
    for (index, report) in reports.enumerated() where totals.indices.contains(index) {
      totals[index].add(report)
    }
  }

  /// One line for each filter, with the pixels of all frames.
  var lines: [String] { totals.map { "  \($0.name): \($0.sentence)" } }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// Reads one of the names; says which there are when it is another.
  init(parsing argument: String) throws {
    guard let choice = Self(rawValue: argument) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("write one of \(names)")
    }
    self = choice
  }
}
