import ArgumentParser
import Plumbline
import PlumblineServer

struct WatchCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Say when something is too near to a camera, in meters, with its ±.",
    discussion: """
      A thing counts when 10 cm² of it are seen; holes are never taken for free space. It is near \
      where its depth less one sigma is at most --near, and clear again beyond the hysteresis. Why \
      so: Documentation/proximity.md.

        plumbline watch --source simulated --near 0.6 --seconds 10
        plumbline watch scan.r3d --near 0.4 --region 25,25,50,50
        plumbline watch --source replay scan.mcap --bell
        plumbline watch photo.jpg --network fastdepth-nyu

      With --network a network estimates the depth of each image, of a live camera the newest one. It is \
      fitted to sensor depth where there is any; else its meters are told as "about", with the error \
      that was published for the model. A model without a scale that is fitted to nothing is refused.

      Each line is one change or one signal; with --json each is a document of its own (schema \
      plumbline.watch/1), the last one with "event": "end". Control-C ends it.
      """)

  static let jsonHelp =
    "Print one JSON document a line (schema plumbline.watch/1) instead of text."

  @Argument(
    help: "A capture or a recording; with --source replay the recording to play.",
    completion: .captures)
  var capture: String?

  @Option(help: "A live camera: simulated or replay. A recording without it is read at once.")
  var source: RecordSourceKind?

  @Option(help: "What is too near, in meters along the optical axis.")
  var near = 0.5

  @Option(help: "How much farther it must be to be clear again, in meters; a tenth of --near.")
  var hysteresis: Double?

  @Option(help: "The least time between two signals, in seconds.")
  var interval = 1.0

  @Option(help: "How many frames in a row must agree.")
  var confirm = 2

  @Option(
    help: ArgumentHelp(
      "The part of the image as shown that counts, in percent: left, top, width, height.",
      valueName: "X,Y,W,H"),
    transform: PercentRegionArgument.init(parsing:))
  var region: PercentRegionArgument?

  @Option(help: "Stop after so many frames.")
  var frames: Int?

  @Option(help: "Stop after so many seconds of the frames' own clock.")
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Estimate the depth by this network: the name of an installed one, or a file.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["onnx", "tflite"]))
  var network: String?

  @Option(help: ModelOptions.cardHelp, completion: .file(extensions: ["json"]))
  var card: String?

  @OptionGroup var threads: ThreadOptions

  @Flag(help: "Ring the terminal's bell at each signal.")
  var bell = false

  @OptionGroup(title: "Simulated camera") var camera: SimulatedCameraOptions

  @OptionGroup var printing: PrintingOptions<WatchCommand>

  func validate() throws {
    func require(_ value: Double?, _ name: String, orZero: Bool = false) throws {
      guard let value, !(value > 0 && value <= 1000 || orZero && value == 0) else { return }
      let bound = orZero ? "at least 0" : "above 0"
      throw ValidationError("\(name) must be \(bound) and at most 1000, not \(value).")
    }
    try require(near, "--near")
    try require(hysteresis, "--hysteresis", orZero: true)
    try require(interval, "--interval", orZero: true)
    try require(seconds, "--seconds")
    if let frames, frames < 1 { throw ValidationError("At least one frame, not \(frames).") }
    guard (1...1000).contains(confirm) else {
      throw ValidationError("--confirm takes 1 to 1000 frames, not \(confirm).")
    }
    guard (capture == nil) == (source == .simulated) else {
      throw ValidationError(
        capture == nil
          ? "Name a capture, or a camera with --source." : "A simulated camera plays no recording.")
    }
    guard card == nil || network != nil else {
      throw ValidationError("--card is for a file that --network names.")
    }
    if source == .simulated {
      try camera.check()
    } else if camera.isGiven {
      throw ValidationError("--fps and what follows it are for --source simulated.")
    }
  }

  func run() throws {
    throw try CommandExit.running(capture ?? "watch") {
      let watch = ProximityWatch(
        ProximityAlert(
          nearMeters: near, hysteresisMeters: hysteresis, leastIntervalSeconds: interval,
          confirmingFrames: confirm),
        region: region?.region ?? .whole)
      let printer = ProximityPrinter(
        watch, frameLimit: frames, secondsLimit: seconds, isJSON: printing.json,
        isQuiet: printing.quiet, bell: bell)
      let estimator = try network.map {
        CaptureEstimator(
          try ModelChoice(model: $0, card: card)
            .estimator(of: ModelOptions.store(), threads: threads.count))
      }
      if let estimator, source != nil { return try run(live: printer, by: estimator) }
      if let estimator, let capture, case .file(let file) = try CaptureInput(path: capture) {
        let result = try estimator.estimate(.file(file), threads: threads.count)
        let events = StillCapture(result.before.capture, frames: confirm).events()
        return try blocking { try await printer.printAlerts(of: events) { _ in result } }
      }
      let events = try preparedSource().events()
      let signals = SignalTrap { events.stop() }
      defer { signals.cancel() }
      return try blocking {
        guard let estimator else { return try await printer.printAlerts(of: events) }
        return try await printer.printAlerts(of: events) { capture in
          try estimator.estimate(CaptureAnalyzer().analyze(capture, fileName: "frame"))
        }
      }
    }
  }

  /// Watches the latest frames of a live camera, as fast as the network estimates them.
  private func run(
    live printer: ProximityPrinter, by estimator: CaptureEstimator
  ) throws -> ExitCode {
    let live = LiveEstimation(
      try preparedSource(), by: estimator, frameLimit: frames, secondsLimit: seconds)
    let stop = RecordingStop()
    let signals = SignalTrap { stop.request() }
    defer { signals.cancel() }
    return try blocking { try await printer.printAlerts(of: live, stop: stop) }
  }

  private func preparedSource() throws -> any DepthCameraSource {
    guard let capture else {
      return SimulatedDepthCamera(try camera.settings(framesPerSecond: 30), pace: .live(speed: 1))
    }
    let pace = source == .replay ? FramePace.live(speed: 1) : .asFastAsPossible
    switch try CaptureInput(path: capture) {
    case .recording(let recording, _) where recording.frames.count == 1 && source == nil:
      // Nothing moves in it, so the alert is as sure of it as of a photo.
      return StillCapture(try recording.capture(at: 0, color: .none), frames: confirm)
    case .recording(let recording, _): return ReplaySource(recording, pace: pace)
    case .file(let file):
      guard source == nil else { throw InputError.notARecording(path: capture) }
      let still = try CaptureReader(color: .none).capture(from: file.bytes)
      guard still.depth != nil else {
        throw CaptureReadingError(
          .missing, expected: "a depth map, or --network to estimate one", found: "none")
      }
      return StillCapture(still, frames: confirm)
    }
  }
}

/// One capture as a camera that stands still for as long as an alert takes to be sure.
private struct StillCapture: DepthCameraSource {
  let capture: Capture
  let frames: Int

  init(_ capture: Capture, frames: Int) {
    self.capture = capture
    self.frames = frames
  }

  func events() -> DepthCameraEvents {
    DepthCameraEvents { buffer throws(DepthCameraError) in
      for _ in 0..<frames where await buffer.send(.capture(capture)) == false { return }
    }
  }
}

/// A part of the image as shown, as it is written on the command line: `25,25,50,50`, in percent.
struct PercentRegionArgument {
  let region: ProximityWatch.Region

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) ?? .nan }
    guard numbers.count == 4, numbers.allSatisfy({ (0...100).contains($0) }), numbers[2] > 0,
      numbers[3] > 0, numbers[0] + numbers[2] <= 100, numbers[1] + numbers[3] <= 100
    else {
      throw ValidationError(
        "write left, top, width and height in percent of the image, as in 25,25,50,50")
    }
    region = ProximityWatch.Region(
      x: numbers[0] / 100, y: numbers[1] / 100, width: numbers[2] / 100, height: numbers[3] / 100)
  }
}
