import Plumbline

/// Measures in a capture, a cloud or a mesh: `measure`.
struct MeasureTask {
  private let analysis: AnalysisSettings
  private let measurements: MeasurementSettings
  /// How far above the floor the walls of a floor plan are cut, in meters; `nil` for no plan.
  private let planHeightMeters: Double?
  private let repeats: Bool
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    measurements = try MeasurementSettings(&call.settings)
    let hasPlan = try call.settings.flag("floor-plan")
    let height = try call.settings.number("section-height", in: MeasuredFloorPlan.heightsMeters)
    repeats = try call.settings.flag("repeat")
    existing = try call.settings.existing()
    try call.settings.finish()
    guard height == nil || hasPlan else {
      throw Settings.wrong("section-height", expected: "only with floor-plan", found: "without it")
    }
    planHeightMeters = hasPlan ? height ?? MeasuredFloorPlan.usualHeightMeters : nil
    if !hasPlan { try measurements.requireAny(besides: "floor-plan") }
  }

  /// Measures, and returns `plumbline.measure/1`; with an output the image of where, or the drawing of a plan.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    if case .file(let file) = input {
      let reader = MeasurableCloudReader(limits: analysis.limits, statement: analysis.statement)
      if try reader.recognizes(file.bytes, fileName: file.path) {
        return try measure(file, by: reader, call)
      }
    }
    guard planHeightMeters == nil else {
      throw Settings.wrong("floor-plan", expected: "a mesh", found: "a capture")
    }
    if let output = call.output, FloorPlanFormat(fileName: output) != nil {
      throw InterfaceError.usage(
        "output", expected: "an image, .png, of a capture", found: output)
    }
    return try measure(measurements.pixels(), in: input, call)
  }

  /// Measures in points of a cloud or mesh.
  private func measure(
    _ file: InputFile, by reader: MeasurableCloudReader, _ call: TaskCall
  ) throws -> JSONValue {
    let requests = try measurements.points()
    try analysis.requireNothingOfCaptures()
    guard !repeats else {
      throw Settings.wrong("repeat", expected: "a recording", found: "a cloud, which has no frames")
    }
    let drawing = try call.output.map { try Self.format(of: $0, hasPlan: planHeightMeters != nil) }
    let cloud = try reader.cloud(of: file)
    let measurer = CloudMeasurer(cloud)
    var result = measurer.measure(requests)
    try call.progress.step("writing", 0, of: 1)
    var written: String?
    if let planHeightMeters {
      let plan = measurer.floorPlan(heightMeters: planHeightMeters)
      result.measurements += plan.measurements
      if let drawing, let output = call.output {
        written = try plan.published(as: drawing, at: output, existing)
      }
    }
    return result.document(of: cloud, plan: written)
  }

  private static func format(of output: String, hasPlan: Bool) throws -> FloorPlanFormat {
    guard hasPlan else {
      throw InterfaceError.usage(
        "output", expected: "none of a cloud without floor-plan, since it has no image",
        found: output)
    }
    guard let format = FloorPlanFormat(fileName: output) else {
      throw InterfaceError.usage(
        "output", expected: "an ending of .svg or .dxf for a floor plan", found: output)
    }
    return format
  }

  /// Measures at pixels of a capture.
  private func measure(
    _ requests: [MeasurementRequest], in input: CaptureInput, _ call: TaskCall
  ) throws -> JSONValue {
    let result = try analysis.analyzer(color: call.output == nil ? .none : .full).analyze(input)
    var measured = try CaptureMeasurer(result).measure(requests)
    if repeats {
      guard case .recording(let recording, let name) = input else {
        throw InputError.notARecording(path: try call.input())
      }
      let total = recording.frameNames.count
      measured = try RepeatedMeasurement(requests).scattered(
        over: recording, measured, by: analysis.analyzer(color: .none), named: name
      ) { call.progress.report("frames", $0, of: total) }
      try call.progress.check()
    }
    try call.progress.step("writing", 0, of: 1)
    var written: String?
    if let output = call.output, let image = MeasurementImage.image(of: result, requests) {
      var transaction = OutputTransaction(existing: existing)
      try transaction.stage(PNGEncoder().encoded(image), at: output)
      _ = try transaction.publish()
      written = output
    }
    return measured.document(of: result, image: written)
  }
}

extension AnalysisSettings {
  /// Refuses what a cloud or mesh does not have: pixels and a camera.
  fileprivate func requireNothingOfCaptures() throws {
    guard distances.isEmpty else {
      throw Settings.wrong(
        "known-distance", expected: "none, since a cloud has no pixels", found: "some")
    }
    guard calibration == nil else {
      throw Settings.wrong(
        "calibration", expected: "none: points are where the calibration of their map put them",
        found: "one")
    }
  }
}
