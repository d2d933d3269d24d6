import PlumblineIO
public import PlumblineModel
public import PlumblineStereo

/// A calibration of two cameras as it comes from any file that is read here.
public struct StereoCalibrationFile: Sendable {
  /// The formats that are distinguished by their first bytes.
  public enum Format: String, Sendable, CaseIterable {
    /// `plumbline.stereo-calibration/1`.
    case plumbline
    /// OpenCV's YAML or XML.
    case openCV
  }

  /// Which format it was.
  public var format: Format
  /// The cameras.
  public var calibration: StereoCalibration

  /// Reads a file of one of the formats.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - extrinsics: OpenCV's second file, with `R` and `T`.
  ///   - size: The size of the images, for OpenCV's files that do not say it.
  /// - Throws: ``CalibrationReadingError``.
  public init(
    parsing bytes: [UInt8], extrinsics: [UInt8]? = nil, imageSize size: RasterSize? = nil
  ) throws(CalibrationReadingError) {
    if bytes.starts(with: "%YAML".utf8) || bytes.starts(with: "<?xml".utf8) {
      format = .openCV
      calibration = try OpenCVStereoCalibration(
        parsing: bytes, extrinsics: extrinsics, imageSize: size
      ).calibration
      return
    }
    let json: JSONValue
    do throws(JSONReadingError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw CalibrationReadingError(error)
    }
    format = .plumbline
    calibration = try StereoCalibrationDocument(json).calibration
  }
}
