public import PlumblineModel

/// A fault of real captures.
public enum CaptureFault: Hashable, Sendable {
  /// The claimed focal length is the true one times a factor; 1.062 is a published device fault.
  case focalLengthScaled(by: Double)
  /// The claimed focal lengths are these, in pixels of the claimed size.
  case focalLengths(SIMD2<Double>)
  /// The claimed center of distortion is this, in pixels of the claimed size.
  case distortionCenter(SIMD2<Double>)
  /// The numbers are correct, but stated for an image of another size.
  case claimedSize(RasterSize)
  /// The image is distorted, but the file claims it is not: eight zeros in each direction.
  case claimsNoDistortion
  /// The map is mirrored left to right, but the calibration is not.
  case mirrored
  /// The map shows the scene enlarged by 1/factor about its center, as if cropped from a larger
  /// image; 0.95074 is a published fault between ARKit and AVFoundation.
  case misalignedZoom(Double)
  /// The stored disparity is `(d − offset)/scale`, so the true one is `scale·stored + offset`.
  case relative(scale: Double, offset: Double)
  /// The intrinsics are stated for the map's own size, with the principal point scaled as `c·s`
  /// instead of `(c + ½)·s − ½`: half a pixel too far to the lower right in a small map.
  case naivelyScaled
  /// Disks of the map are missing, with this total fraction.
  case holes(share: Double, seed: UInt64)
  /// Depths are rounded to steps in meters; 0.001 is a file in integer millimeters.
  case steps(meters: Double)
  /// The disparity is too small by a constant, in 1/m: a depth `z` becomes `z/(1 − c·z)`, and planes stay
  /// planes; what would lie at infinity is missing.
  case curved(perMeter: Double)
}

extension SensorMeasurement {
  /// The measurement with one more fault; the ground truth is unchanged.
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
    case .naivelyScaled: copy.calibration.scaleNaively(to: disparity.size)
    case .holes(let share, let seed): copy.disparity = disparity.punched(share, seed: seed)
    case .steps(let meters):
      let step = Float(meters)
      copy.disparity =
        DepthMap(meters: disparity.depthMap.meters.map { ($0 / step).rounded() * step })
        .disparityMap
    case .curved(let perMeter):
      copy.disparity = DisparityMap(
        inverseMeters: disparity.inverseMeters.map { inverse in
          let curved = inverse - Float(perMeter)
          return curved > 0 ? curved : DepthMap.missing
        })
    }
    return copy
  }
}

extension CameraCalibration {
  /// Sets the lens that a reader would build from the claimed numbers, whose radius follows from
  /// them.
  fileprivate mutating func claimLens(center: SIMD2<Double>? = nil) {
    guard let lens = distortion else { return }
    distortion = LensDistortion(
      center: center ?? lens.center, size: intrinsics.size,
      pixelSizeMillimeters: lens.pixelSizeMillimeters, distorting: lens.distorting,
      undistorting: lens.undistorting)
  }
}

extension CameraCalibration {
  /// Scales the numbers in the wrong way that many programs use.
  mutating func scaleNaively(to size: RasterSize) {
    let naive = intrinsics.principalPoint * (Double(size.width) / Double(intrinsics.size.width))
    self = scaled(to: size)
    intrinsics.principalPoint = naive
  }
}

extension DisparityMap {
  /// Removes disks with a radius of 2 to 12 pixels until a fraction of the map is missing.
  fileprivate func punched(_ share: Double, seed: UInt64) -> DisparityMap {
    var generator = SeededGenerator(seed: seed)
    var map = inverseMeters.packed
    let wanted = Int(min(max(share, 0), 0.95) * Double(size.pixelCount))
    var missing = map.samples.count { !$0.isFinite }
    while missing < wanted {
      let radius = 2 + generator.integer(below: 11)
      let middle = (generator.integer(below: size.width), generator.integer(below: size.height))
      for y in max(middle.1 - radius, 0)...min(middle.1 + radius, size.height - 1) {
        for x in max(middle.0 - radius, 0)...min(middle.0 + radius, size.width - 1) {
          let (dx, dy) = (x - middle.0, y - middle.1)
          guard dx * dx + dy * dy <= radius * radius, map[x, y].isFinite else { continue }
          map[x, y] = DepthMap.missing
          missing += 1
        }
      }
    }
    return DisparityMap(inverseMeters: map)
  }

  /// Copies pixel `u` from `factor·(u − center) + center`, nearest.
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
