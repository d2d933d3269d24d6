import PlumblineGeometry
import PlumblineModel

extension CaptureCheck {
  /// One standard deviation of each corrected depth, where the map brings its own, in the unit of the
  /// depths; `nil` elsewhere, NaN where the depth is missing.
  ///
  /// That of known distances is in it. Cost: O(*n*).
  var pixelSigma: Raster<Float>? {
    guard let corrected, let own = corrected.sigmaMeters else { return nil }
    guard corrected.distanceFit != nil, let fit = assessment.uncertainty?.calibration else {
      return own
    }
    return Raster(size: own.size) { x, y in
      let shared = Float(fit.sigmaMeters(atDepth: Double(corrected.depth.meters[x, y])))
      return (own[x, y] * own[x, y] + shared * shared).squareRoot()
    }
  }

  /// The ± of each point: that of its depth, with the tilt of its surface where the sensor's noise was
  /// measured by it, and where a measured calibration states how far
  /// pixels can be off, that of its position across the axis too, in squares.
  var pointUncertainty: PointUncertainty {
    guard let curve = metricSigma, let corrected else { return .unknown }
    let leaning = assessment.uncertainty?.sigmaMeters(of: corrected)
    guard let record = capture.depth, record.cleanAperture == nil,
      let projection = record.calibrationUncertainty?.projection,
      let focal = corrected.calibration?.intrinsics.focalLength.x
    else { return leaning.map { .meters($0) } ?? .curve(curve) }
    let size = corrected.depth.size
    // A share of the width is so many pixels, and a pixel so many units of the ray.
    let perShare = Double(size.width) / focal
    let shares = (0..<size.height).map { y in
      (0..<size.width).map { x in
        projection.sigmaShare(
          at: SIMD2(
            (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)))
      }
    }
    return .meters(
      Raster(size: size) { x, y in
        let z = Double(corrected.depth.meters[x, y])
        let along = leaning.map { Double($0[x, y]) } ?? curve.sigmaMeters(atDepth: z)
        let across = z * shares[y][x] * perShare
        return Float((along * along + across * across).squareRoot())
      })
  }
}
