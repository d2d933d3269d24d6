import ArgumentParser
import Plumbline

struct MeasureCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measure in a capture: points, lengths, angles, planes, boxes, heights, volumes.",
    discussion: """
      X,Y is a pixel of the photo as it is shown; depth:X,Y one of the depth map as stored. Each \
      number has its ± (one standard deviation) with its parts: sensor, what each pixel has for \
      itself; calibration, the camera's; scale, what all depths share.

        plumbline measure photo.heic --distance 812,1304:1630,1290
        plumbline measure photo.heic --plane 400,900,600x500 --height 700,300:400,900,600x500
        plumbline measure scan.r3d --frame 12 --box 300,200,700x600 -o box.png
        plumbline measure still.mcap --distance depth:60,90:depth:180,95 --repeat
        plumbline measure cloud.ply --distance 0.12,-0.4,1.5:0.31,-0.4,1.52

      In a PLY cloud X,Y,Z is a place in meters in its frame, and the nearest point is taken; an area is a \
      box X,Y,Z,WxHxD.

      The exit code is 0 when all was measured and can be believed, and 1 when something cannot: a \
      relative map has no lengths, a pixel without depth has none either. How the numbers are found: \
      Documentation/measure.md.
      """)

  static let quietHelp = "Print nothing but errors; the exit code tells whether all is believable."

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions

  @Option(
    name: .customLong("point"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The position of a point.", valueName: "X,Y"),
    transform: { try PlaceListArgument(parsing: $0, count: 1) })
  var points: [PlaceListArgument] = []

  @Option(
    name: .customLong("distance"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The length between two points.", valueName: "X,Y:X,Y"),
    transform: { try PlaceListArgument(parsing: $0, count: 2) })
  var distances: [PlaceListArgument] = []

  @Option(
    name: .customLong("angle"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The angle at the second of three points.", valueName: "X,Y:X,Y:X,Y"),
    transform: { try PlaceListArgument(parsing: $0, count: 3) })
  var angles: [PlaceListArgument] = []

  @Option(
    name: .customLong("plane"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The plane of a rectangle: distance, tilt, flatness, normal.", valueName: "X,Y,WxH"),
    transform: AreaArgument.init(parsing:))
  var planes: [AreaArgument] = []

  @Option(
    name: .customLong("box"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The box that stands on the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: AreaArgument.init(parsing:))
  var boxes: [AreaArgument] = []

  @Option(
    name: .customLong("height"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The distance of a point from the plane of a rectangle.", valueName: "X,Y:X,Y,WxH"),
    transform: HeightArgument.init(parsing:))
  var heights: [HeightArgument] = []

  @Option(
    name: .customLong("volume"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The volume above the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: AreaArgument.init(parsing:))
  var volumes: [AreaArgument] = []

  @Flag(
    name: .customLong("repeat"),
    help: "Measure in every frame of a still recording: the scatter beside the ±.")
  var repeats = false

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output, help: "An image of where was measured to write, a PNG.",
    completion: .file(extensions: ["png"]))
  var output: String?

  @OptionGroup var printing: PrintingOptions<MeasureCommand>

  func validate() throws {
    let requests = try MeasurementRequests(pixelRequests, pointRequests)
    guard requests.count > 0 else {
      throw ValidationError(
        "Say what to measure: --point, --distance, --angle, --plane, --box, --height or --volume.")
    }
    guard requests.count <= 1000 else {
      throw ValidationError("At most 1000 measurements at a time, not \(requests.count).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let input = try options.input()
      if case .file(let file) = input, try MeasurableCloudReader().recognizes(file.bytes) {
        return try measureCloud(file)
      }
      guard case .pixels(let requests) = try MeasurementRequests(pixelRequests, pointRequests)
      else { throw MeasuredInputError.pointsOfCapture }
      return try measure(requests, in: input)
    }
  }

  /// Measures in points of a cloud.
  private func measureCloud(_ file: InputFile) throws -> ExitCode {
    guard case .points(let requests) = try MeasurementRequests(pixelRequests, pointRequests) else {
      throw MeasuredInputError.pixelsOfCloud
    }
    let others = [
      ("--repeat", repeats, "it has no frames"), ("-o", output != nil, "it has no image"),
      (
        "--known-distance", !options.knownDistances.isEmpty,
        "make the map metric and write the cloud again"
      ),
      (
        "--calibration", options.calibration != nil,
        "its points are where the calibration of their map put them"
      ),
    ]
    for (option, isGiven, reason) in others where isGiven {
      throw MeasuredInputError.optionOfCapture(option, reason: reason)
    }
    let cloud = try MeasurableCloudReader(statement: stated.statement)
      .cloud(of: file)
    let result = CloudMeasurer(cloud).measure(requests)
    printing.print(result.document(of: cloud)) {
      for measurement in result.measurements {
        StandardOutput.print(MeasurementText(measurement, frame: cloud.frame).line)
      }
    }
    return result.isBelievable ? .success : CommandExit.notMeasurable
  }

  /// Measures at pixels of a capture.
  private func measure(
    _ requests: [MeasurementRequest], in input: CaptureInput
  ) throws -> ExitCode {
    let analysis = try options.analysis(
      of: input, color: output == nil ? .none : .full, statement: stated.statement)
    var result = try CaptureMeasurer(analysis).measure(requests)
    if repeats { result = try scattered(result, requests) }
    var written: String?
    if let output, let image = MeasurementImage.image(of: analysis, requests) {
      var transaction = OutputTransaction(existing: outputOptions.existing)
      try transaction.stage(PNGEncoder().encoded(image), at: output)
      _ = try transaction.publish()
      written = output
    }
    printing.print(result.document(of: analysis, image: written)) {
      for measurement in result.measurements {
        StandardOutput.print(MeasurementText(measurement).line)
      }
      if let written { StandardOutput.print(printable(text: written)) }
    }
    return result.isBelievable ? .success : CommandExit.notMeasurable
  }

  private func scattered(
    _ result: MeasurementResult, _ requests: [MeasurementRequest]
  ) throws -> MeasurementResult {
    let (recording, name) = try CaptureInput.recording(path: options.capture)
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: printing.quiet)
    defer { progress.end() }
    var analyzer = try options.analyzer(color: .none)
    analyzer.statement = stated.statement
    return try RepeatedMeasurement(requests).scattered(
      over: recording, result, by: analyzer, named: name
    ) { progress.begin($0) }
  }
}
