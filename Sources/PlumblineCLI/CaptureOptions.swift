import ArgumentParser
import Plumbline

/// The options of every command that reads captures.
struct CaptureOptions: ParsableArguments {
  @Argument(
    help: "The photo, depth frame, recording or folder of frames; names of files do not matter.",
    completion: .file(extensions: ["heic", "HEIC", "heif", "jpg", "JPG", "jpeg", "ply", "json"]))
  var capture: String

  @Option(
    name: .customLong("known-distance"),
    help: ArgumentHelp(
      "A distance that you measured, to make a relative map metric; give it once or twice.",
      discussion: """
        X,Y is a pixel of the depth map as stored; METERS its distance from the plane of the \
        camera, along the optical axis. One distance fixes the scale; two, one near and one far, \
        fix the offset too.
        """,
      valueName: "X,Y=METERS"),
    transform: KnownDistanceArgument.init(parsing:))
  var knownDistances: [KnownDistanceArgument] = []

  @Option(
    help: ArgumentHelp(
      "The frame of a folder: its name, or its number from 0.", valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    help: ArgumentHelp(
      "Use the calibration of this file in place of the capture's own.",
      discussion: """
        A calibration.json of this program, OpenCV's YAML, or Open3D's JSON; scaled to the map, \
        whose shape it must have.
        """,
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @OptionGroup var threads: ThreadOptions

  mutating func validate() throws {
    guard knownDistances.count <= 2 else {
      throw ValidationError(
        "Give one or two known distances, not \(knownDistances.count): two fix scale and offset.")
    }
  }

  /// Opens the file or folder.
  func input() throws -> CaptureInput {
    let input = try CaptureInput(path: capture)
    if case .file = input, frame != nil { throw FrameOptionError.notAFolder }
    return input
  }

  /// Reads, corrects and assesses one capture; of a folder the chosen frame, else the first one.
  func check(color: CaptureReader.ColorRequest, companions: Bool = false) throws -> CaptureCheck {
    switch try input() {
    case .file(let file): return try check(file, color: color, companions: companions)
    case .recording(let sequence, let name):
      if frame == nil, sequence.frameNames.count > 1 {
        StandardError.print(
          "plumbline: frame \(printable(text: sequence.frameNames[0])) of "
            + "\(sequence.frameNames.count); --frame chooses another")
      }
      return try check(sequence, of: name, sequence.index(of: frame ?? "0"), color: color)
    }
  }

  /// The step that takes the calibration of `--calibration`; `nil` without that option.
  func replacement() throws -> CalibrationReplacement? {
    try calibration.map { try CalibrationReplacement(path: $0) }
  }

  /// The sequence with the calibration of `--calibration` in every frame.
  func calibrated(_ sequence: Recording) throws -> Recording {
    try replacement().map { sequence.calibrated(by: $0) } ?? sequence
  }

  /// Reads, corrects and assesses a file; `correct` applies `--calibration` as a step instead.
  func check(
    _ file: InputFile, color: CaptureReader.ColorRequest, companions: Bool = false,
    isCalibrated: Bool = true
  ) throws -> CaptureCheck {
    // The codes of a JPEG are read through at an eighth of its size even where its color is not needed,
    // so that damage is found; tiles of HEVC would cost several times the rest.
    let examinesColor = color == .none && JPEGFile.recognizes(file.bytes[...])
    var reader = CaptureReader(
      color: examinesColor ? .preview(maximumSide: 1) : color, threads: threads.count)
    reader.readsCompanions = companions
    let name = lastPathPart(capture)
    var read = try reader.capture(from: file.bytes)
    if examinesColor { read.color = nil }
    return try CaptureCheck(
      try (isCalibrated ? replacement() : nil)?.applied(to: read) ?? read, fileName: name,
      sha256: SHA256Digest.hexadecimal(of: file.bytes),
      knownDistances: knownDistances.map(\.distance))
  }

  /// Reads, corrects and assesses one frame of a recording, called `name` in outputs; what is odd about
  /// the whole is among its findings.
  func check(
    _ sequence: Recording, of name: String, _ index: Int,
    color: CaptureReader.ColorRequest, isCalibrated: Bool = true
  ) throws -> CaptureCheck {
    var capture = try sequence.capture(at: index, color: color)
    capture.findings += sequence.findings
    return try CaptureCheck(
      try (isCalibrated ? replacement() : nil)?.applied(to: capture) ?? capture,
      fileName: "\(name)/\(sequence.frameNames[index])",
      knownDistances: knownDistances.map(\.distance))
  }
}

/// Options about frames that do not fit the input; a matter of usage.
enum FrameOptionError: Error, CustomStringConvertible {
  case notAFolder
  case distancesWithoutFrame

  var description: String {
    switch self {
    case .notAFolder: "--frame chooses a frame of a folder, and this is a file"
    case .distancesWithoutFrame:
      "--known-distance names a pixel of one frame: choose it with --frame"
    }
  }
}

/// A distance as it is written on the command line: `X,Y=METERS`.
struct KnownDistanceArgument {
  let distance: KnownDistance

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    let pixel = sides[0].split(separator: ",", omittingEmptySubsequences: false)
    guard sides.count == 2, let meters = Double(sides[1]), pixel.count == 2, let x = Int(pixel[0]),
      let y = Int(pixel[1])
    else {
      throw ValidationError("write the pixel first, then meters without a unit, as in 380,420=0.41")
    }
    // Nothing nearer than a millimeter is in focus, and its inverse would overflow in the end.
    guard (0.001...1000).contains(meters) else {
      throw ValidationError("the distance must be between 0.001 and 1000 meters")
    }
    distance = KnownDistance(x: x, y: y, meters: meters)
  }
}
