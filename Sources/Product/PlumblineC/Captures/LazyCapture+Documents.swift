import CPlumbline
import Plumbline

extension LazyCapture {
  /// What the file contains as read: `plumbline.inspect/1`, as the command prints it.
  ///
  /// Cost: mattes and gain map are decoded, and the file's digest is computed.
  mutating func contents() throws -> JSONValue {
    let capture = try analyzer.corrected(captureWithCompanions())
    let analysis = analyzer.analysis(
      of: capture, fileName: origin.name, sha256: origin.sha256)
    return analysis.capture.inspectDocument(
      fileName: analysis.fileName, sha256: analysis.sha256)
  }

  /// The camera at the size of the depth map.
  ///
  /// - Throws: A missing part where there is none that fits the map.
  mutating func calibration() throws -> plumbline_calibration {
    let corrected = try corrected()
    guard let camera = corrected.corrected?.calibration else {
      throw InterfaceError.missing(
        "calibration", expected: "a camera that fits the depth map",
        found: corrected.capture.depth == nil ? "no depth map" : "none")
    }
    let intrinsics = camera.intrinsics
    let reference = corrected.capture.depth?.calibration?.intrinsics.size
    let uncertainty = reference.flatMap {
      corrected.capture.depth?.calibrationUncertainty?.scaled(from: $0, to: intrinsics.size)
    }
    var calibration = plumbline_calibration()
    calibration.width = Int64(intrinsics.size.width)
    calibration.height = Int64(intrinsics.size.height)
    calibration.fx = intrinsics.focalLength.x
    calibration.fy = intrinsics.focalLength.y
    calibration.cx = intrinsics.principalPoint.x
    calibration.cy = intrinsics.principalPoint.y
    calibration.sigma_focal = uncertainty?.focalLengthPixels?.x ?? .nan
    calibration.sigma_center = uncertainty?.principalPointPixels?.x ?? .nan
    calibration.is_rectified = camera.distortion?.isZero ?? true
    return calibration
  }
}
