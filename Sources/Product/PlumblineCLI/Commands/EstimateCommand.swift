import ArgumentParser
import Plumbline
import Synchronization

struct EstimateCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "estimate",
    abstract: "Estimate depth from one image, and fit it to what was measured.",
    discussion: """
      An estimate is no measurement: its verdict is relative unless it is fitted to sensor depth, to \
      distances that you measured or to a board, and then it says to which and what is left.

        plumbline estimate photo.heic -o depth
        plumbline estimate photo.jpg --known-distance 380,420=0.41 --known-distance 900,200=2.6 \
      --known-distance 1500,640=3.9 -o depth
        plumbline estimate scan.r3d --fit-to sensor --fill -o filled
        plumbline estimate --source simulated --seconds 5 -o live

      On the image's own grid, into the folder -o:

        depth.npy          meters (NaN = missing); without a fit, as the model estimates them
        relative.npy       instead of it, the numbers of a model without a scale
        sigma.npy          one standard deviation of each depth, meters; of a fit
        filled.npy         with --fill: the sensor's depth, its holes filled; also -sigma and \
      invented.png
        residual.npy       estimate minus measured depth, meters, on the grid of what was measured \
      (NaN = not measured); of a fit, with -sigma.npy, -colors.png and its scale -colors.svg
        depth-colors.png   an image of the depth
        capture.mcap       the result as every other verb takes it
        estimate.json      what was done (schema plumbline.estimate/1)

      Exit code 0: done, whatever the verdict, which the text and the document say. 66: no runtime or \
      no such model is installed; the message names what installs it.
      """)

  @Argument(
    help: "The photo, recording or folder of frames; none with --source.",
    completion: .captures)
  var capture: String?

  @Option(help: ArgumentHelp("A live camera instead: simulated.", valueName: "SOURCE"))
  var source: EstimateSource?

  @OptionGroup(title: "Network") var model: ModelOptions

  @Option(
    help: ArgumentHelp(
      "What the estimate is fitted to of the capture's own depth: auto, sensor or none.",
      discussion:
        "auto fits to it where it is in meters and nothing else is given; sensor insists.",
      valueName: "USE"),
    transform: EstimateRequest.SensorUse.init(parsing:))
  var fitTo = EstimateRequest.SensorUse.auto

  @Option(
    name: .customLong("known-distance"),
    help: ArgumentHelp(
      "A distance that you measured; give two or more.", discussion: NamedPixel.words,
      valueName: "X,Y=METERS"),
    transform: MeasuredDistance.init(parsing:))
  var knownDistances: [MeasuredDistance] = []

  @Option(
    help: ArgumentHelp(
      "A board in the image to fit to, in one line or as board.json.", valueName: "BOARD"))
  var board: String?

  @Option(
    help: ArgumentHelp(
      "What is free in the fit: scale or scaleAndShift; what suits the model unless given.",
      valueName: "SHAPE"), transform: EstimateFit.Shape.init(parsing:))
  var shape: EstimateFit.Shape?

  @Flag(help: "Draw edges where the image has them.")
  var sharpen = false

  @Flag(help: "Fill the holes of the sensor's depth, marked as invented, instead of replacing it.")
  var fill = false

  @OptionGroup var image: ImageOptions

  @Option(help: "Of a live camera: stop after so many estimated frames.")
  var frames: Int?

  @Option(help: "Of a live camera: stop after so many seconds of its own clock.")
  var seconds: Double?

  @Option(
    name: .output,
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var outputOptions: OutputOptions
  @OptionGroup(title: "Simulated camera") var camera: SimulatedCameraOptions

  @OptionGroup var printing: PrintingOptions<EstimateCommand>

  func validate() throws {
    guard (capture == nil) != (source == nil) else {
      throw ValidationError("Name a capture, or a live camera with --source.")
    }
    guard knownDistances.isEmpty || board == nil else {
      throw ValidationError("Give known distances or a board, not both.")
    }
    if let frames, frames < 1 { throw ValidationError("At least one frame, not \(frames).") }
    if let seconds, !(seconds > 0 && seconds.isFinite) {
      throw ValidationError("The seconds must be above 0, not \(seconds).")
    }
    if source == nil {
      guard frames == nil, seconds == nil, !camera.isGiven else {
        throw ValidationError("--frames, --seconds, --fps and such are for --source simulated.")
      }
    } else {
      guard image.frame == nil, image.calibration == nil, knownDistances.isEmpty else {
        throw ValidationError("--frame, --calibration and distances are for a capture.")
      }
      try camera.check()
    }
  }

  func run() throws {
    throw try CommandExit.running(capture ?? "camera") {
      let request = try request
      let writer = EstimateWriter(
        estimator: CaptureEstimator(
          try model.estimator(threads: threads.count), request: request,
          calibration: try image.givenCalibration),
        threads: threads.count, output: output, existing: outputOptions.existing,
        isJSON: printing.json, isQuiet: printing.quiet)
      guard let capture else {
        return try writer.write(
          live: SimulatedDepthCamera(camera.settings(framesPerSecond: 30)), frames: frames,
          seconds: seconds)
      }
      let input = try CaptureInput(argument: capture)
      if case .file = input, image.frame != nil { throw FrameOptionError.notAFolder }
      if case .recording(let recording, let name) = input, image.frame == nil {
        guard knownDistances.isEmpty else { throw FrameOptionError.distancesWithoutFrame }
        return try writer.write(recording, name: name)
      }
      return try writer.write(input, frame: image.frame)
    }
  }

  private var request: EstimateRequest {
    get throws {
      var request = EstimateRequest()
      request.sensorUse = fitTo
      request.measuredDistances = knownDistances
      request.board = try board.map { try BoardArgument(text: $0).board() }
      request.shape = shape
      request.isSharpened = sharpen
      request.fillsHoles = fill
      return request
    }
  }
}

/// The live cameras whose images are estimated.
enum EstimateSource: String, ExpressibleByArgument, CaseIterable {
  case simulated
}
