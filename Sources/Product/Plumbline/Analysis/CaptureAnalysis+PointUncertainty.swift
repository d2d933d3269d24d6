import PlumblineGeometry
package import PlumblineModel
import PlumblineVerification

extension CaptureAnalysis {
  /// The ± of each point: that of its depth, with the tilt of its surface where the sensor's noise was
  /// measured by it, and where a measured calibration states how far pixels can be off, that of its
  /// position across the axis too, in squares.
  ///
  /// A map that brings a ± for each pixel keeps it, with what all pixels share. A pixel of middle confidence
  /// has the larger noise that its sensor is known for; one that the sensor distrusts has no ±, which is
  /// NaN.
  var pointUncertainty: PointUncertainty {
    guard let curve = metricSigma, let corrected else { return .unknown }
    let size = corrected.depth.size
    let along = pixelwiseSigma
    guard let across = projectionShares else { return along.map { .meters($0) } ?? .curve(curve) }
    return .meters(
      Raster(size: size) { x, y in
        let z = Double(corrected.depth.meters[x, y])
        let own = along.map { Double($0[x, y]) } ?? curve.sigmaMeters(atDepth: z)
        let moved = z * across[x, y]
        return Float((own * own + moved * moved).squareRoot())
      })
  }

  /// One standard deviation of each corrected depth along the optical axis, in the unit of the depths; NaN
  /// where the depth is missing or its ± unknown, `nil` where it is unknown for all.
  ///
  /// With what all pixels share. Cost: O(*n*).
  package var depthSigma: Raster<Float>? {
    guard let curve = metricSigma, let corrected else { return pixelSigma }
    return pixelwiseSigma
      ?? corrected.depth.meters.map { depth in
        depth.isFinite && depth > 0 ? Float(curve.sigmaMeters(atDepth: Double(depth))) : .nan
      }
  }

  /// The ± of each depth where it does not follow from the depth alone; `nil` where it does.
  private var pixelwiseSigma: Raster<Float>? {
    guard let corrected, let uncertainty = assessment.uncertainty, let record = capture.depth else {
      return nil
    }
    if let own = corrected.sigmaMeters {
      return Raster(size: own.size) { x, y in
        let depth = Double(corrected.depth.meters[x, y])
        let shared = uncertainty.calibration.sigmaMeters(atDepth: depth)
        let sigma = Double(own[x, y])
        return sigma >= 0 ? Float((sigma * sigma + shared * shared).squareRoot()) : .nan
      }
    }
    let leaning = uncertainty.sigmaMeters(of: corrected)
    guard let errors = measurementErrors, errors.middleConfidenceFactor != nil,
      let confidence = record.croppedConfidence, confidence.levels.size == corrected.depth.size
    else { return leaning }
    return Raster(size: corrected.depth.size) { x, y in
      let depth = Double(corrected.depth.meters[x, y])
      let whole =
        leaning.map { Double($0[x, y]) } ?? uncertainty.total.sigmaMeters(atDepth: depth)
      let level = (value: confidence.levels[x, y], maximum: confidence.maximumLevel)
      guard let full = errors.sensorSigma(atDepth: depth),
        let own = errors.sensorSigma(atDepth: depth, confidence: level)
      else { return .nan }
      return Float((whole * whole - full * full + own * own).squareRoot())
    }
  }

  /// How far a measured calibration can be off at each pixel, in units of the ray; `nil` without one.
  private var projectionShares: Raster<Double>? {
    guard let record = capture.depth, record.cleanAperture == nil,
      let projection = record.calibrationUncertainty?.projection, let corrected,
      let focal = corrected.calibration?.intrinsics.focalLength.x
    else { return nil }
    let size = corrected.depth.size
    // A share of the width is so many pixels, and a pixel so many units of the ray.
    let perShare = Double(size.width) / focal
    return Raster(size: size) { x, y in
      projection.sigmaShare(
        at: SIMD2(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)))
        * perShare
    }
  }
}
