public import PlumblineModel
import PlumblineVision

extension OpenCVCalibrationYAML {
  /// Reads a file that OpenCV wrote.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - size: The size of the images, for files that do not say it; their own size goes first.
  /// - Throws: `.malformed` for bytes that are not of this dialect or no camera, `.missing` without
  ///   `camera_matrix` or a size, `.unsupported` for terms beyond `k1 k2 p1 p2 k3`.
  public init(
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
