import Plumbline

/// Makes a surface of one capture: `mesh`.
struct MeshTask {
  private let analysis: AnalysisSettings
  private let output: SurfaceOutput
  private var mesher = CaptureMesher()
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    output = try SurfaceOutput(call.requiredOutput())
    if let edge = try call.settings.number("edge", in: 0...1000) { mesher.edgeSigmas = edge }
    mesher.hasTexture = try !call.settings.flag("vertex-colors") && output.format.holdsTexture
    mesher.isUpright = try call.settings.flag("upright")
    existing = try call.settings.existing()
    try call.settings.finish()
  }

  /// Writes the surface, and returns `plumbline.mesh/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    let result = try analysis.analyzer(color: .full).analyze(input)
    let mesh = try mesher.mesh(result)
    try call.progress.step("writing", 0, of: 1)
    var transaction = OutputTransaction(existing: existing)
    for file in try mesh.files(as: output.format, name: output.name) {
      try transaction.stage(file.bytes, at: output.path(of: file, isRequested: true))
    }
    return mesh.document(fileName: result.fileName, outputs: try transaction.publish())
  }
}

/// Assesses the calibration of a recording by a board in it: `verify`.
struct VerifyTask {
  private let threads: Int
  private let choice: BoardRecordingReader.Choice?
  private let calibration: String?
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    choice = try call.settings.boardChoice()
    threads = try call.settings.integer("threads", in: 1...256) ?? 2
    calibration = try call.settings.text("calibration")
    existing = try call.settings.existing()
    try call.settings.finish()
  }

  /// Assesses, and returns `plumbline.verify/1`; with an output the report in that folder.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try call.input()
    let name = lastPathPart(input)
    let (recording, _) = try CaptureInput.recording(path: input)
    guard
      let choice = choice
        ?? recording.boardSquareMeters.map({ BoardRecordingReader.Choice.search(squareMeters: $0) })
    else {
      throw Settings.wrong(
        "square", expected: "the side of a square in millimeters, or a board", found: "neither")
    }
    let progress = call.progress
    let total = recording.frameNames.count
    let board = try BoardRecordingReader(choice, threads: threads).read(recording) {
      progress.report("frames", $0, of: total)
    }
    try progress.check()
    let verification = try CalibrationVerification(
      board.frames, frameCount: board.frameCount, imagelessCount: board.imagelessCount,
      shownBoard: board.shownBoard, given: try givenCamera(for: board))
    var report: String?
    if let folder = call.output {
      var transaction = OutputTransaction(existing: existing)
      try transaction.createDirectory(at: folder)
      let place = path("report.html", in: folder)
      let document = JSONWriter(layout: .compact).text(
        verification.document(
          folder: name, earlierSteps: board.earlierSteps, session: board.session))
      try transaction.stage(
        verification.report(title: name, preview: board.preview, document: document), at: place)
      _ = try transaction.publish()
      report = place
    }
    return verification.document(
      folder: name, report: report, earlierSteps: board.earlierSteps, session: board.session)
  }

  /// The camera of a file; `nil` where none is named, or no frame shows the board.
  private func givenCamera(for board: BoardRecording) throws -> MeasuredCamera? {
    guard let calibration, let size = board.frames.first?.view.imageSize else { return nil }
    return try GivenCalibration.camera(InputFile(path: calibration).bytes, for: size)
  }
}
