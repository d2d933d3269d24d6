import ArgumentParser
import Plumbline

struct FuseCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse",
    abstract:
      "Make a recording one surface, with the ± of each vertex: GLB, OBJ, PLY, USDZ or STL.",
    discussion: """
      Each frame is corrected and rectified, registered to what is fused so far (from its recorded pose, \
      where there is one), and fused with the weight of its noise. Frames that do not fit are left out \
      and named. Where tracking is lost for long a new surface begins, written as NAME-2 and so on. Where the \
      path comes back to a place, its drift is taken out, and the frames are fused again. Small parts are \
      removed; holes stay open unless they are to be closed. GLB, OBJ and USDZ get a texture of the \
      photos; vertices of PLY have colors and the ± that measure counts with.

      Unit: meters. Frame: that of the recorded poses, else of the first camera; GLB and USDZ: y up, z \
      toward the viewer. Control-C ends with the surface of the frames so far.

        plumbline fuse scan.r3d -o scan.glb
        plumbline fuse head.mcap -o head.ply --head
        plumbline fuse scan.r3d -o scan.ply --report scan.html --write-poses poses.json
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: MeshOutput.help,
    completion: .file(extensions: MeshFormat.allCases.map(\.rawValue)))
  var output: String

  @Flag(help: "What is scanned; by default the depths decide how finely.")
  var subject: ScanSubjectFlag?

  @Option(
    help: ArgumentHelp(
      "The side of a voxel; by default what noise and range of the depths ask for.",
      valueName: "METERS"))
  var voxel: Double?

  @Option(help: ArgumentHelp("Use every N-th frame; 1 by default.", valueName: "N"))
  var every: Int?

  @Option(
    name: .customLong("max-depth"),
    help: ArgumentHelp("Ignore pixels that are farther away.", valueName: "METERS"))
  var maximumDepth: Double?

  @Flag(
    name: .customLong("recorded-poses"),
    help: "Fuse at the recorded poses, without refining them.")
  var recordedPoses = false

  @Flag(
    name: .customLong("no-loops"),
    help: "Do not look for places that were seen again; the surface stays as it was tracked.")
  var noLoops = false

  @OptionGroup var surface: SurfaceOptions

  @Flag(
    name: .customLong("ignore-poses"),
    help: "Register frames by their depths alone, as if no pose were recorded.")
  var ignoresPoses = false

  @OptionGroup var reporting: ScanReportOptions

  @OptionGroup var printing: PrintingOptions<FuseCommand>

  func validate() throws {
    _ = try MeshOutput(output)
    guard (options.frame == nil) == options.knownDistances.isEmpty else {
      throw ValidationError(
        "fuse joins frames: --known-distance tells the scale by one frame, which --frame names.")
    }
    guard !(recordedPoses && ignoresPoses) else {
      throw ValidationError("--recorded-poses and --ignore-poses contradict each other.")
    }
    if let every, every < 1 { throw ValidationError("--every is 1 or more, not \(every).") }
    if let voxel, !(0.0005...1).contains(voxel) {
      throw ValidationError("--voxel is 0.0005 to 1 meters, not \(voxel).")
    }
    if let maximumDepth, !(0.05...100).contains(maximumDepth) {
      throw ValidationError("--max-depth is 0.05 to 100 meters, not \(maximumDepth).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let (found, name) = try CaptureInput.recording(path: options.capture)
      let stating = stated.statement.map { found.stating($0) } ?? found
      let recording = try options.replacement().map { stating.calibrated(by: $0) } ?? stating
      let scan = try build(recording, settings)
      let written = try write(scan, of: name)
      printing.print(scan.document(fileName: name, outputs: written)) {
        StandardOutput.print(
          ScanText(
            scan: scan, outputs: written, usesColor: printing.showsColors,
            columns: TerminalWidth.columns(of: 1)
          ).text)
      }
      for frame in scan.leftOut.prefix(5) {
        StandardError.print(
          "plumbline: frame \(printable(text: frame.name)) is left out: "
            + printable(text: frame.reason))
      }
      if scan.leftOut.count > 5 {
        StandardError.print("plumbline: and \(scan.leftOut.count - 5) more; --json names them")
      }
      return scan.fusedCount < scan.frameCount ? CommandExit.unusableInput : .success
    }
  }

  private var settings: ScanSettings {
    get throws {
      var settings = ScanSettings()
      settings.surface = surface.settings(for: try MeshOutput(output).format)
      settings.subject = subject?.subject
      settings.voxelMeters = voxel
      settings.maximumDepthMeters = maximumDepth
      settings.step = every ?? 1
      settings.refinesPoses = !recordedPoses
      settings.ignoresRecordedPoses = ignoresPoses
      settings.closesLoops = !noLoops
      settings.measuresConsistency = printing.json
      settings.threads = options.threadCount
      return settings
    }
  }

  /// Fuses until the end, or until Control-C.
  private func build(_ recording: Recording, _ settings: ScanSettings) throws -> Scan {
    let stop = Occurrence()
    let trap = SignalTrap { _ = stop.wasSet() }
    defer { trap.cancel() }
    var line = ProgressLine(
      total: recording.frameNames.count / (every ?? 1), isQuiet: printing.quiet || printing.json)
    defer { line.end() }
    var builder = ScanBuilder(settings)
    builder.scaleCheck = try reporting.scaleCheck(options)
    return try builder.build(recording) { progress in
      line.begin(progress.doneCount)
      return !stop.isSet
    }
  }

  /// Writes the surface, and further ones beside it.
  private func write(_ scan: Scan, of recording: String) throws -> [String] {
    let place = try MeshOutput(output)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    for (index, fragment) in scan.fragments.enumerated() {
      let isFirst = index == 0
      let name = isFirst ? place.name : "\(place.name)-\(index + 1)"
      for file in try scan.files(of: fragment, as: place.format, name: name) {
        try transaction.stage(file.bytes, at: place.path(of: file, isRequested: isFirst))
      }
    }
    try reporting.stage(scan, name: recording, in: &transaction)
    return try transaction.publish()
  }
}

/// What is scanned, as a flag.
enum ScanSubjectFlag: String, EnumerableFlag {
  case object
  case room
  case head

  /// The same for the library.
  var subject: ScanSettings.Subject {
    switch self {
    case .object: .object
    case .room: .room
    case .head: .head
    }
  }

  static func help(for value: ScanSubjectFlag) -> ArgumentHelp? {
    switch value {
    case .object: "An object seen from all sides: depths up to 1.5 m."
    case .room: "A room or anything larger: all depths, as without a flag."
    case .head: "A head: depths up to 0.8 m."
    }
  }
}
