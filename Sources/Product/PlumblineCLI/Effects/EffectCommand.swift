import ArgumentParser
import Plumbline

struct EffectCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect", abstract: "Change a photo by its depth.",
    discussion: """
      Works with depth in meters and with relative depth. The photo itself is never touched. What an \
      effect wants its user to know, such as that depth is too coarse for what was asked, comes as a \
      note. JPEG and HEIC keep Exif and color profile.
      """,
    subcommands: [
      BlurCommand.self, BackgroundCommand.self, WiggleCommand.self, StereoViewsCommand.self,
      FogCommand.self, RelightCommand.self, IsolateCommand.self, MattesCommand.self,
      SmoothFilterCommand.self, LiveBackgroundCommand.self,
    ])
}

/// The options that every effect has.
struct EffectOptions: ParsableArguments {
  @Argument(
    help: "The photo, recording or folder of frames.",
    completion: .captures)
  var photo: String

  @Option(
    help: ArgumentHelp("One frame of a recording: its name or number.", valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    name: .output,
    help: "The file to write; its ending says the format; - is standard output.",
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "The format: jpeg, png or heic, of moving images gif, webp or mp4; that of the ending unless given.",
      valueName: "FORMAT"), transform: choice(_:))
  var format: EffectFormat?

  @Option(
    name: .customLong("max-side"),
    help: ArgumentHelp("Make the image smaller: its longer side at most.", valueName: "PIXELS"))
  var maximumSide: Int?

  @Option(
    name: .customLong("quality"), help: "The quality of JPEG and HEIC, 1 to 100; 92 unless given.")
  var givenQuality: Int?

  /// The quality of JPEG and HEIC.
  var quality: Int { givenQuality ?? 92 }

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<EffectCommand>

  func validate() throws {
    guard (1...100).contains(quality) else {
      throw ValidationError("The quality must be from 1 to 100, not \(quality).")
    }
    if let maximumSide, !(1...65_500).contains(maximumSide) {
      throw ValidationError("The longer side must be from 1 to 65500 pixels, not \(maximumSide).")
    }
  }

  /// The photo, or the chosen frame.
  func open() throws -> EffectPhoto {
    switch try CaptureInput(argument: photo) {
    case .file(let file):
      if frame != nil { throw FrameOptionError.notAFolder }
      return try EffectPhoto(
        file.bytes, fileName: lastPathPart(photo), threads: threads.count)
    case .recording(let recording, let name):
      let index = try recording.index(of: frame ?? "0")
      return EffectPhoto(
        try recording.capture(at: index, color: .full),
        fileName: "\(name)/\(recording.frameNames[index])")
    }
  }

  /// Runs an effect that makes one image, and writes it.
  func run(
    _ effect: String, keeping companions: EffectPhoto.Companions,
    saying further: (EffectPhoto) -> [Finding] = { _ in [] },
    reporting foreground: (EffectImage) -> ForegroundReport? = { _ in nil },
    focusedOn pixel: NamedPixel? = nil, usingMattes usesMattes: Bool = true,
    _ apply: (_ photo: EffectPhoto, _ scene: EffectScene, _ threads: Int) throws -> EffectImage
  ) throws -> ExitCode {
    try CommandExit.running(photo) {
      let kind = try imageKind(effect)
      let opened = try open()
      let scene = try opened.scene(
        for: effect, maximumSide: maximumSide, usesMattes: usesMattes, threads: threads.count)
      let focus = try pixel.map { try opened.focused(on: $0) }
      var image = try apply(opened, scene, threads.count)
      if givenQuality != nil, kind == .png {
        image.notes.append(
          EffectNote(.unusedSetting, "--quality changed nothing: PNG keeps every code"))
      }
      if image.opacity != nil, kind != .png {
        throw EffectOutputError(path: output, kinds: "png, which has transparency")
      }
      let (bytes, findings) = try opened.file(
        image, as: kind, keeping: companions,
        options: PhotoWritingOptions(colorQuality: quality, threads: threads.count))
      // What is said of the photo's own image does not hold for the one before the phone's blur.
      let before = scene.findings + (scene.isUnrendered ? [] : further(opened))
      return try finish(
        effect, of: opened.fileName, notes: image.notes, findings: before + findings,
        files: [(output, bytes)],
        size: scene.orientation.uprightSize(of: image.color.size), focus: focus,
        litShare: image.litShare, blur: image.blur, foreground: foreground(image))
    }
  }

  /// Writes files and reports them.
  func finish(
    _ effect: String, of fileName: String, notes: [EffectNote], findings: [Finding] = [],
    files: [(path: String, bytes: [UInt8])], in folder: String? = nil, size: RasterSize?,
    focus: FocusedPixel? = nil, litShare: Double? = nil, blur: BlurReport? = nil,
    foreground: ForegroundReport? = nil
  ) throws -> ExitCode {
    let findings = (foreground?.findings ?? []) + findings
    // Of a recording or a folder, which frame was used.
    let frame = fileName.contains("/") ? "frame: \(printable(text: fileName))" : nil
    if folder == nil, StandardStreams.isStream(output) {
      for file in files { StandardOutput.write(file.bytes) }
      if !printing.quiet {
        if let frame { StandardError.print(frame) }
        if let focus { StandardError.print(focus.sentence) }
        if let blur { StandardError.print(blur.sentence) }
        for note in notes { StandardError.print("note: \(printable(text: note.sentence))") }
        for line in findings.flatMap(\.linesWithRemedies) { StandardError.print(line) }
      }
      return .success
    }
    var transaction = OutputTransaction(existing: outputOptions.existing)
    if let folder { try transaction.createDirectory(at: folder) }
    for file in files { try transaction.stage(file.bytes, at: file.path) }
    if let folder { try transaction.removeStale(in: folder) { OutputSet.mattes.contains($0) } }
    let written = try transaction.publish()
    let document = JSONValue.object([
      ("schema", "plumbline.effect/1"), ("file", .string(fileName)),
      ("effect", .string(effect)), ("width", size.map { .integer($0.width) } ?? .null),
      ("height", size.map { .integer($0.height) } ?? .null),
      (
        "notes",
        .array(
          notes.map {
            .object([("code", .string($0.code.rawValue)), ("message", .string($0.sentence))])
          })
      ),
      ("findings", .array(findings.map(\.document))), ("focus", focus?.document ?? .null),
      ("litShare", litShare.map { .number($0) } ?? .null),
      ("blur", blur?.document ?? .null),
      ("foreground", foreground?.document ?? .null),
      ("outputs", .array(written.map { .string($0) })),
    ])
    printing.print(document) {
      if let frame { StandardOutput.print(frame) }
      if let focus { StandardOutput.print(focus.sentence) }
      if let blur { StandardOutput.print(blur.sentence) }
      for note in notes { StandardOutput.print("note: \(printable(text: note.sentence))") }
      for line in findings.flatMap(\.linesWithRemedies) { StandardOutput.print(line) }
      for path in written { StandardOutput.print(printable(text: path)) }
    }
    return .success
  }
}

extension Finding {
  /// The finding in one line, and what to type for each remedy.
  fileprivate var linesWithRemedies: [String] {
    [line] + remedies.map { "  → \($0.command)" }
  }
}

/// An output of a kind that the effect cannot write; a matter of usage.
struct EffectOutputError: CategorizedError, CustomStringConvertible {
  var path: String
  var kinds: String

  var category: FailureCategory { .usage }

  var description: String { "\(printable(text: path)) must end in \(kinds)" }
}

/// A color as it is written on the command line: `#2d6cdf`.
struct ColorArgument {
  let color: RGB8

  init(parsing argument: String) throws {
    guard let color = RGB8(hexadecimal: argument) else {
      throw ValidationError("write a color as six hexadecimal digits, as in 2d6cdf")
    }
    self.color = color
  }
}

/// A distance in the scene as it is written on the command line: `1.2m`, or a share of nearness.
struct SceneDistanceArgument {
  let distance: SceneDistance

  init(parsing argument: String) throws {
    if argument.hasSuffix("m"), let meters = Double(argument.dropLast()), meters > 0,
      meters.isFinite
    {
      distance = .meters(meters)
    } else if let share = Double(argument), (0...1).contains(share) {
      distance = .nearness(share)
    } else {
      throw ValidationError(
        "write meters with their unit, as in 1.2m, or 0 (the farthest) to 1 (the nearest)")
    }
  }
}
