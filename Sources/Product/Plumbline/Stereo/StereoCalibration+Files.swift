import PlumblineExport
package import PlumblineModel
package import PlumblineStereo

extension StereoCalibration {
  /// Reads a calibration of two cameras from a file, or from OpenCV's two: intrinsics, then
  /// extrinsics.
  ///
  /// - Parameters:
  ///   - paths: One or two files.
  ///   - size: The size of the images, for files that do not say it.
  /// - Throws: `InputError` for a file, `CalibrationFileError` for what is in it.
  package init(paths: [String], imageSize size: RasterSize) throws {
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
