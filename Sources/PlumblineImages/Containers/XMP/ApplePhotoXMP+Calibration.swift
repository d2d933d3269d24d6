package import PlumblineModel

extension ApplePhotoXMP {
  /// The properties of a camera; tables become coefficients, the only form that photos have.
  ///
  /// What is not finite is left out, and so is a distortion whose coefficients would need a pixel
  /// size that is not known.
  package static func properties(of calibration: CameraCalibration) -> [XMPWriter.Property] {
    let calibration = calibration.withCoefficients
    let intrinsics = calibration.intrinsics
    func array(_ name: String, _ values: [Double]) -> XMPWriter.Property? {
      guard values.allSatisfy({ Float($0).isFinite }) else { return nil }
      return .array(depthData, "depthData", name, values.map(XMPNumber.single))
    }
    func simple(_ name: String, _ value: String) -> XMPWriter.Property {
      .simple(depthData, "depthData", name, value)
    }
    var result: [XMPWriter.Property?] = [
      array(
        "IntrinsicMatrix",
        [
          intrinsics.focalLength.x, 0, 0, 0, intrinsics.focalLength.y, 0,
          intrinsics.principalPoint.x, intrinsics.principalPoint.y, 1,
        ]),
      simple("IntrinsicMatrixReferenceWidth", String(intrinsics.size.width)),
      simple("IntrinsicMatrixReferenceHeight", String(intrinsics.size.height)),
    ]
    if let size = calibration.pixelSizeMillimeters, size.isFinite {
      result.append(simple("PixelSize", XMPNumber.exact(size)))
    }
    if let pose = calibration.extrinsics {
      let columns = [
        pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translationMillimeters,
      ]
      result.append(array("ExtrinsicMatrix", columns.flatMap { [$0.x, $0.y, $0.z] }))
    }
    if let distortion = calibration.distortion, Float(distortion.center.x).isFinite,
      Float(distortion.center.y).isFinite
    {
      result += [
        simple("LensDistortionCenterOffsetX", XMPNumber.single(distortion.center.x)),
        simple("LensDistortionCenterOffsetY", XMPNumber.single(distortion.center.y)),
      ]
      // Apple's names are swapped against what the coefficients do.
      if case .coefficients(let values)? = distortion.distorting {
        result.append(array("InverseLensDistortionCoefficients", values))
      }
      if case .coefficients(let values)? = distortion.undistorting {
        result.append(array("LensDistortionCoefficients", values))
      }
    }
    return result.compactMap(\.self)
  }
}
