import Plumbline

/// Makes one surface of the frames of a recording: `fuse`.
struct FuseTask {
  private let analysis: AnalysisSettings
  private let output: SurfaceOutput
  private var scan = ScanSettings()
  private let scale: ScanScaleCheck?
  private let poses: String?
  private let report: String?
  private let existing: OutputTransaction.ExistingFiles

  /// What is scanned, by the names of the command's flags.
  private enum Subject: String, CaseIterable {
    case object
    case room
    case head
  }

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    output = try SurfaceOutput(call.requiredOutput())
    scale = try call.settings.scaleCheck(analysis)
    poses = try call.settings.text("write-poses")
    report = try call.settings.text("report")
    existing = try call.settings.existing()
    try readFusing(&call.settings)
    scan.surface = try call.settings.surface(for: output.format)
    scan.threads = analysis.threads
    scan.measuresConsistency = true
    try call.settings.finish()
    if let poses, RecordingPoses.Format(fileName: poses) == nil {
      throw Settings.wrong("write-poses", expected: "an ending of .json or .txt", found: poses)
    }
    if let report, !report.hasSuffix(".html") {
      throw Settings.wrong("report", expected: "an ending of .html", found: report)
    }
  }

  private mutating func readFusing(_ settings: inout Settings) throws {
    for subject in Subject.allCases where try settings.flag(subject.rawValue) {
      guard scan.subject == nil else {
        throw Settings.wrong(
          subject.rawValue, expected: "one of object, room, head", found: "several")
      }
      scan.subject =
        switch subject {
        case .object: .object
        case .room: .room
        case .head: .head
        }
    }
    scan.voxelMeters = try settings.number("voxel", in: 0.0005...1)
    scan.step = try settings.integer("every", in: 1...Int.max) ?? 1
    scan.maximumDepthMeters = try settings.number("max-depth", in: 0.05...100)
    scan.depthBendPerMeter = try settings.number("depth-bend", in: -0.05...0.05) ?? 0
    scan.refinesPoses = try !settings.flag("recorded-poses")
    scan.closesLoops = try !settings.flag("no-loops")
    scan.ignoresRecordedPoses = try settings.flag("ignore-poses")
    guard scan.refinesPoses || !scan.ignoresRecordedPoses else {
      throw Settings.wrong("ignore-poses", expected: "either this or recorded-poses", found: "both")
    }
  }

  /// Fuses, and returns `plumbline.fuse/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let (found, name) = try CaptureInput.recording(path: call.input(), limits: analysis.limits)
    let recording = try analysis.applied(to: found, knownBy: analysis.devices())
    let result = try ScanBuilder(scan, scaleCheck: scale).build(recording) { progress in
      call.progress.report(
        progress.stage.rawValue, progress.doneCount, of: progress.frameCount ?? 0)
    }
    // A scan that was ended has a surface of its first frames, which was not asked for.
    try call.progress.step("writing", 0, of: 1)
    var transaction = OutputTransaction(existing: existing)
    for (index, fragment) in result.fragments.enumerated() {
      let isFirst = index == 0
      let part = isFirst ? output.name : "\(output.name)-\(index + 1)"
      for file in try result.files(of: fragment, as: output.format, name: part) {
        try transaction.stage(file.bytes, at: output.path(of: file, isRequested: isFirst))
      }
    }
    if let poses, let format = RecordingPoses.Format(fileName: poses) {
      try transaction.stage(result.poses.bytes(as: format, recording: name), at: poses)
    }
    if let report {
      let document = result.document(fileName: name, outputs: [])
      try transaction.stage(result.report(title: name, document: document), at: report)
    }
    return result.document(fileName: name, outputs: try transaction.publish())
  }
}

extension Settings {
  /// What is done to a surface once its frames are fused.
  fileprivate mutating func surface(for format: MeshFormat) throws -> SurfaceSettings {
    var surface = SurfaceSettings()
    surface.smallestPartSquareMeters = try number("smallest-part", in: 0...1e6)
    surface.closedHoleMeters = try number("close-holes", in: 0...1000) ?? 0
    surface.triangleCount = try integer("triangles", in: 4...Int.max)
    surface.toleranceMeters = try number("simplify", in: 0...1)
    let side = try integer("texture-size", in: 64...16384)
    let hasVertexColors = try flag("vertex-colors")
    // PLY is for measuring, and its vertices have colors where nothing else is asked for.
    let isTextured = format.holdsTexture && format != .ply && !hasVertexColors
    surface.textureSide = isTextured ? side ?? surface.textureSide : 0
    return surface
  }

  /// What tells the scale of a scan; `nil` for nothing.
  fileprivate mutating func scaleCheck(_ analysis: AnalysisSettings) throws -> ScanScaleCheck? {
    let choice = try boardChoice()
    guard (analysis.frame == nil) == analysis.distances.isEmpty else {
      throw Settings.wrong(
        "known-distance", expected: "this together with the frame that it was measured in",
        found: "one of the two")
    }
    if let choice { return ScanScaleCheck(.board(choice)) }
    guard let frame = analysis.frame else { return nil }
    return ScanScaleCheck(.distances(analysis.distances, frame: frame))
  }

  /// The board of `board`, or one with squares of `square` millimeters; `nil` for neither.
  mutating func boardChoice() throws -> BoardRecordingReader.Choice? {
    let board = try board()
    let square = try number("square", in: 0.1...10_000)
    guard board == nil || square == nil else {
      throw Settings.wrong(
        "square", expected: "either this or board, which says the side of a square", found: "both")
    }
    if let board { return .known(board) }
    return square.map { .search(squareMeters: $0 / 1000) }
  }

  /// A board in one line, or the path of its `board.json`; `nil` where it was not given.
  mutating func board() throws -> Board? {
    guard let text = try text("board") else { return nil }
    let isLine =
      text.lowercased().hasPrefix("charuco:") || text.lowercased().hasPrefix("chessboard:")
    if isLine || !(text.hasSuffix(".json") || text.utf8.contains(UInt8(ascii: "/"))) {
      do throws(BoardNotationError) { return try BoardNotation(parsing: text).board } catch {
        throw Self.wrong("board", expected: error.expected, found: error.found)
      }
    }
    var limits = ReadingLimits()
    limits.fileBytes = 1 << 20
    return try BoardDocument(parsing: InputFile(path: text, limits: limits).bytes).board
  }
}

/// Where a surface is written: its file, and beside it what that names.
struct SurfaceOutput {
  /// The format by the ending.
  let format: MeshFormat
  /// The name of the file without folder and ending.
  let name: String
  private let requested: String
  private let folder: String

  /// Takes an output apart; refuses an ending without a format.
  init(_ path: String) throws {
    guard let format = MeshFormat(fileName: path) else {
      throw InterfaceError.usage(
        "output",
        expected: "an ending of "
          + MeshFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", "), found: path)
    }
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    self.format = format
    requested = path
    folder = String(path[..<cut])
    name = String(path[cut...].dropLast(format.rawValue.count + 1))
  }

  /// The path of one of a mesh's files; that of the requested mesh keeps its ending as it was written.
  func path(of file: Extraction.File, isRequested: Bool) -> String {
    isRequested && file.name.hasSuffix(".\(format.rawValue)") ? requested : folder + file.name
  }
}
