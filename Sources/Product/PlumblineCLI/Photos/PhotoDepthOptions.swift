import ArgumentParser
import Plumbline

/// Which depth goes into a photo, and how it is stored.
struct PhotoDepthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Put the depth of this capture, recording or bare map into the photo.",
      discussion: """
        Anything that other verbs read, such as the capture.mcap of stereo and estimate, or a map as \
        .npy, TIFF or 16-bit PNG. It must show what the photo shows.
        """,
      valueName: "DEPTH"), completion: .file())
  var attach: String?

  @Option(
    name: .customLong("replace-depth"),
    help: ArgumentHelp("As --attach, for a photo that has depth already.", valueName: "DEPTH"),
    completion: .file())
  var replaceDepth: String?

  @Option(
    help: ArgumentHelp(
      "The frame of a recording to attach: its name or number.", valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    help: ArgumentHelp(
      "The camera of the attached depth: calibration.json, OpenCV's YAML or Open3D's JSON.",
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @Option(
    help: ArgumentHelp(
      "What a bare map's numbers are: depth or disparity.", valueName: "KIND"))
  var kind = PhotoQuantityArgument.depth

  @Option(help: "How many codes of a bare 16-bit map make a meter.")
  var codesPerMeter: Double = 1000

  @Option(
    help: ArgumentHelp(
      "How a bare map lies where the photo is turned: stored or shown.",
      discussion:
        "Its shape tells unless both fit; then it lies as the pixels are stored, as other verbs write it.",
      valueName: "HOW"), transform: choice(_:))
  var lying: PhotoDepthSource.Lying?

  @Flag(help: "A bare map has no unit: its depth is relative.")
  var relative = false

  @Flag(help: "Write the photo's own depth with what was wrong set right, and its provenance.")
  var corrected = false

  @Option(
    name: .customLong("known-distance"),
    help: ArgumentHelp(
      "A distance that you measured, which makes the photo's relative depth metric.",
      discussion: NamedPixel.words,
      valueName: "X,Y=METERS"),
    transform: MeasuredDistance.init(parsing:))
  var knownDistances: [MeasuredDistance] = []

  @Option(
    help: ArgumentHelp(
      "How new depth is stored: disparity, as phones do, or depth.", valueName: "KIND"))
  var quantity = PhotoQuantityArgument.disparity

  @Option(
    name: .customLong("depth-bits"),
    help: ArgumentHelp("Bits of each code of new depth: 8, as phones write, or 16.", valueName: "N")
  )
  var bits = 8

  @Option(
    name: .customLong("depth-quality"),
    help: ArgumentHelp(
      "Code new depth with loss: JPEG's quality, 1 to 100.",
      discussion: """
        Without it a JPEG of Apple's layout has quality 100, which is within a code or two and which \
        every program reads; other layouts and HEIC lose nothing.
        """,
      valueName: "N"))
  var lossyQuality: Int?

  @Flag(
    name: .customLong("lossless-depth"),
    help: "Code new depth in a JPEG as lossless JPEG, which few programs read.")
  var isLossless = false

  @Option(
    help: ArgumentHelp(
      "Where a JPEG keeps depth: apple, gdepth or dynamic-depth.", valueName: "LAYOUT"),
    transform: choice(_:))
  var layout = PhotoWritingOptions.DepthLayout.apple

  /// Whether depth is to be written.
  var isGiven: Bool {
    attach != nil || replaceDepth != nil || corrected || !knownDistances.isEmpty
  }

  /// The compression of new depth; `nil` for what suits the file.
  var coding: PhotoWritingOptions.AuxiliaryCoding? {
    isLossless ? .lossless : lossyQuality.map { .lossy(quality: $0) }
  }

  mutating func validate() throws {
    let isCorrection = corrected || !knownDistances.isEmpty
    let sources = [attach != nil, replaceDepth != nil, isCorrection].count(where: { $0 })
    guard sources < 2 else {
      throw ValidationError("Give one of --attach, --replace-depth and --corrected.")
    }
    guard bits == 8 || bits == 16 else {
      throw ValidationError("Depth is stored in 8 or 16 bits, not \(bits).")
    }
    guard lossyQuality.map({ (1...100).contains($0) }) ?? true else {
      throw ValidationError("The quality of depth must be from 1 to 100.")
    }
    guard !isLossless || lossyQuality == nil else {
      throw ValidationError("Give --lossless-depth or --depth-quality, not both.")
    }
    guard lossyQuality == nil || bits == 8 else {
      throw ValidationError("16 bits are stored without loss; leave --depth-quality out.")
    }
    guard codesPerMeter > 0, codesPerMeter.isFinite else {
      throw ValidationError("The codes per meter must be above 0, not \(codesPerMeter).")
    }
    guard knownDistances.count <= 2 else {
      throw ValidationError(
        "Give one or two known distances, not \(knownDistances.count): two fix scale and offset.")
    }
    guard
      attach != nil || replaceDepth != nil
        || (frame == nil && calibration == nil && lying == nil)
    else {
      throw ValidationError("--frame, --calibration and --lying are about --attach.")
    }
  }

  /// The depth that is requested.
  func source(for photo: [UInt8]) throws -> PhotoWriter.DepthSource {
    if corrected || !knownDistances.isEmpty {
      var correction = PhotoCorrection(corrector: corrected ? CaptureCorrector() : nil)
      correction.measuredDistances = knownDistances
      return .corrected(correction)
    }
    guard let path = attach ?? replaceDepth else { return .own }
    let has = try CaptureReader(color: .none).capture(from: photo).depth != nil
    if attach != nil, has {
      throw PhotoOptionError.hasDepth
    }
    if replaceDepth != nil, !has {
      throw CaptureReadingError(
        .missing, expected: "depth to replace", found: "none; --attach puts depth in")
    }
    var source = try PhotoDepthSource.read(
      path: path, kind: kind == .depth ? .depth : .disparity,
      accuracy: relative ? .relative : .absolute, codesPerMeter: codesPerMeter, frame: frame,
      calibration: givenCalibration())
    source.lying = lying
    return .other(source)
  }

  private func givenCalibration() throws -> CameraCalibration? {
    try calibration.map { try CameraCalibration(atPath: $0) }
  }
}

/// Options that do not fit the photo; a matter of usage.
enum PhotoOptionError: CategorizedError, CustomStringConvertible {
  case hasDepth

  var category: FailureCategory { .usage }

  var description: String {
    "the photo has depth already; --replace-depth puts other depth in its place"
  }
}

/// Disparity or depth, as an argument.
enum PhotoQuantityArgument: String, ExpressibleByArgument, CaseIterable {
  case disparity
  case depth

  /// The quantity that is stored.
  var quantity: PhotoDepth.Quantity { self == .depth ? .depth : .disparity }
}
