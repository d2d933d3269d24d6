import PlumblineIO
package import PlumblineModel
package import PlumblineVision

/// A camera in the format of OpenCV's calibration programs: `image_width`, `image_height`,
/// `camera_matrix`, `distortion_coefficients` in the YAML dialect of `cv::FileStorage`.
///
/// OpenCV has the same pixel grid as this package: the center of the first pixel is (0, 0).
/// - Source: OpenCV `samples/cpp/calibration.cpp`, `saveCameraParams`; `modules/core`,
///   `persistence_yml.cpp`.
package struct OpenCVCalibrationYAML: Hashable, Sendable {
  /// The camera; its lens is `.none` or `.polynomial`.
  package var camera: CameraModel
  /// One standard deviation of its numbers; `nil` if unknown.
  package var uncertainty: CalibrationUncertainty?
  /// The root mean square reprojection error in pixels; `nil` if unknown.
  package var reprojectionRMSPixels: Double?

  /// Creates a file from its parts.
  ///
  /// - Precondition: The lens is not a table about a separate center, which OpenCV cannot
  ///   represent; see ``init(_:uncertainty:)``.
  package init(
    camera: CameraModel, uncertainty: CalibrationUncertainty? = nil,
    reprojectionRMSPixels: Double? = nil
  ) {
    if case .radial = camera.lens {
      preconditionFailure("OpenCV has no lens made of tables; convert it first")
    }
    self.camera = camera
    self.uncertainty = uncertainty
    self.reprojectionRMSPixels = reprojectionRMSPixels
  }

  /// Converts a calibration; `nil` unless its lens is exactly a radial polynomial about the
  /// principal point, since OpenCV cannot represent other lenses.
  package init?(_ calibration: CameraCalibration, uncertainty: CalibrationUncertainty? = nil) {
    let intrinsics = calibration.intrinsics
    var lens = LensModel.none
    if let distortion = calibration.distortion, !distortion.isZero {
      guard let radial = distortion.radialPolynomial(of: intrinsics) else { return nil }
      lens = .polynomial(radial: radial, tangential: .zero)
    }
    self.init(camera: CameraModel(intrinsics: intrinsics, lens: lens), uncertainty: uncertainty)
  }

  /// Converts the camera to a calibration of this package.
  ///
  /// - Throws: `.unsupported` for tangential terms other than 0, which move points sideways so that
  ///   ``LensDistortion`` cannot represent them, for focal lengths that differ by more than 1 %,
  ///   and for an implausible lens. A new calibration with the tangential terms fixed at 0 is
  ///   usable.
  package func calibration() throws(CalibrationReadingError) -> CameraCalibration {
    let intrinsics = camera.intrinsics
    guard abs(intrinsics.focalLength.x / intrinsics.focalLength.y - 1) < 0.01 else {
      throw CalibrationReadingError(
        .unsupported, path: ["camera_matrix"], expected: "focal lengths that agree within 1 %",
        found: "\(intrinsics.focalLength.x) and \(intrinsics.focalLength.y)")
    }
    guard case .polynomial(let radial, let tangential) = camera.lens else {
      return CameraCalibration(intrinsics: intrinsics)
    }
    guard tangential == .zero else {
      throw CalibrationReadingError(
        .unsupported, path: ["distortion_coefficients"],
        expected: "tangential terms p1 = p2 = 0 (calibrate with CALIB_ZERO_TANGENT_DIST)",
        found: "p1 = \(tangential.x), p2 = \(tangential.y)")
    }
    guard radial != .zero else { return CameraCalibration(intrinsics: intrinsics) }
    let lens = LensDistortion(radialPolynomial: radial, of: intrinsics)
    guard lens.isPlausible else {
      throw CalibrationReadingError(
        .unsupported, path: ["distortion_coefficients"],
        expected: "a lens that keeps the order of points and moves them by at most half",
        found: "k1 = \(radial.x), k2 = \(radial.y), k3 = \(radial.z)")
    }
    return CameraCalibration(intrinsics: intrinsics, distortion: lens)
  }

  /// The file; the same numbers give the same bytes.
  package var bytes: [UInt8] {
    let intrinsics = camera.intrinsics
    let f = intrinsics.focalLength
    let c = intrinsics.principalPoint
    var text = "%YAML:1.0\n---\n"
    text += "image_width: \(intrinsics.size.width)\nimage_height: \(intrinsics.size.height)\n"
    text += Self.matrix("camera_matrix", rows: 3, [f.x, 0, c.x, 0, f.y, c.y, 0, 0, 1])
    var terms: [Double] = [0, 0, 0, 0, 0]
    if case .polynomial(let k, let p) = camera.lens { terms = [k.x, k.y, p.x, p.y, k.z] }
    text += Self.matrix("distortion_coefficients", rows: 5, terms)
    if let rms = reprojectionRMSPixels { text += "avg_reprojection_error: \(rms)\n" }
    if let uncertainty {
      let known: [(String, [Double]?)] = [
        ("sigma_focal_length", uncertainty.focalLengthPixels.map { [$0.x, $0.y] }),
        ("sigma_principal_point", uncertainty.principalPointPixels.map { [$0.x, $0.y] }),
        ("sigma_radial_terms", uncertainty.radialTerms),
      ]
      for (name, numbers) in known {
        if let numbers, !numbers.isEmpty {
          text += Self.matrix(name, rows: numbers.count, numbers)
        }
      }
      text += "sigma_basis: \(JSONWriter(layout: .compact).text(.string(uncertainty.basis)))\n"
    }
    return Array(text.utf8)
  }

  static func matrix(_ name: String, rows: Int, _ numbers: [Double]) -> String {
    let data = numbers.map(\.description).joined(separator: ", ")
    return "\(name): !!opencv-matrix\n   rows: \(rows)\n   cols: \(numbers.count / rows)\n"
      + "   dt: d\n   data: [ \(data) ]\n"
  }
}

extension OpenCVCalibrationYAML {
  /// Reads a file written by OpenCV.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - size: The size of the images, for files that do not state it; a size in the file takes
  ///     precedence.
  /// - Throws: `.malformed` for bytes that are not of this dialect or not a camera, `.missing`
  ///   without `camera_matrix` or a size, `.unsupported` for terms beyond `k1 k2 p1 p2 k3`.
  package init(
    parsing bytes: [UInt8], imageSize size: RasterSize? = nil
  ) throws(CalibrationReadingError) {
    let document = try OpenCVStorage(parsing: bytes)
    guard let matrix = try document.numbers("camera_matrix") else {
      throw CalibrationReadingError(
        .missing, expected: "a node camera_matrix", found: document.namesInWords)
    }
    guard matrix.count == 9 else {
      throw CalibrationReadingError(
        .malformed, path: ["camera_matrix"], expected: "9 numbers", found: "\(matrix.count)")
    }
    let imageSize = try document.size ?? size
    guard let imageSize else {
      throw CalibrationReadingError(
        .missing, expected: "image_width and image_height, since a matrix belongs to one size",
        found: document.namesInWords)
    }
    let m = matrix
    guard
      let intrinsics = PinholeIntrinsics(
        columnMajor: [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]], size: imageSize)
    else {
      throw CalibrationReadingError(
        .malformed, path: ["camera_matrix"],
        expected: "fx 0 cx, 0 fy cy, 0 0 1 of a camera of \(imageSize)",
        found: matrix.map(\.description).joined(separator: " "))
    }
    let lens = try Self.lens(document.numbers("distortion_coefficients") ?? [])
    self.init(
      camera: CameraModel(intrinsics: intrinsics, lens: lens),
      uncertainty: try Self.uncertainty(document),
      reprojectionRMSPixels: try document.number("avg_reprojection_error"))
  }

  static func lens(
    _ terms: [Double], path: [String] = ["distortion_coefficients"]
  ) throws(CalibrationReadingError) -> LensModel {
    guard [0, 4, 5, 8, 12, 14].contains(terms.count) else {
      throw CalibrationReadingError(
        .malformed, path: path, expected: "4, 5, 8, 12 or 14 numbers", found: "\(terms.count)")
    }
    guard terms.dropFirst(5).allSatisfy({ $0 == 0 }) else {
      throw CalibrationReadingError(
        .unsupported, path: path, expected: "no terms but k1, k2, p1, p2, k3",
        found: "rational, thin prism or tilt terms")
    }
    let limit = StereoCalibrationDocument.lensTermLimit
    guard terms.allSatisfy({ abs($0) < limit }) else {
      throw CalibrationReadingError(
        .malformed, path: path, expected: "terms below \(limit)",
        found: terms.map(\.description).joined(separator: " "))
    }
    guard terms.contains(where: { $0 != 0 }) else { return .none }
    return .polynomial(
      radial: SIMD3(terms[0], terms[1], terms.count > 4 ? terms[4] : 0),
      tangential: SIMD2(terms[2], terms[3]))
  }

  private static func uncertainty(
    _ document: OpenCVStorage
  ) throws(CalibrationReadingError) -> CalibrationUncertainty? {
    func sigmas(_ name: String, count: Int?) throws(CalibrationReadingError) -> [Double]? {
      guard let numbers = try document.numbers(name) else { return nil }
      guard numbers.allSatisfy({ $0 >= 0 }), count == nil || numbers.count == count else {
        throw CalibrationReadingError(
          .malformed, path: [name],
          expected: count.map { "\($0) standard deviations" } ?? "standard deviations",
          found: numbers.map(\.description).joined(separator: " "))
      }
      return numbers
    }
    let focal = try sigmas("sigma_focal_length", count: 2)
    let point = try sigmas("sigma_principal_point", count: 2)
    let radial = try sigmas("sigma_radial_terms", count: nil)
    guard focal != nil || point != nil || radial != nil else { return nil }
    return CalibrationUncertainty(
      focalLengthPixels: focal.map { [$0[0], $0[1]] },
      principalPointPixels: point.map { [$0[0], $0[1]] }, radialTerms: radial,
      basis: document.text("sigma_basis") ?? "as the file states")
  }
}
