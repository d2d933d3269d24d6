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
        """, valueName: "PX"), transform: StatedNumber.length(parsing:))
  var focal: StatedNumber?

  @Option(
    help: ArgumentHelp(
      "The distance between the cameras in meters, when no file says it.", valueName: "METERS"),
    transform: StatedNumber.length(parsing:))
  var baseline: StatedNumber?

  @Option(
    help: ArgumentHelp(
      "For --rectified: the right principal point's column minus the left one's.",
      discussion: """
        0 for images that OpenCV rectified with CALIB_ZERO_DISPARITY, doffs for Middlebury's. \
        Without it depth is relative.
        """, valueName: "PX"), transform: StatedNumber.init(parsing:))
  var offset: StatedNumber?

  mutating func validate() throws {
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
    reconstructor.state(
      focal: focal, baseline: baseline, offset: offset, isRectified: isRectified)
  }
}
