import ArgumentParser
import Plumbline

struct CalibrateCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure a camera from frames of a board, with the ± of every number.",
    discussion: """
      Writes calibration.json for --calibration of other verbs, opencv.yaml, open3d.json and \
      report.html into the folder of -o. Frames with fewer than 10 corners, frames that moved and \
      frames that repeat others are left out; a bent board is taken for what it is.

        plumbline calibrate frames -o measured
        plumbline calibrate frames --free focal,center --lens polynomial -o measured

      With --stereo two cameras and where they stand to each other come of one sum, from two folders \
      whose frames have the same names or numbers, or from one folder of left… and right… files; \
      stereo.json (for plumbline stereo --calibration) and opencv-stereo.yaml are written.

        plumbline calibrate --stereo left right --board chessboard:10x7:25mm -o pair

      Where the frames do not determine a camera nothing is written and the exit code is 1.
      """)

  @OptionGroup var options: BoardOptions

  @Argument(
    help: "With --stereo, the folder of the right camera's frames.", completion: .directory)
  var rightFolder: String?

  @Flag(help: "Two cameras: their relative pose as well, from frames of the same moments.")
  var stereo = false

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    help: ArgumentHelp(
      "What is estimated: focal, center, aspect, radial, tangential; the rest stays as it is.",
      discussion: "With --stereo focal,center,radial (two terms) unless given.",
      valueName: "LIST"),
    transform: FreeArgument.init(parsing:))
  var free: FreeArgument?

  @Option(
    help: ArgumentHelp(
      "The lens: auto, apple-table (kept), polynomial or spline (estimated), or none.",
      valueName: "LENS"))
  var lens: LensArgument = .auto

  @Option(
    name: .output,
    help: "A folder for the files; it is made if it does not exist.", completion: .directory)
  var output: String?

  @OptionGroup var printing: PrintingOptions<CalibrateCommand>

  mutating func validate() throws {
    let lensTerms: FreeParameters = [.radial1, .radial2, .radial3, .tangential]
    if rightFolder != nil, !stereo {
      throw ValidationError("A second folder belongs to --stereo.")
    }
    if stereo, lens == .appleTable {
      throw ValidationError("--stereo estimates polynomials; --lens apple-table is for one camera.")
    }
    if lens == .appleTable || lens == .none || lens == .spline, let free,
      !free.parameters.isDisjoint(with: lensTerms)
    {
      throw ValidationError("--free radial or tangential needs --lens polynomial.")
    }
  }

  func run() throws {
    if stereo {
      throw try CommandExit.running(options.folder, calibratePair)
    }
    let free = free ?? FreeArgument(parameters: .focal)
    throw try CommandExit.running(options.folder) {
      let recording = try options.recording(isQuiet: printing.quiet)
      let verification = try CalibrationVerification(
        recording.frames, frameCount: recording.frameCount,
        imagelessCount: recording.imagelessCount, shownBoard: recording.shownBoard)
      guard !verification.frames.isEmpty else {
        return CommandExit.failing(.notMeasurable, verification.reason, file: options.folder)
      }
      let lensTerms: FreeParameters = [.radial1, .radial2, .radial3, .tangential]
      let isPolynomial = !free.parameters.isDisjoint(with: lensTerms)
      let measurement = try CameraMeasurer(
        free: free.parameters, lens: isPolynomial ? .polynomial : lens.choice
      ).measure(verification)
      let written = try output.map { try write(measurement, verification, recording, to: $0) } ?? []
      printing.print(measurement.document(folder: options.folderName, outputs: written)) {
        StandardOutput.print(text(measurement, of: recording, written))
      }
      return .success
    }
  }

  private func text(
    _ measured: CalibrationMeasurement, of recording: BoardRecording, _ written: [String]
  ) -> String {
    let camera = measured.camera.intrinsics
    func sigma(_ value: Double?) -> String { value.map { " ± \($0.fixed(2))" } ?? " (kept)" }
    func plusMinus(_ value: Double?) -> String { value.map { " ± \($0.fixed(2))" } ?? "" }
    let center = measured.uncertainty.principalPointPixels
    let focal = camera.focalLength
    var lines = [
      "f = \(focal.x.fixed(2))\(sigma(measured.uncertainty.focalLengthPixels?.x)) px  "
        + printable(text: options.folderName),
      "  center       (\(camera.principalPoint.x.fixed(2))\(plusMinus(center?.x)), "
        + "\(camera.principalPoint.y.fixed(2))\(plusMinus(center?.y))) px of \(camera.size)"
        + (center == nil ? ", kept" : ""),
      "  lens         \(measured.lensWord)",
      "  reprojection \(measured.missText)",
      "  frames       \(measured.frameNames.count) of \(recording.frameCount)",
    ]
    if focal.x != focal.y { lines.insert("  aspect       \((focal.y / focal.x).fixed(5))", at: 2) }
    for (index, path) in written.enumerated() {
      lines.append((index == 0 ? "  written      " : "               ") + printable(text: path))
    }
    return lines.joined(separator: "\n")
  }

  private func write(
    _ measurement: CalibrationMeasurement, _ verification: CalibrationVerification,
    _ recording: BoardRecording, to folder: String
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: outputOptions.existing)
    try transaction.createDirectory(at: folder)
    let origin = ExportOrigin(producer: "plumbline \(PlumblineVersion.text)")
    var paths: [String] = []
    for (name, bytes) in measurement.files(origin: origin) {
      paths.append(path(name, in: folder))
      try transaction.stage(bytes, at: path(name, in: folder))
    }
    let document = JSONWriter(layout: .compact).text(
      verification.document(folder: options.folderName))
    paths.append(path("report.html", in: folder))
    try transaction.stage(
      verification.report(
        title: options.folderName, preview: recording.preview, document: document,
        measurement: measurement),
      at: path("report.html", in: folder))
    try transaction.removeStale(in: folder) { OutputSet.calibration.contains($0) }
    _ = try transaction.publish()
    return paths
  }
}

/// A lens as it is named on the command line.
enum LensArgument: String, ExpressibleByArgument, CaseIterable {
  case auto
  case appleTable = "apple-table"
  case polynomial
  case spline
  case none

  /// The library's value for this option.
  var choice: CalibrationMeasurement.LensChoice {
    switch self {
    case .auto: .automatic
    case .appleTable: .appleTable
    case .polynomial: .polynomial
    case .spline: .spline
    case .none: .none
    }
  }
}

/// Parameters as they are listed on the command line.
struct FreeArgument {
  let parameters: FreeParameters

  init(parameters: FreeParameters) { self.parameters = parameters }

  /// Reads the list; says what it may hold when it holds something else.
  init(parsing argument: String) throws {
    var parameters: FreeParameters = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "focal": parameters.insert(.focal)
      case "center": parameters.insert(.principalPoint)
      case "aspect": parameters.insert(.aspect)
      case "radial": parameters.formUnion([.radial1, .radial2, .radial3])
      case "tangential": parameters.insert(.tangential)
      default:
        throw ValidationError("name focal, center, aspect, radial or tangential, with commas")
      }
    }
    self.parameters = parameters
  }
}
