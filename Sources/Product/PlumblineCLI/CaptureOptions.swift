import ArgumentParser
import Plumbline

/// The options of every command that reads one capture.
struct CaptureOptions: ParsableArguments {
  @Argument(
    help: "The photo, depth frame, recording or folder of frames; names of files do not matter.",
    completion: .captures)
  var capture: String

  @OptionGroup var analysis: AnalysisOptions

  /// The frame of a folder; `nil` for the first or all.
  var frame: String? { analysis.frame }
  /// The file of a calibration.
  var calibration: String? { analysis.calibration }
  /// Distances that the user measured.
  var knownDistances: [MeasuredDistance] { analysis.knownDistances }
  /// How much of the machine is used.
  var threadCount: Int { analysis.threadCount }

  /// Opens the file or folder.
  func input() throws -> CaptureInput { try analysis.input(capture) }

  /// The analyzer of these options.
  func analyzer(
    color: CaptureReader.ColorRequest, companions: Bool = false
  ) throws -> CaptureAnalyzer {
    try analysis.analyzer(color: color, companions: companions)
  }

  /// Analyzes one capture; of a folder the chosen frame, else the first one.
  func analysis(
    color: CaptureReader.ColorRequest, companions: Bool = false,
    statement: DepthStatement? = nil
  ) throws -> CaptureAnalysis {
    try analysis(of: input(), color: color, companions: companions, statement: statement)
  }

  /// Analyzes one capture of an opened file or folder.
  func analysis(
    of input: CaptureInput, color: CaptureReader.ColorRequest, companions: Bool = false,
    statement: DepthStatement? = nil
  ) throws -> CaptureAnalysis {
    if case .recording(let recording, _) = input, frame == nil, recording.frameNames.count > 1 {
      StandardError.print(
        "plumbline: frame \(printable(text: recording.frameNames[0])) of "
          + "\(recording.frameNames.count); --frame chooses another")
    }
    var analyzer = try analyzer(color: color, companions: companions)
    analyzer.statement = statement
    return try analyzer.analyze(input)
  }

  /// The step that takes the calibration of `--calibration`; `nil` without that option.
  func replacement() throws -> CalibrationReplacement? { try analysis.replacement() }
}

/// How captures are analyzed, whichever they are.
struct AnalysisOptions: ParsableArguments {
  @Option(
    name: .customLong("known-distance"),
    help: ArgumentHelp(
      "A distance that you measured, to make a relative map metric; give it once or twice.",
      discussion: """
        \(NamedPixel.words) METERS is its distance from the plane of the camera, along the \
        optical axis. One distance fixes the scale; two, one near and one far, fix the offset too.
        """,
      valueName: "X,Y=METERS"),
    transform: MeasuredDistance.init(parsing:))
  var knownDistances: [MeasuredDistance] = []

  @Option(
    help: ArgumentHelp(
      "The frame of a folder: its name, or its number from 0.", valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    help: ArgumentHelp(
      "Use the calibration of this file in place of the capture's own.",
      discussion: """
        A calibration.json of this program, OpenCV's YAML, or Open3D's JSON; scaled to the map, \
        whose shape it must have.
        """,
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @Option(
    help: ArgumentHelp(
      "The device that took it, where the capture does not say, as plumbline devices names it.",
      valueName: "NAME"))
  var device: String?

  @Option(help: OwnCatalog.help, completion: .file(extensions: ["json"]))
  var catalog: String?

  // Not as a group: the parser's checks in a debug build quadruple with each level of groups.
  @Option(name: .customLong("threads"), help: ThreadOptions.help)
  var threadCount: Int = 2

  mutating func validate() throws {
    try ThreadOptions.require(threadCount)
    guard knownDistances.count <= 2 else {
      throw ValidationError(
        "Give one or two known distances, not \(knownDistances.count): two fix scale and offset.")
    }
  }

  /// Opens a file or folder.
  func input(_ path: String) throws -> CaptureInput {
    let input = try CaptureInput(argument: path)
    if case .file = input, frame != nil { throw FrameOptionError.notAFolder }
    return input
  }

  /// The analyzer of these options.
  func analyzer(
    color: CaptureReader.ColorRequest, companions: Bool = false
  ) throws -> CaptureAnalyzer {
    var analyzer = CaptureAnalyzer(color: color, threads: threadCount)
    analyzer.readsCompanions = companions
    analyzer.calibration = try replacement()
    // What a calibration replaces needs no catalog, and must not fail for a damaged one.
    if calibration == nil { analyzer.catalog = try OwnCatalog.devices(catalog) }
    analyzer.measuredDistances = knownDistances
    analyzer.frame = frame
    analyzer.deviceModel = device
    return analyzer
  }

  /// The step that takes the calibration of `--calibration`; `nil` without that option.
  func replacement() throws -> CalibrationReplacement? {
    try calibration.map { try CalibrationReplacement(path: $0) }
  }

  /// A recording of which every frame is as these options and a statement say.
  func applied(to recording: Recording, _ statement: DepthStatement?) throws -> Recording {
    let stating = statement.map { recording.stating($0) } ?? recording
    guard let replacement = try replacement() else {
      return stating.taken(by: device, knownBy: try OwnCatalog.devices(catalog))
    }
    return stating.taken(by: device, knownBy: .bundled).calibrated(by: replacement)
  }
}

/// Options about one capture or frame that do not fit the input; a matter of usage.
enum FrameOptionError: CategorizedError, CustomStringConvertible {
  case notAFolder
  case distancesWithoutFrame
  case documentOfMany(count: Int)

  var category: FailureCategory { .usage }

  var description: String {
    switch self {
    case .notAFolder: "--frame chooses a frame of a folder, and this is a file"
    case .distancesWithoutFrame:
      "--known-distance names a pixel of one frame: choose it with --frame"
    case .documentOfMany(let count):
      "--json prints one document, and these are \(count) captures: --jsonl prints one for each"
    }
  }
}

extension NamedPixel {
  /// How a pixel is written, for the texts of options.
  static var words: String {
    "X,Y is a pixel of the photo as shown; depth:X,Y one of the depth map as stored."
  }
}
