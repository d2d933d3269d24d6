package import PlumblineIO
public import PlumblineModel

/// A calibration from a file in any of the supported formats.
public struct CalibrationFile: Sendable {
  /// The supported formats, distinguished by their first bytes.
  public enum Format: String, Sendable, CaseIterable {
    /// `plumbline.calibration/1`.
    case plumbline
    /// OpenCV's YAML.
    case openCV
    /// Open3D's JSON.
    case open3D
  }

  /// The format of the file.
  public var format: Format
  /// The calibration, at its own reference size.
  public var calibration: CameraCalibration
  /// One standard deviation of its numbers; `nil` if the file does not state it.
  public var uncertainty: CalibrationUncertainty?
  /// Whether the file states that its images are rectified; `nil` if it states nothing.
  public var isRectified: Bool?

  /// Reads a file in one of the formats.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - size: The size of the images, for an OpenCV file that does not state it.
  /// - Throws: ``CalibrationReadingError``; also for a document without a calibration, and for
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
  /// Reads the bytes of a document with the schema `plumbline.calibration/1`.
  ///
  /// - Throws: ``CalibrationReadingError`` with the path of the member.
  package init(parsing bytes: [UInt8]) throws(CalibrationReadingError) {
    try self.init(CalibrationFile.json(bytes))
  }
}

extension Open3DIntrinsicsJSON {
  /// Reads the bytes of Open3D's document.
  ///
  /// - Throws: ``CalibrationReadingError`` with the path of the member.
  package init(parsing bytes: [UInt8]) throws(CalibrationReadingError) {
    try self.init(CalibrationFile.json(bytes))
  }
}

/// Why bytes could not be read as a calibration: position, expected and found content.
public struct CalibrationReadingError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The bytes contradict their own format.
    case malformed
    /// The numbers are legal but describe a camera that this package cannot represent.
    case unsupported
    /// The file is valid, but lacks something that a calibration needs.
    case missing
    /// Reading on would exceed a limit.
    case limitExceeded
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The keys that lead to the fault, outermost first, such as `["reference", "fx"]`.
  public var path: [String]
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, path: [String] = [], expected: String, found: String) {
    self.reason = reason
    self.path = path
    self.expected = expected
    self.found = found
  }
}

extension CalibrationReadingError: CustomStringConvertible {
  /// One sentence, such as `malformed at camera_matrix: expected 9 numbers, found 4`.
  public var description: String {
    var text = reason == .limitExceeded ? "over a limit" : reason.rawValue
    if !path.isEmpty { text += " at " + path.joined(separator: "/") }
    return text + ": expected \(expected), found \(found)"
  }
}

extension CalibrationReadingError {
  /// Converts the error of a JSON document.
  init(_ error: JSONReadingError) {
    let reason: Reason =
      switch error.reason {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .missing: .missing
      case .limitExceeded: .limitExceeded
      }
    let place = error.offset.map { " at byte \($0)" } ?? ""
    self.init(reason, path: error.path, expected: error.expected + place, found: error.found)
  }
}

/// A pinhole camera in the format of Open3D's `PinholeCameraIntrinsic`.
///
/// Its matrix is **column-major**. It has no lens, so it describes rectified images. Like this
/// package, Open3D has pixel centers at integers.
/// - Source: Open3D, `PinholeCameraIntrinsic::ConvertToJsonValue`, which writes Eigen's memory
///   layout.
package struct Open3DIntrinsicsJSON: Hashable, Sendable {
  /// The camera.
  package var intrinsics: PinholeIntrinsics

  /// Creates a file from a camera of rectified images.
  package init(_ intrinsics: PinholeIntrinsics) { self.intrinsics = intrinsics }

  /// The document; numbers have the fewest digits that are read back as the same `Double`.
  package var json: JSONValue {
    let f = intrinsics.focalLength
    let c = intrinsics.principalPoint
    return [
      "width": .integer(intrinsics.size.width),
      "height": .integer(intrinsics.size.height),
      "intrinsic_matrix": .numbers([f.x, 0, 0, 0, f.y, 0, c.x, c.y, 1]),
    ]
  }
}
