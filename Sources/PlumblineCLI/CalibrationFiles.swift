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
