import ArgumentParser
import Plumbline

struct MeasureCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract:
      "Measure in a capture, a cloud or a mesh: lengths, angles, planes, boxes, volumes, rooms.",
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
      box X,Y,Z,WxHxD, or all. A mesh (PLY, GLB, OBJ, STL) also has boxes, enclosed volumes, areas, \
      sections and rooms:

        plumbline measure object.ply --volume all --area all --section z=0.12
        plumbline measure room.ply --floor-plan -o plan.svg

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
    transform: MeasurementKind.point.request(parsing:))
  var points: [PlacedRequest] = []

  @Option(
    name: .customLong("distance"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The length between two points.", valueName: "X,Y:X,Y"),
    transform: MeasurementKind.distance.request(parsing:))
  var distances: [PlacedRequest] = []

  @Option(
    name: .customLong("angle"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The angle at the second of three points.", valueName: "X,Y:X,Y:X,Y"),
    transform: MeasurementKind.angle.request(parsing:))
  var angles: [PlacedRequest] = []

  @Option(
    name: .customLong("plane"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The plane of a rectangle: distance, tilt, flatness, normal.", valueName: "X,Y,WxH"),
    transform: MeasurementKind.plane.request(parsing:))
  var planes: [PlacedRequest] = []

  @Option(
    name: .customLong("box"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The box that stands on the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: MeasurementKind.box.request(parsing:))
  var boxes: [PlacedRequest] = []

  @Option(
    name: .customLong("height"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The distance of a point from the plane of a rectangle.", valueName: "X,Y:X,Y,WxH"),
    transform: MeasurementKind.height.request(parsing:))
  var heights: [PlacedRequest] = []

  @Option(
    name: .customLong("volume"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The volume above the plane of a rectangle's border.", valueName: "X,Y,WxH"),
    transform: MeasurementKind.volume.request(parsing:))
  var volumes: [PlacedRequest] = []

  @Option(
    name: .customLong("area"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The area of a mesh in a box, or all of it.", valueName: "X,Y,Z,WxHxD|all"),
    transform: MeasurementKind.area.request(parsing:))
  var areas: [PlacedRequest] = []

  @Option(
    name: .customLong("section"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Where a plane cuts a mesh: across an axis, or by a point and a normal.",
      valueName: "y=METERS|X,Y,Z:NX,NY,NZ"),
    transform: MeasurementKind.section.request(parsing:))
  var sections: [PlacedRequest] = []

  @Flag(
    name: .customLong("floor-plan"),
    help: "The rooms of a mesh: walls, areas, the ceiling; with -o a drawing, .svg or .dxf.")
  var hasFloorPlan = false

  @Option(
    help: ArgumentHelp(
      "How far above the floor its walls are cut, 0.1 to 10; 1.2 unless given.",
      valueName: "METERS"))
  var sectionHeight: Double?

  @Flag(
    name: .customLong("repeat"),
    help: "Measure in every frame of a still recording: the scatter beside the ±.")
  var repeats = false

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help:
      "An image of where was measured to write, a PNG; of a floor plan the drawing, SVG or DXF.",
    completion: .file(extensions: ["png", "svg", "dxf"]))
  var output: String?

  @OptionGroup var printing: PrintingOptions<MeasureCommand>

  func validate() throws {
    let requests: MeasurementRequests
    do throws(SettingTextError) { requests = try self.requests } catch {
      throw ValidationError("\(error)")
    }
    guard requests.count > 0 || hasFloorPlan else {
      throw ValidationError(
        "Say what to measure: --point, --distance, --angle, --plane, --box, --height or --volume; of a "
          + "mesh also --area, --section or --floor-plan.")
    }
    if let sectionHeight, !MeasuredFloorPlan.heightsMeters.contains(sectionHeight) {
      throw ValidationError("The height of the section must be 0.1 to 10 m, not \(sectionHeight).")
    }
    guard sectionHeight == nil || hasFloorPlan else {
      throw ValidationError("--section-height is that of --floor-plan.")
    }
    guard requests.count <= MeasurementRequests.maximumCount else {
      throw ValidationError(
        "At most \(MeasurementRequests.maximumCount) measurements at a time, not \(requests.count)."
      )
    }
  }

  /// What is to be measured, kind by kind.
  private var requests: MeasurementRequests {
    get throws(SettingTextError) {
      try MeasurementRequests(
        points + distances + angles + planes + boxes + heights + volumes + areas + sections)
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let input = try options.input()
      if case .file(let file) = input,
        try MeasurableCloudReader().recognizes(file.bytes, fileName: file.path)
      {
        return try measureCloud(file)
      }
      guard case .pixels(let requests) = try requests else {
        throw MeasuredInputError.pointsOfCapture
      }
      if hasFloorPlan { throw MeasuredInputError.optionOfMesh("--floor-plan") }
      if let output, FloorPlanFormat(fileName: output) != nil {
        throw MeasuredInputError.drawingWithoutPlan
      }
      return try measure(requests, in: input)
    }
  }

  /// Measures in points of a cloud.
  private func measureCloud(_ file: InputFile) throws -> ExitCode {
    let requests: [CloudMeasurementRequest]
    switch try self.requests {
    case .points(let points): requests = points
    case .pixels(let pixels) where pixels.isEmpty: requests = []
    case .pixels: throw MeasuredInputError.pixelsOfCloud
    }
    let others = [
      ("--repeat", repeats, "it has no frames"),
      ("-o", output != nil && !hasFloorPlan, "it has no image, but by --floor-plan a drawing"),
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
    let drawing = try output.map { path in
      guard let format = FloorPlanFormat(fileName: path) else {
        throw MeasuredInputError.drawingOfOtherFormat(path)
      }
      return (path: path, format: format)
    }
    let cloud = try MeasurableCloudReader(statement: stated.statement)
      .cloud(of: file)
    let measurer = CloudMeasurer(cloud)
    var result = measurer.measure(requests)
    var written: String?
    if hasFloorPlan {
      let plan = measurer.floorPlan(
        heightMeters: sectionHeight ?? MeasuredFloorPlan.usualHeightMeters)
      result.measurements += plan.measurements
      written = try drawing.flatMap {
        try plan.published(as: $0.format, at: $0.path, outputOptions.existing)
      }
    }
    printing.print(result.document(of: cloud, plan: written)) {
      for measurement in result.measurements {
        StandardOutput.print(MeasurementText(measurement, frame: cloud.frame).line)
      }
      if let written { StandardOutput.print(printable(text: written)) }
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
