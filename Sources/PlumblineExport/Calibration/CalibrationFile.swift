import PlumblineIO
public import PlumblineModel

/// A calibration as it comes from any file that is read here, whichever format it has.
public struct CalibrationFile: Sendable {
  /// The formats that are distinguished by their first bytes.
  public enum Format: String, Sendable, CaseIterable {
    /// `plumbline.calibration/1`.
    case plumbline
    /// OpenCV's YAML.
    case openCV
    /// Open3D's JSON.
    case open3D
  }

  /// Which format it was.
  public var format: Format
  /// The calibration, at its own reference size.
  public var calibration: CameraCalibration
  /// One standard deviation of its numbers; `nil` when the file does not say.
  public var uncertainty: CalibrationUncertainty?
  /// Whether it says of its images that they are rectified; `nil` when it does not say.
  public var isRectified: Bool?

  /// Reads a file of one of the formats.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - size: The size of the images, for an OpenCV file that does not say it.
  /// - Throws: ``CalibrationReadingError``; also for a document that holds no calibration, and for
  ///   tangential terms, see ``OpenCVCalibrationYAML/calibration()``.
  public init(
    parsing bytes: [UInt8], imageSize size: RasterSize? = nil
  ) throws(CalibrationReadingError) {
    if bytes.starts(with: "%YAML".utf8) {
      let file = try OpenCVCalibrationYAML(parsing: bytes, imageSize: size)
      self.init(.openCV, try file.calibration(), file.uncertainty)
      return
    }
    let json = try Self.json(bytes)
    if json["intrinsic_matrix"] != nil {
      let camera = try Open3DIntrinsicsJSON(json).intrinsics
      self.init(.open3D, CameraCalibration(intrinsics: camera), nil)
      return
    }
    let document = try CalibrationDocument(json)
    guard let calibration = document.calibration else {
      throw CalibrationReadingError(
        .missing, path: ["reference"], expected: "a camera", found: "null")
    }
    self.init(.plumbline, calibration, document.uncertainty)
    isRectified = document.isRectified
  }

  private init(
    _ format: Format, _ calibration: CameraCalibration, _ uncertainty: CalibrationUncertainty?
  ) {
    self.format = format
    self.calibration = calibration
    self.uncertainty = uncertainty
  }

  fileprivate static func json(_ bytes: [UInt8]) throws(CalibrationReadingError) -> JSONValue {
    do throws(JSONReadingError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw CalibrationReadingError(error)
    }
  }
}

extension CalibrationDocument {
  /// Reads the bytes of a document of the schema `plumbline.calibration/1`.
  ///
  /// - Throws: ``CalibrationReadingError`` with the path of the member.
  public init(parsing bytes: [UInt8]) throws(CalibrationReadingError) {
    try self.init(CalibrationFile.json(bytes))
  }
}

extension Open3DIntrinsicsJSON {
  /// Reads the bytes of Open3D's document.
  ///
  /// - Throws: ``CalibrationReadingError`` with the path of the member.
  public init(parsing bytes: [UInt8]) throws(CalibrationReadingError) {
    try self.init(CalibrationFile.json(bytes))
  }
}
