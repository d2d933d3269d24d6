package import PlumblineModel

extension Oracle {
  /// The points of a map, unprojected one by one; lens distortion is removed where there is any.
  ///
  /// - Parameters:
  ///   - depth: Meters.
  ///   - calibration: The camera of the map, at the map's size.
  /// - Returns: Points in the camera frame in the map's pixel order; three NaN where missing.
  package static func points(
    of depth: DepthMap, calibration: CameraCalibration
  ) -> [SIMD3<Double>] {
    precondition(calibration.intrinsics.size == depth.size, "the camera is not the map's")
    let camera = calibration.intrinsics
    var points: [SIMD3<Double>] = []
    for y in 0..<depth.size.height {
      for x in 0..<depth.size.width {
        let z = Double(depth.meters[x, y])
        var pixel = SIMD2(Double(x), Double(y))
        if let distortion = calibration.distortion {
          pixel = undistorted(pixel, distortion)
        }
        points.append(
          SIMD3(
            z * (pixel.x - camera.principalPoint.x) / camera.focalLength.x,
            z * (pixel.y - camera.principalPoint.y) / camera.focalLength.y, z))
      }
    }
    return points.map { $0.z.isNaN ? SIMD3(repeating: .nan) : $0 }
  }

  /// The undistorted position of a distorted point: Apple's reference algorithm, step by step.
  ///
  /// - Source: the comment on `lensDistortionLookupTable` in Apple's `AVCameraCalibrationData.h`.
  package static func undistorted(
    _ point: SIMD2<Double>, _ distortion: LensDistortion
  ) -> SIMD2<Double> {
    guard let magnification = distortion.undistorting else {
      return invertedByIteration(point, distortion)
    }
    return moved(point, by: magnification, distortion)
  }

  /// Where the lens puts an undistorted point, by the forward direction.
  package static func distorted(
    _ point: SIMD2<Double>, _ distortion: LensDistortion
  ) -> SIMD2<Double> {
    guard let magnification = distortion.distorting else { return point }
    return moved(point, by: magnification, distortion)
  }

  private static func moved(
    _ point: SIMD2<Double>, by magnification: RadialMagnification, _ distortion: LensDistortion
  ) -> SIMD2<Double> {
    let x = point.x - distortion.center.x
    let y = point.y - distortion.center.y
    let radius = min((x * x + y * y).squareRoot(), distortion.maximumRadius)
    var offset = 0.0
    switch magnification {
    case .table(let samples):
      let last = samples.count - 1
      let position = radius / distortion.maximumRadius * Double(last)
      let index = min(Int(position), max(last - 1, 0))
      let share = position - Double(index)
      if last > 0 {
        offset = Double(samples[index]) * (1 - share) + Double(samples[index + 1]) * share
      }
    case .coefficients(let percents):
      var power = 1.0
      for percent in percents {
        offset += percent * power / 100
        power *= (radius * distortion.pixelSizeMillimeters)
        power *= (radius * distortion.pixelSizeMillimeters)
      }
    }
    return [
      distortion.center.x + x * (1 + offset), distortion.center.y + y * (1 + offset),
    ]
  }

  /// Finds the point that the forward direction takes to the given one, by fixed-point iteration.
  private static func invertedByIteration(
    _ point: SIMD2<Double>, _ distortion: LensDistortion
  ) -> SIMD2<Double> {
    var guess = point
    for _ in 0..<100 { guess += point - distorted(guess, distortion) }
    return guess
  }
}
