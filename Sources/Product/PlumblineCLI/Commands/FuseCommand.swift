import ArgumentParser
import Plumbline
import PlumblineServer

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
      toward the viewer. Control-C ends with the surface of the frames so far. A run that was killed \
      goes on with --resume. Of a live camera the frames that come while one is fused are left out.

        plumbline fuse scan.r3d -o scan.glb
        plumbline fuse head.mcap -o head.ply --head
        plumbline fuse scan.r3d -o scan.ply --report scan.html --write-poses poses.json
        plumbline fuse scan.r3d -o scan.glb --view
        plumbline fuse --source simulated --seconds 10 -o room.ply --view
      """)

  @Argument(
    help: "The recording, or the folder of frames; with --source replay the one to play.",
    completion: .captures)
  var capture: String?

  @OptionGroup var options: AnalysisOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: MeshOutput.help,
    completion: .file(extensions: MeshFormat.allCases.map(\.rawValue)))
  var output: String

  @OptionGroup var fusing: FusingOptions
  @OptionGroup var surface: SurfaceOptions
  @OptionGroup var reporting: ScanReportOptions
  @OptionGroup var running: ScanRunOptions
  @OptionGroup var serving: ServingOptions

  @OptionGroup(title: "Simulated camera") var camera: SimulatedCameraOptions

  @OptionGroup var printing: PrintingOptions<FuseCommand>

  func validate() throws {
    _ = try MeshOutput(output)
    guard (options.frame == nil) == options.knownDistances.isEmpty else {
      throw ValidationError(
        "fuse joins frames: --known-distance tells the scale by one frame, which --frame names.")
    }
    try running.check(
      capture: capture, camera: camera, serving: serving, isJSON: printing.json)
  }

  func run() throws {
    throw try CommandExit.running(capture ?? "fuse") {
      let source = try openedSource()
      let end = ScanEnd()
      let view = running.view ? ScanView(title: source.name) : nil
      let server = try view.map { view in
        var settings = ServerSettings()
        settings.port = serving.port
        return try ServedViewer(
          settings: settings, content: view, page: ScanView.page, opensBrowser: !serving.noOpen
        ).start()
      }
      let journal = ScanJournal(
        besideOutput: output, existing: outputOptions.existing, resumes: running.resume)
      let (scan, written) = try build(source, journal, view, end)
      printing.print(scan.document(fileName: source.name, outputs: written)) {
        StandardOutput.print(
          ScanText(
            scan: scan, outputs: written, usesColor: printing.showsColors,
            columns: TerminalWidth.columns(of: 1)
          ).text)
      }
      if running.resume {
        StandardError.print(
          "plumbline: \(journal.knownCount.counting("frame")) of an earlier run were known")
      }
      Self.printLosses(scan)
      if let view, let server {
        view.finish(scan, notes: written)
        end.waitForNext()
        blocking { () async throws(Never) in await server.stop() }
      }
      return scan.fusedCount < scan.frameCount ? CommandExit.unusableInput : .success
    }
  }

  /// The recording or the camera.
  private func openedSource() throws -> ScanSource {
    guard let capture else {
      let settings = try camera.settings(framesPerSecond: 30)
      return .camera(
        SimulatedDepthCamera(settings), axes: .unknown, name: "simulated \(settings.camera.name)")
    }
    let (found, name) = try CaptureInput.recording(path: capture)
    let recording = try options.applied(to: found, stated.statement)
    guard running.source == .replay else { return .recording(recording, name: name) }
    return .camera(ReplaySource(recording), axes: recording.worldAxes, name: name)
  }

  /// Says what is not in the surface.
  private static func printLosses(_ scan: Scan) {
    for frame in scan.leftOut.prefix(5) {
      StandardError.print(
        "plumbline: frame \(printable(text: frame.name)) is left out: "
          + printable(text: frame.reason))
    }
    if scan.leftOut.count > 5 {
      StandardError.print("plumbline: and \(scan.leftOut.count - 5) more; --json names them")
    }
    if scan.wasStopped {
      StandardError.print("plumbline: stopped before the end; --resume --force goes on")
    }
    guard let live = scan.live else { return }
    if live.droppedCount > 0 {
      StandardError.print(
        "plumbline: \(live.droppedCount.counting("frame")) came while another one was fused")
    }
    if let failure = live.failure { StandardError.print("plumbline: \(printable(text: failure))") }
  }

  private var settings: ScanSettings {
    get throws {
      var settings = fusing.settings
      settings.surface = surface.settings(for: try MeshOutput(output).format)
      settings.measuresConsistency = printing.json || reporting.report != nil
      settings.threads = options.threadCount
      return settings
    }
  }

  /// Fuses until the end, or until Control-C, and writes the surface.
  private func build(
    _ source: ScanSource, _ journal: ScanJournal, _ view: ScanView?, _ end: ScanEnd
  ) throws -> (Scan, written: [String]) {
    var line = ProgressLine(total: 0, isQuiet: printing.quiet || printing.json)
    defer { line.end() }
    let builder = ScanBuilder(try settings, scaleCheck: try reporting.scaleCheck(options))
    let scan: Scan
    do {
      switch source {
      case .recording(let recording, _):
        scan = try builder.build(recording, journal: journal, view: view) { progress in
          if let memory = progress.memory, !printing.quiet, !printing.json {
            line.end()
            StandardError.print("plumbline: " + ScanProgressText.text(of: memory))
          }
          line.show(ScanProgressText(progress).text)
          return !end.isRequested
        }
      case .camera(let camera, let axes, _):
        let (shown, seconds, stop) = (ProgressBox(line), running.seconds, end.stop)
        defer { shown.end() }
        scan = try blocking {
          try await builder.build(
            camera, axes: axes, secondsLimit: seconds, stop: stop, view: view
          ) { shown.show(ScanProgressText($0).text) }
        }
      }
    } catch let error where !(error is OutputError || error is ScanJournalError) {
      // Nothing that an earlier run knows would help a next one.
      journal.remove()
      throw error
    }
    line.show(ScanProgressText(ScanProgress(stage: .writing)).text)
    let written = try write(scan, of: source.name)
    // A later run may go on with the other frames.
    if !scan.wasStopped { journal.remove() }
    return (scan, written)
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
