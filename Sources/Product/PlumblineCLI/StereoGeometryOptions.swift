import ArgumentParser
import Plumbline

/// The options for the geometry of two cameras.
struct StereoGeometryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The calibration of both cameras.",
      discussion: """
        A stereo calibration of this program (plumbline calibrate --stereo), or OpenCV's YAML or \
        XML with M1, D1, M2, D2, R and T; give it twice for OpenCV's intrinsics and extrinsics.
        """, valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml", "xml"]))
  var calibration: [String] = []

  @Flag(
    name: .customLong("side-by-side"),
    help: "One image holds both: the left one in its left half.")
  var isSideBySide = false

  @Flag(
    name: .customLong("rectified"),
    help: ArgumentHelp(
      "The images' rows agree already; --focal, --baseline and --offset are their geometry."))
  var isRectified = false

  @Option(
    help: ArgumentHelp(
      "The focal length in pixels of the images, when no file says it.",
      discussion: """
        With its ± where it is known, as in 995±2 or 995+-2, one standard deviation; the same of \
        --baseline and --offset. Without it one is assumed, and depth never counts as measurable.
        """, valueName: "PX"), transform: StatedNumberArgument.init(parsing:))
  var focal: StatedNumberArgument?

  @Option(
    help: ArgumentHelp(
      "The distance between the cameras in meters, when no file says it.", valueName: "METERS"),
    transform: StatedNumberArgument.init(parsing:))
  var baseline: StatedNumberArgument?

  @Option(
    help: ArgumentHelp(
      "For --rectified: the right principal point's column minus the left one's.",
      discussion: """
        0 for images that OpenCV rectified with CALIB_ZERO_DISPARITY, doffs for Middlebury's. \
        Without it depth is relative.
        """, valueName: "PX"), transform: StatedNumberArgument.init(parsing:))
  var offset: StatedNumberArgument?

  mutating func validate() throws {
    for (name, value) in [("--focal", focal), ("--baseline", baseline)] {
      guard let value else { continue }
      guard value.value > 0 else {
        throw ValidationError("\(name) takes a number above 0, not \(value.value).")
      }
      if let sigma = value.sigma, sigma >= value.value {
        throw ValidationError("\(name) takes a ± below the number, not \(sigma).")
      }
    }
    guard offset == nil || isRectified else {
      throw ValidationError("--offset belongs to --rectified.")
    }
    guard calibration.count <= 2 else {
      throw ValidationError("--calibration is given once, or twice for OpenCV's two files.")
    }
    guard calibration.isEmpty || (!isRectified && focal == nil && baseline == nil) else {
      throw ValidationError(
        "--calibration says all of --rectified, --focal and --baseline; give one or the others.")
    }
  }

  /// Sets what the options say of the cameras in a reconstructor.
  ///
  /// - Parameters:
  ///   - reconstructor: Receives the calibration, or the stated numbers.
  ///   - size: The size of the left image.
  /// - Throws: As `StereoCalibration(paths:imageSize:)`.
  func apply(to reconstructor: inout StereoReconstructor, imageSize size: RasterSize) throws {
    if !calibration.isEmpty {
      reconstructor.calibration = try StereoCalibration(paths: calibration, imageSize: size)
    }
    if isRectified {
      var geometry = StereoReconstructor.RectifiedGeometry(
        focalLengthPixels: focal?.value, baselineMeters: baseline?.value,
        offsetPixels: offset?.value)
      geometry.focalSigmaPixels = focal?.sigma
      geometry.baselineSigmaMeters = baseline?.sigma
      geometry.offsetSigmaPixels = offset?.sigma
      reconstructor.rectified = geometry
    }
    reconstructor.focalLengthPixels = focal?.value
    reconstructor.focalSigmaPixels = focal?.sigma
    reconstructor.baselineMeters = baseline?.value
    reconstructor.baselineSigmaMeters = baseline?.sigma
  }
}

extension StereoCalibration {
  /// Reads a calibration of two cameras from a file, or from OpenCV's two: intrinsics, then
  /// extrinsics.
  ///
  /// - Parameters:
  ///   - paths: One or two files.
  ///   - size: The size of the images, for files that do not say it.
  /// - Throws: `InputError` for a file, `CalibrationFileError` for what is in it.
  init(paths: [String], imageSize size: RasterSize) throws {
    let files = try paths.map { try InputFile(path: $0) }
    do throws(CalibrationReadingError) {
      self = try StereoCalibrationFile(
        parsing: files.first?.bytes ?? [], extrinsics: files.dropFirst().first?.bytes,
        imageSize: size
      ).calibration
    } catch {
      throw CalibrationFileError(path: paths.joined(separator: ", "), error: error)
    }
  }
}

/// `994.98±0.5` or `994.98+-0.5`: a number with its ± where the user states one.
struct StatedNumberArgument {
  let value: Double
  /// One standard deviation in the number's unit; `nil` where none was stated.
  let sigma: Double?

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: "±", maxSplits: 1, omittingEmptySubsequences: false)
    let sides =
      parts.count == 2 ? parts.map(String.init) : Self.split(argument)
    guard let value = Double(sides[0]), abs(value) < 1e6 else {
      throw ValidationError("write a number, or one with its ±, as in 995±2 or 995+-2")
    }
    self.value = value
    guard sides.count == 2 else {
      sigma = nil
      return
    }
    guard let sigma = Double(sides[1]), sigma > 0, sigma < 1e6 else {
      throw ValidationError(
        "write the ± as a number above 0 in the same unit, as in 995±2 or 995+-2")
    }
    self.sigma = sigma
  }

  /// The sides of the first `+-`, which keyboards without ± have; the whole without one.
  private static func split(_ argument: String) -> [String] {
    var head: [Character] = []
    var rest = argument[...]
    while !rest.isEmpty {
      if rest.hasPrefix("+-") { return [String(head), String(rest.dropFirst(2))] }
      head.append(rest.removeFirst())
    }
    return [argument]
  }
}
