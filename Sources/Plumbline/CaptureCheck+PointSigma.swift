import PlumblineGeometry
import PlumblineModel

extension CaptureCheck {
  /// The ± of each point: that of its depth, and where a measured calibration states how far
  /// pixels can be off, that of its place across the axis too, in squares.
  var pointUncertainty: PointUncertainty {
    guard let curve = metricSigma, let corrected else { return .unknown }
    guard let record = capture.depth, record.cleanAperture == nil,
      let projection = record.calibrationUncertainty?.projection,
      let focal = corrected.calibration?.intrinsics.focalLength.x
    else { return .curve(curve) }
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
        let along = curve.sigmaMeters(atDepth: z)
        let across = z * shares[y][x] * perShare
        return Float((along * along + across * across).squareRoot())
      })
  }
}
