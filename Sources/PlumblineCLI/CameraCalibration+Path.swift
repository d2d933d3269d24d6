import Plumbline

extension CameraCalibration {
  /// The camera that a file holds, in any of the formats that are read.
  ///
  /// - Throws: `InputError` for the file, `CalibrationFileError` for what is in it.
  init(atPath path: String) throws {
    let bytes = try InputFile(path: path).bytes
    do throws(CalibrationReadingError) {
      self = try CalibrationFile(parsing: bytes).calibration
    } catch { throw CalibrationFileError(path: path, error: error) }
  }
}
