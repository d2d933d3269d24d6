import ArgumentParser
import Plumbline

/// Which image a verb takes, and by which camera.
struct ImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The camera of the image: calibration.json, OpenCV's YAML or Open3D's JSON.",
      valueName: "FILE"), completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @Option(
    help: ArgumentHelp("One frame of a recording: its name or number.", valueName: "NAME|INDEX"))
  var frame: String?

  /// The camera that was given, read; `nil` without one.
  var givenCalibration: CameraCalibration? {
    get throws { try calibration.map { try CameraCalibration(atPath: $0) } }
  }
}
