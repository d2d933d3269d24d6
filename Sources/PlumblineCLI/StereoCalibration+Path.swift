import Plumbline

extension StereoCalibration {
  /// Reads a calibration of two cameras from a file.
  init(path: String) throws {
    throw StereoError(.unsupported, expected: "a reader", found: "none yet")
  }
}
