import Plumbline

/// Writes measured pixels as points: `cloud`.
struct CloudTask {
  private let analysis: AnalysisSettings
  private let format: PointCloudFormat
  private let isUpright: Bool
  /// The voxels of all frames together; `nil` for one frame.
  private let voxels: WorldCloudBuilder?
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    let output = try call.requiredOutput()
    guard let format = PointCloudFormat(fileName: output) else {
      throw InterfaceError.usage(
        "output",
        expected: "an ending of "
          + PointCloudFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", "),
        found: output)
    }
    self.format = format
    isUpright = try call.settings.flag("upright")
    let joins = try call.settings.flag("all")
    let every = try call.settings.integer("every", in: 1...Int.max)
    let voxel = try call.settings.number("voxel", in: WorldCloudBuilder.voxelsMeters)
    existing = try call.settings.existing()
    try call.settings.finish()
    if joins {
      try analysis.requireNoFrame()
      guard !isUpright else {
        throw Settings.wrong(
          "upright", expected: "not with all, which has the axes of the world", found: "true")
      }
      voxels = WorldCloudBuilder(
        voxelMeters: voxel ?? WorldCloudBuilder.usualVoxelMeters, step: every ?? 1,
        threads: analysis.threads)
    } else {
      guard every == nil, voxel == nil else {
        throw Settings.wrong(
          every == nil ? "voxel" : "every", expected: "only with all", found: "without it")
      }
      voxels = nil
    }
  }

  /// Writes the cloud, and returns `plumbline.cloud/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    try voxels.map { try joined(call, by: $0) } ?? single(call)
  }

  private func single(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    let result = try analysis.analyzer(color: .full).analyze(input)
    let points = try result.requiredPointCloud()
    try call.progress.step("writing", 0, of: 1)
    let paths = try write(
      isUpright ? result.upright(points) : points, origin: result.origin,
      statements: result.cloudStatements(isUpright: isUpright), to: call.requiredOutput())
    return Self.document(
      of: points, file: result.fileName, assessment: result.assessment, frames: 1, leftOut: [],
      outputs: paths)
  }

  private func joined(_ call: TaskCall, by builder: WorldCloudBuilder) throws -> JSONValue {
    let (found, name) = try CaptureInput.recording(path: call.input(), limits: analysis.limits)
    let recording = try analysis.applied(to: found, knownBy: analysis.devices())
    let total = (recording.frames.count + builder.step - 1) / builder.step
    let cloud = try builder.build(recording) { try call.progress.step("frames", $0, of: total) }
    try call.progress.step("writing", 0, of: 1)
    let paths = try write(
      cloud.points, origin: cloud.origin, statements: cloud.statements, to: call.requiredOutput())
    let leftOut =
      cloud.skipped.map { ($0.name, $0.reason) }
      + cloud.untrackedFrames.map { ($0, "it has no pose") }
    return Self.document(
      of: cloud.points, file: name, assessment: cloud.assessment, frames: cloud.frameCount,
      leftOut: leftOut, outputs: paths)
  }

  private static func document(
    of points: PointCloud, file: String, assessment: CaptureAssessment, frames: Int,
    leftOut: [(name: String, reason: String)], outputs: [String]
  ) -> JSONValue {
    .object([
      ("schema", "plumbline.cloud/1"), ("file", .string(file)),
      ("points", .integer(points.count)), ("unit", .string(points.isMetric ? "m" : nil)),
      ("frames", .integer(frames)),
      ("unreadable", .array(leftOut.map(ProcessedFrames.entry))),
      ("verdict", .string(assessment.verdict.rawValue)), ("reason", .string(assessment.reason)),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private func write(
    _ points: PointCloud, origin: ExportOrigin, statements: [String], to output: String
  ) throws -> [String] {
    let writer = PointCloudWriter(points, format: format, origin: origin, statements: statements)
    var transaction = OutputTransaction(existing: existing)
    try transaction.stage(at: output) { file throws(OutputError) in try writer.write(to: file) }
    return try transaction.publish()
  }
}

extension AnalysisSettings {
  /// Refuses a frame of what is a single capture.
  func requireFrameOfRecording(_ input: CaptureInput) throws {
    if case .file = input, let frame {
      throw Settings.wrong("frame", expected: "none, since this is no recording", found: frame)
    }
  }
}
