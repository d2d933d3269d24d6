import PlumblineExport
public import PlumblineModel
import PlumblineStereo
public import PlumblineVerification
import PlumblineVision

/// A calibration file that a user hands in: in any format that ``CalibrationFile`` reads.
public enum GivenCalibration {
  /// Reads a camera for images of a size.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - size: The size of the images that it is compared with.
  /// - Returns: The camera at that size, with the ± of its focal length.
  /// - Throws: ``CalibrationReadingError``; also for a file without a ±, since
  ///   nothing can be assessed with it.
  public static func camera(_ bytes: [UInt8], for size: RasterSize) throws -> MeasuredCamera {
    let file = try CalibrationFile(parsing: bytes, imageSize: size)
    let calibration = file.calibration
    guard calibration.intrinsics.matchesAspect(of: size) else {
      throw CalibrationReadingError(
        .unsupported, path: ["reference"], expected: "a camera for images of \(size)",
        found: "one for \(calibration.intrinsics.size)")
    }
    guard let sigma = file.uncertainty?.focalLengthPixels?.x else {
      throw CalibrationReadingError(
        .missing, path: ["uncertainty"], expected: "the sigma of the focal length",
        found: "none, and without it nothing can be judged")
    }
    let scaled = calibration.scaled(to: size)
    let scale = Double(size.width) / Double(calibration.intrinsics.size.width)
    let camera =
      file.isRectified == true ? CameraModel(intrinsics: scaled.intrinsics) : CameraModel(scaled)
    return MeasuredCamera(camera: camera, focalSigma: sigma * scale)
  }
}
