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

      The exit code is 0 when all was measured and can be believed, and 1 when something cannot: a \
      relative map has no lengths, a pixel without depth has none either. How the numbers are found: \
      Documentation/measure.md.
      """)

  static let quietHelp = "Print nothing but errors; the exit code tells whether all is believable."

  @OptionGroup var options: CaptureOptions

  @Option(
    name: .customLong("point"),
    help: ArgumentHelp("The position of a point.", valueName: "X,Y"),
    transform: { try PixelListArgument(parsing: $0, count: 1) })
  var points: [PixelListArgument] = []

  @Option(
    name: .customLong("distance"),
    help: ArgumentHelp("The length between two points.", valueName: "X,Y:X,Y"),
    transform: { try PixelListArgument(parsing: $0, count: 2) })
  var distances: [PixelListArgument] = []

  @Option(
    name: .customLong("angle"),
    help: ArgumentHelp("The angle at the second of three points.", valueName: "X,Y:X,Y:X,Y"),
    transform: { try PixelListArgument(parsing: $0, count: 3) })
  var angles: [PixelListArgument] = []

  @Option(
    name: .customLong("plane"),
    help: ArgumentHelp(
      "The plane of a rectangle: distance, tilt, flatness, normal.", valueName: "X,Y,WxH"),
    transform: RectangleArgument.init(parsing:))
  var planes: [RectangleArgument] = []

  @Option(
    name: .customLong("box"),
    help: ArgumentHelp(
      "The box that stands on the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: RectangleArgument.init(parsing:))
  var boxes: [RectangleArgument] = []

  @Option(
    name: .customLong("height"),
    help: ArgumentHelp(
      "The distance of a point from the plane of a rectangle.", valueName: "X,Y:X,Y,WxH"),
    transform: HeightArgument.init(parsing:))
  var heights: [HeightArgument] = []

  @Option(
    name: .customLong("volume"),
    help: ArgumentHelp(
      "The volume above the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: RectangleArgument.init(parsing:))
  var volumes: [RectangleArgument] = []

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
    guard !requests.isEmpty else {
      throw ValidationError(
        "Say what to measure: --point, --distance, --angle, --plane, --box, --height or --volume.")
    }
    guard requests.count <= 1000 else {
      throw ValidationError("At most 1000 measurements at a time, not \(requests.count).")
    }
  }

  /// What is to be measured, kind by kind.
  private var requests: [MeasurementRequest] {
    points.map { .point($0.pixels[0]) }
      + distances.map { .distance($0.pixels[0], $0.pixels[1]) }
      + angles.map { .angle($0.pixels[0], $0.pixels[1], $0.pixels[2]) }
      + planes.map { .plane($0.rectangle) } + boxes.map { .box($0.rectangle) }
      + heights.map(\.request) + volumes.map { .volume($0.rectangle) }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let analysis = try options.analysis(color: output == nil ? .none : .full)
      var result = try CaptureMeasurer(analysis).measure(requests)
      if repeats { result = try scattered(result) }
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
  }

  private func scattered(_ result: MeasurementResult) throws -> MeasurementResult {
    let (recording, name) = try CaptureInput.recording(path: options.capture)
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: printing.quiet)
    defer { progress.end() }
    return try RepeatedMeasurement(requests).scattered(
      over: recording, result, by: options.analyzer(color: .none), named: name
    ) { progress.begin($0) }
  }
}
