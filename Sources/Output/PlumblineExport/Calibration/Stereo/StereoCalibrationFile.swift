import PlumblineIO
public import PlumblineModel
public import PlumblineStereo
import PlumblineVision

/// A calibration of two cameras from a file in any of the supported formats.
public struct StereoCalibrationFile: Sendable {
  /// The supported formats, distinguished by their first bytes.
  public enum Format: String, Sendable, CaseIterable {
    /// `plumbline.stereo-calibration/1`.
    case plumbline
    /// OpenCV's YAML or XML.
    case openCV
  }

  /// The format of the file.
  public var format: Format
  /// The cameras.
  public var calibration: StereoCalibration

  /// Reads a file in one of the formats.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - extrinsics: OpenCV's second file, with `R` and `T`.
  ///   - size: The size of the images, for OpenCV files that do not state it.
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

/// Two cameras in the format of OpenCV's stereo sample: `M1`, `D1`, `M2`, `D2` in one file, `R` and
/// `T` in the same file or another one.
///
/// - Source: OpenCV, `samples/cpp/stereo_calib.cpp`; `x_right = R·x_left + T`, with the same pixel
///   grid as in this package.
package struct OpenCVStereoCalibration: Hashable, Sendable {
  /// The cameras.
  ///
  /// If the file does not state the unit of `T`, a baseline from 1 mm to 1 m is assumed to be in
  /// meters. Any other baseline makes the calibration not metric, since its unit may be a board
  /// square as well as a millimeter.
  package var calibration: StereoCalibration

  /// Wraps a calibration; `nil` if OpenCV cannot represent a lens, for example a table about a
  /// separate center.
  package init?(_ calibration: StereoCalibration) {
    var copy = calibration
    guard let left = calibration.left.asPolynomial, let right = calibration.right.asPolynomial
    else { return nil }
    copy.left = left
    copy.right = right
    self.calibration = copy
  }

  /// Reads files written by OpenCV, in YAML or XML.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, or the file with `M1`, `D1`, `M2` and `D2`.
  ///   - extrinsics: The file with `R` and `T`, if they are not in the first one.
  ///   - size: The size of the images, which OpenCV's sample does not write; a size in the file
  ///     takes precedence.
  /// - Throws: `.malformed` for bytes that are not such a file, `.missing` without a node or a
  ///   size, `.unsupported` for terms beyond `k1 k2 p1 p2 k3`.
  package init(
    parsing bytes: [UInt8], extrinsics: [UInt8]? = nil, imageSize size: RasterSize? = nil
  ) throws(CalibrationReadingError) {
    let document = try OpenCVStorage(parsing: bytes)
    var second = document
    if let extrinsics { second = try OpenCVStorage(parsing: extrinsics) }
    let (own, others) = (try document.size, try second.size)
    guard let size = own ?? others ?? size else {
      throw CalibrationReadingError(
        .missing,
        expected: "the size of the images, which a matrix of OpenCV's stereo sample belongs to",
        found: document.namesInWords)
    }
    let left = try Self.camera(
      document, ["M1", "K1", "cameraMatrix1"], ["D1", "distCoeffs1"], size)
    let right = try Self.camera(
      document, ["M2", "K2", "cameraMatrix2"], ["D2", "distCoeffs2"], size)
    let r = try Self.numbers(second, ["R"], count: 9)
    let t = try Self.numbers(second, ["T"], count: 3)
    guard
      let rotation = Rotation(
        columns: [r[0], r[3], r[6]], [r[1], r[4], r[7]], [r[2], r[5], r[8]])
    else {
      throw CalibrationReadingError(
        .malformed, path: ["R"], expected: "a rotation", found: Self.words(r))
    }
    let length = (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]).squareRoot()
    let unit = try second.number("translation_unit_meters")
    let limit = StereoCalibrationDocument.translationLimit
    guard length > 0, length < limit, unit.map({ $0 > 0 && $0 <= 1000 }) ?? true,
      length * (unit ?? 1) < limit
    else {
      throw CalibrationReadingError(
        .malformed, path: ["T"], expected: "a distance between the cameras", found: Self.words(t))
    }
    let isMetric = unit != nil || (1e-3...1).contains(length)
    calibration = StereoCalibration(
      left: left, right: right,
      rightFromLeft: RigidTransform(
        rotation: rotation, translation: SIMD3(t[0], t[1], t[2]) * (unit ?? 1)),
      isMetric: isMetric)
  }

  private static func camera(
    _ document: OpenCVStorage, _ names: [String], _ lensNames: [String], _ size: RasterSize
  ) throws(CalibrationReadingError) -> CameraModel {
    let m = try numbers(document, names, count: 9)
    guard
      let intrinsics = PinholeIntrinsics(
        columnMajor: [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]], size: size)
    else {
      throw CalibrationReadingError(
        .malformed, path: [names[0]], expected: "fx 0 cx, 0 fy cy, 0 0 1 of a camera of \(size)",
        found: words(m))
    }
    var terms: [Double] = []
    for name in lensNames { if let found = try document.numbers(name) { terms = found } }
    let lens = try OpenCVCalibrationYAML.lens(terms, path: [lensNames[0]])
    return CameraModel(intrinsics: intrinsics, lens: lens)
  }

  private static func numbers(
    _ document: OpenCVStorage, _ names: [String], count: Int
  ) throws(CalibrationReadingError) -> [Double] {
    for name in names {
      guard let found = try document.numbers(name) else { continue }
      guard found.count == count else {
        throw CalibrationReadingError(
          .malformed, path: [name], expected: "\(count) numbers", found: "\(found.count)")
      }
      return found
    }
    throw CalibrationReadingError(
      .missing, expected: "a node \(names[0])", found: document.namesInWords)
  }

  private static func words(_ numbers: [Double]) -> String {
    numbers.map(\.description).joined(separator: " ")
  }

  /// Both files in one, with the size and the unit that OpenCV's sample omits; the same numbers
  /// give the same bytes.
  package var bytes: [UInt8] {
    let (left, right) = (calibration.left.intrinsics.size, calibration.right.intrinsics.size)
    var text = "%YAML:1.0\n---\n"
    // One size for both, as in OpenCV; images of two sizes are stored separately.
    if left == right {
      text += "image_width: \(left.width)\nimage_height: \(left.height)\n"
    }
    for (number, camera) in [(1, calibration.left), (2, calibration.right)] {
      let (f, c) = (camera.intrinsics.focalLength, camera.intrinsics.principalPoint)
      text += OpenCVCalibrationYAML.matrix(
        "M\(number)", rows: 3, [f.x, 0, c.x, 0, f.y, c.y, 0, 0, 1])
      var terms: [Double] = [0, 0, 0, 0, 0]
      if case .polynomial(let k, let p) = camera.lens { terms = [k.x, k.y, p.x, p.y, k.z] }
      text += OpenCVCalibrationYAML.matrix("D\(number)", rows: 1, terms)
    }
    let (r, t) = (calibration.rightFromLeft.rotation, calibration.rightFromLeft.translation)
    text += OpenCVCalibrationYAML.matrix(
      "R", rows: 3, [r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z])
    text += OpenCVCalibrationYAML.matrix("T", rows: 3, [t.x, t.y, t.z])
    if calibration.isMetric { text += "translation_unit_meters: 1\n" }
    return Array(text.utf8)
  }
}

extension CameraModel {
  /// The same camera with a lens that OpenCV can represent; `nil` if there is none.
  fileprivate var asPolynomial: CameraModel? {
    guard case .radial(let distortion) = lens else { return self }
    guard let radial = distortion.radialPolynomial(of: intrinsics) else { return nil }
    return CameraModel(
      intrinsics: intrinsics, lens: .polynomial(radial: radial, tangential: .zero))
  }
}
