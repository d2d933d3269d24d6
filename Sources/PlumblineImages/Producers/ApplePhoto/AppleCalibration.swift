package import PlumblineModel

extension CameraCalibration {
  /// Reads the calibration that Apple writes beside a depth map.
  ///
  /// It is `nil` when there is none, or none that a camera could have; `findings` then says why.
  /// The names of the two coefficient lists are swapped in files: the *inverse* ones generate the
  /// table from undistorted to distorted points. See `Documentation/formats/xmp-apple-depth.md`.
  package init?(_ metadata: AppleDepthMetadata, findings: inout [Finding]) {
    guard let matrix = metadata.intrinsicMatrix else { return nil }
    guard let size = metadata.intrinsicMatrixReferenceSize, size.pixelCount > 0 else {
      findings.append(
        Self.damaged(
          "intrinsics without the size that they belong to", "IntrinsicMatrixReferenceWidth"))
      return nil
    }
    guard let intrinsics = PinholeIntrinsics(columnMajor: matrix, size: size) else {
      findings.append(
        Self.damaged("the intrinsic matrix is not that of a camera", "IntrinsicMatrix = \(matrix)"))
      return nil
    }
    var extrinsics: CameraExtrinsics?
    if let matrix = metadata.extrinsicMatrix {
      extrinsics = CameraExtrinsics(columnMajor: matrix)
      if extrinsics == nil {
        findings.append(
          Self.damaged("the extrinsic matrix holds no rotation", "ExtrinsicMatrix = \(matrix)"))
      }
    }
    let pixelSize = metadata.pixelSizeInMillimeters.flatMap { $0 > 0 ? $0 : nil }
    let distortion = Self.distortion(metadata, size, pixelSize, &findings)
    guard distortion?.isFinite != false else {
      findings.append(
        Self.damaged(
          "the distortion is not that of a lens: it moves points out of sight",
          "LensDistortionCoefficients, InverseLensDistortionCoefficients, PixelSize"))
      return nil
    }
    self.init(
      intrinsics: intrinsics, pixelSizeMillimeters: pixelSize, distortion: distortion,
      extrinsics: extrinsics)
  }

  private static func distortion(
    _ metadata: AppleDepthMetadata, _ size: RasterSize, _ pixelSize: Double?,
    _ findings: inout [Finding]
  ) -> LensDistortion? {
    let distorting = metadata.inverseLensDistortionCoefficients.map(
      RadialMagnification.coefficients)
    let undistorting = metadata.lensDistortionCoefficients.map(RadialMagnification.coefficients)
    guard distorting != nil || undistorting != nil,
      let x = metadata.lensDistortionCenterX, let y = metadata.lensDistortionCenterY
    else { return nil }
    // Apple documents a center of zero as "not available", and then nothing may be rectified.
    if x == 0 && y == 0 { return nil }
    let isZero = distorting?.isZero != false && undistorting?.isZero != false
    guard pixelSize != nil || isZero else {
      findings.append(
        damaged("distortion coefficients without the pixel size that they count in", "PixelSize"))
      return nil
    }
    return LensDistortion(
      center: [x, y], size: size, pixelSizeMillimeters: pixelSize ?? 0, distorting: distorting,
      undistorting: undistorting)
  }

  private static func damaged(_ message: String, _ evidence: String) -> Finding {
    Finding(.calibrationDamaged, .caution, message, evidence: evidence)
  }
}
