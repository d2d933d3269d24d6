import ArgumentParser
import Plumbline

struct RecordCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a simulated camera, or a recording played again, as a live one would be.",
    discussion: """
      Writes MCAP that survives a crash: FILE.partial grows until the end, each second is synced, \
      and Control-C ends the recording well. A live camera does not wait: what the writer is too \
      slow for is counted as dropped.

        plumbline record --source simulated --seconds 10 -o try.mcap
        plumbline record --source simulated --drops lateData=0.02 -o late.mcap
        plumbline record --source simulated --thermal 3=serious -o hot.mcap
        plumbline record --source replay scan.r3d --pace fast -o again.mcap
      """)

  @Option(help: "What is recorded: simulated or replay.")
  var source: RecordSourceKind

  @Argument(
    help: "The recording to play, for --source replay.",
    completion: .file(extensions: ["r3d", "zip", "mcap", "bag"]))
  var recording: String?

  @Option(
    name: .output, help: "The MCAP file to write.",
    completion: .file(extensions: ["mcap"]))
  var output: String

  @Option(help: "Stop after so many frames.")
  var frames: Int?

  @Option(help: "Stop after so many seconds of the frames' own clock.")
  var seconds: Double?

  @Option(help: "live: at the camera's speed; fast: as fast as possible, nothing is lost.")
  var pace: RecordPace = .live

  @Option(help: "How color is stored: jpeg, png or raw.")
  var videoCodec: RecordColor = .jpeg

  @OptionGroup(title: "Simulated camera") var camera: SimulatedCameraOptions

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<RecordCommand>

  func validate() throws {
    if let frames, frames < 1 { throw ValidationError("At least one frame, not \(frames).") }
    if let seconds, !(seconds > 0 && seconds.isFinite) {
      throw ValidationError("The seconds must be above 0, not \(seconds).")
    }
    guard (recording != nil) == (source == .replay) else {
      throw ValidationError(
        source == .replay ? "Name the recording to play." : "A simulated camera plays no recording."
      )
    }
    if source == .simulated {
      try camera.check()
    } else if camera.isGiven {
      throw ValidationError("--fps and what follows it are for --source simulated.")
    }
  }

  func run() throws {
    throw try CommandExit.running(recording ?? output) {
      let (source, header, name) = try preparedSource()
      let recorder = MCAPFileRecorder(
        source, header: header, options: videoCodec.options,
        limits: RecordingLimits(frames: frames, seconds: seconds))
      let stop = RecordingStop()
      let signals = SignalTrap { stop.request() }
      let line = RecordLine(isQuiet: printing.quiet || printing.json)
      line.begin()
      defer { line.end() }
      let outcome = try recorder.recordAndWait(
        into: output, existing: outputOptions.existing, stop: stop
      ) {
        line.show($0)
      }
      signals.cancel()
      line.end()
      printing.print(outcome.document(source: name, output: output)) {
        guard outcome.statistics.writtenFrames > 0 else { return }
        StandardOutput.print(RecordText(outcome: outcome, output: output).text)
      }
      return status(of: outcome)
    }
  }

  private func preparedSource() throws -> (any DepthCameraSource, RecordingHeader, String) {
    if let recording {
      let (frames, name) = try CaptureInput.recording(path: recording)
      return (
        ReplaySource(frames, pace: pace.framePace),
        RecordingHeader(
          worldAxes: frames.worldAxes,
          origin: "\(PlumblineVersion.text) record, \(name) (\(frames.layout))"),
        recording
      )
    }
    let settings = try camera.settings()
    return (
      SimulatedDepthCamera(settings, pace: pace.framePace),
      RecordingHeader(
        worldAxes: .unknown,
        origin: "\(PlumblineVersion.text) record, simulated \(settings.camera.name)"),
      "simulated"
    )
  }

  /// What could not be written or read is said once more on standard error.
  private func status(of outcome: RecordingOutcome) -> ExitCode {
    switch outcome.ending {
    case .sourceEnded, .limit, .stopped, .tooWarm:
      guard outcome.statistics.writtenFrames == 0 else { return .success }
      let refusal = outcome.firstRefusal.map { ": \($0)" } ?? ""
      StandardError.print(
        "plumbline: no frame was recorded, and no file is left\(printable(text: refusal))")
      return CommandExit.unusableInput
    case .cameraFailed(let error):
      StandardError.print("plumbline: \(printable(text: "\(error)"))")
      return source == .replay ? CommandExit.unusableInput : CommandExit.inputOutput
    case .writingFailed(let error):
      StandardError.print("plumbline: \(printable(text: "\(error)"))")
      return CommandExit.code(of: error)
    }
  }
}

/// The camera whose frames are recorded: a simulated one, or a recording played again.
enum RecordSourceKind: String, ExpressibleByArgument, CaseIterable {
  case simulated, replay
}

/// How fast frames come: at the camera's own speed, or as fast as they are written.
enum RecordPace: String, ExpressibleByArgument, CaseIterable {
  case live, fast

  var framePace: FramePace { self == .live ? .live(speed: 1) : .asFastAsPossible }
}

/// The encoding of stored color.
enum RecordColor: String, ExpressibleByArgument, CaseIterable {
  case jpeg, png, raw

  var options: MCAPRecordingOptions {
    var options = MCAPRecordingOptions()
    switch self {
    case .jpeg: break
    case .png: options.color = .png
    case .raw: options.color = .raw
    }
    return options
  }
}
