import PlumblineExport
internal import PlumblineJSON
public import PlumblineModel
public import PlumblineVerification
import PlumblineVision

/// A calibration file that a user hands in: this package's own JSON, or OpenCV's YAML.
public enum GivenCalibration {
  /// Reads a camera for images of a size.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - size: The size of the images that it is compared with.
  /// - Returns: The camera at that size, with the ± of its focal length.
  /// - Throws: ``JSONReadingError``, ``CalibrationReadingError``; also for a file without a ±, since
  ///   nothing can be judged by it.
  public static func camera(_ bytes: [UInt8], for size: RasterSize) throws -> MeasuredCamera {
    let isJSON = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } == 0x7B
    var calibration: CameraCalibration?
    var uncertainty: CalibrationUncertainty?
    var isRectified: Bool?
    if isJSON {
      let document = try CalibrationDocument(JSONValue(parsing: bytes))
      calibration = document.calibration
      uncertainty = document.uncertainty
      isRectified = document.isRectified
    } else {
      let file = try OpenCVCalibrationYAML(parsing: bytes, imageSize: size)
      calibration = try file.calibration()
      uncertainty = file.uncertainty
    }
    guard let calibration, calibration.intrinsics.matchesAspect(of: size) else {
      throw CalibrationReadingError(
        .unsupported, path: ["reference"], expected: "a camera for images of \(size)",
        found: calibration.map { "one for \($0.intrinsics.size)" } ?? "none")
    }
    guard let sigma = uncertainty?.focalLengthPixels?.x else {
      throw CalibrationReadingError(
        .missing, path: ["uncertainty"], expected: "the sigma of the focal length",
        found: "none, and without it nothing can be judged")
    }
    let scaled = calibration.scaled(to: size)
    var lens = LensModel.none
    if isRectified != true, let distortion = scaled.distortion, !distortion.isZero {
      lens = .radial(distortion)
    }
    let scale = Double(size.width) / Double(calibration.intrinsics.size.width)
    return MeasuredCamera(
      camera: CameraModel(intrinsics: scaled.intrinsics, lens: lens), focalSigma: sigma * scale)
  }
}
