import Plumbline

/// Writes a recording in another format: `convert`.
struct ConvertTask {
  private let analysis: AnalysisSettings
  private let format: RecordingFormat
  private let frames: (from: Int, every: Int, atMost: Int?)
  private let rate: Double?
  private let poses: String?
  private let keepsUnposed: Bool
  private let corrector: CaptureCorrector?
  private let depthScale: Int?
  private let hasColor: Bool
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    try analysis.requireNoFrame()
    let output = try call.requiredOutput()
    format = try call.settings.recordingFormat(of: output)
    frames = (
      try call.settings.integer("from", in: 0...Int.max) ?? 0,
      try call.settings.integer("every", in: 1...Int.max) ?? 1,
      try call.settings.integer("frames", in: 1...Int.max)
    )
    rate = try call.settings.number("fps", in: 0.001...1000)
    poses = try call.settings.text("poses")
    keepsUnposed = try call.settings.flag("keep-unposed")
    let rectifies = try call.settings.flag("rectify")
    let corrects = try call.settings.flag("correct")
    guard !(rectifies && corrects) else {
      throw Settings.wrong(
        "rectify", expected: "either this or correct, which rectifies where a lens distorts",
        found: "both")
    }
    guard corrects || analysis.catalog == nil else {
      throw Settings.wrong(
        "catalog", expected: "only with correct, since frames keep their calibration otherwise",
        found: "a file")
    }
    if rectifies || corrects {
      var corrector = CaptureCorrector()
      corrector.catalog = try analysis.devices()
      if rectifies {
        corrector.rectified = [.color, .depth]
        corrector.skipsRectified = true
      }
      self.corrector = corrector
    } else {
      corrector = nil
    }
    depthScale = try call.settings.integer("depth-scale", in: 1...65_535)
    if let depthScale, !format.depthScales.contains(depthScale) {
      throw Settings.wrong(
        "depth-scale",
        expected: format.depthScales.isEmpty
          ? "none, since \(format.rawValue) has no choice"
          : format.depthScales.map(String.init).joined(separator: " or "), found: "\(depthScale)")
    }
    hasColor = try !call.settings.flag("depth-only")
    existing = try call.settings.existing()
    try call.settings.finish()
  }

  /// Converts, and returns what was written.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let output = try call.requiredOutput()
    let (found, name) = try CaptureInput.recording(path: call.input(), limits: analysis.limits)
    // The corrector takes the measured focal lengths, among its other steps.
    var recording = try analysis.applied(to: found, knownBy: .bundled)
    var indices = try recording.indices(
      from: frames.from, every: frames.every, atMost: frames.atMost)
    if let poses {
      let posed = try recording.posed(by: try RecordingPoses(path: poses))
      recording = posed.recording
      let known = Set(posed.posedIndices)
      let written = keepsUnposed ? indices : indices.filter(known.contains)
      guard !written.isEmpty else {
        throw PosesFileError(
          path: poses, expected: "poses of the chosen frames", found: "none of them")
      }
      indices = written
    }
    var converter = RecordingConverter(format, hasColor: hasColor, framesPerSecond: rate)
    converter.depthScale = depthScale
    converter.threads = analysis.threads
    let total = indices.count
    let summary =
      if let corrector {
        try converter.convert(
          recording, indices: indices, path: output, existing: existing, origin: name,
          transform: RecordingCorrection(corrector)
        ) { _ in
        } progress: {
          try call.progress.step("frames", $0, of: total)
        }
      } else {
        try converter.convert(
          recording, indices: indices, path: output, existing: existing, origin: name
        ) { try call.progress.step("frames", $0, of: total) }
      }
    return summary.document(output: output)
  }
}

extension Settings {
  /// The format that `format` names, or that the ending of the output does.
  mutating func recordingFormat(of output: String) throws -> RecordingFormat {
    guard let format = try word("format") ?? RecordingFormat(fileName: output) else {
      throw Settings.wrong(
        "format",
        expected: RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")
          + ", or an output that ends in .mcap or .r3d", found: "neither")
    }
    return format
  }
}
