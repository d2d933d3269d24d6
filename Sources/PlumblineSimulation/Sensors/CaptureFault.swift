public import PlumblineModel

/// A way in which real captures are wrong.
public enum CaptureFault: Hashable, Sendable {
  /// The claimed focal length is the true one times a factor; 1.062 is a published device fault.
  case focalLengthScaled(by: Double)
  /// The claimed focal lengths are these, in pixels of the claimed size.
  case focalLengths(SIMD2<Double>)
  /// The claimed center of distortion is this, in pixels of the claimed size.
  case distortionCenter(SIMD2<Double>)
  /// The numbers are right but said to belong to an image of another size.
  case claimedSize(RasterSize)
  /// The image is distorted, and the file says that it is not: eight zeros each way.
  case claimsNoDistortion
  /// The map is mirrored left to right, and the calibration is not.
  case mirrored
  /// The map shows the scene enlarged by 1/factor about its middle, as if cut out of a larger
  /// image; 0.95074 is a published fault between ARKit and AVFoundation.
  case misalignedZoom(Double)
  /// The stored disparity is `(d − offset)/scale`: true is `scale·stored + offset`.
  case relative(scale: Double, offset: Double)
}

extension SensorMeasurement {
  /// The measurement with one more fault; the truth stays as it is.
  public func with(_ fault: CaptureFault) -> SensorMeasurement {
    var copy = self
    switch fault {
    case .focalLengthScaled(let factor): copy.calibration.intrinsics.focalLength *= factor
    case .focalLengths(let pixels): copy.calibration.intrinsics.focalLength = pixels
    case .distortionCenter(let center): copy.calibration.claimLens(center: center)
    case .claimedSize(let size):
      copy.calibration.intrinsics.size = size
      copy.calibration.claimLens()
    case .claimsNoDistortion:
      let none = RadialMagnification.coefficients([Double](repeating: 0, count: 8))
      copy.calibration.distortion?.distorting = none
      copy.calibration.distortion?.undistorting = none
    case .mirrored:
      copy.disparity = DisparityMap(
        inverseMeters: disparity.inverseMeters.oriented(by: .upMirrored))
    case .misalignedZoom(let factor): copy.disparity = disparity.zoomed(by: factor)
    case .relative(let scale, let offset):
      copy.disparity = DisparityMap(
        inverseMeters: disparity.inverseMeters.map { Float((Double($0) - offset) / scale) })
      copy.accuracy = .relative
    }
    return copy
  }
}

extension CameraCalibration {
  /// Makes the lens what a reader builds from the claimed numbers: its radius follows from them.
  fileprivate mutating func claimLens(center: SIMD2<Double>? = nil) {
    guard let lens = distortion else { return }
    distortion = LensDistortion(
      center: center ?? lens.center, size: intrinsics.size,
      pixelSizeMillimeters: lens.pixelSizeMillimeters, distorting: lens.distorting,
      undistorting: lens.undistorting)
  }
}

extension DisparityMap {
  /// Takes pixel `u` from `factor·(u − middle) + middle`, nearest.
  fileprivate func zoomed(by factor: Double) -> DisparityMap {
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    return DisparityMap(
      inverseMeters: Raster(size: size) { x, y in
        let source = (SIMD2(Double(x), Double(y)) - middle) * factor + middle
        let pixel = source.rounded(.toNearestOrAwayFromZero)
        let (column, row) = (Int(pixel.x), Int(pixel.y))
        return self.inverseMeters.contains(x: column, y: row)
          ? self.inverseMeters[column, row] : DepthMap.missing
      })
  }
}
