public import PlumblineCorrection
public import PlumblineModel

/// What the tilt of a surface adds to the noise of a sensor whose law was measured with it.
struct TiltNoise: Hashable, Sendable {
  /// Meters of σ per tangent of the angle between ray and normal.
  var perTangentMeters: Double
  /// The tangent that the sensor's curve holds: only steeper surfaces add to it.
  var typicalTangent: Double

  /// The tilt noise of TrueDepth, measured with boards.
  ///
  /// The 0.36 mm are those of the law with the tilt in `Documentation/sensors.md`. The curve was
  /// chosen for pixels up to 50° and covers those below 35° amply, so that 35° is taken as typical.
  static let trueDepth = TiltNoise(perTangentMeters: 0.00036, typicalTangent: 0.7)

  /// The variance that a tilt adds, in square meters.
  func variance(atTangent tangent: Double) -> Double {
    let square = tangent * tangent - typicalTangent * typicalTangent
    return max(0, square) * perTangentMeters * perTangentMeters
  }
}

extension DepthUncertainty {
  /// The ± of each pixel with the tilt of its surface, all parts together; `nil` where tilt was not
  /// measured or the map has no rays.
  ///
  /// ``total`` knows no surface and holds a typical tilt. Steeper surfaces have more noise.
  ///
  /// - Parameter corrected: The map that this is the ± of.
  /// - Returns: Meters along the optical axis, at least ``total`` of the depth; NaN where the depth is
  ///   missing. Cost: O(*n*).
  public func sigmaMeters(of corrected: CorrectedDepth) -> Raster<Float>? {
    guard let tilt, let rays = corrected.rays, rays.size == corrected.depth.size else {
      return nil
    }
    let tangents = SurfaceTilt(corrected.depth, rays: rays).tangents
    let curve = total
    return Raster(size: corrected.depth.size) { x, y in
      let depth = Double(corrected.depth.meters[x, y])
      guard depth > 0 else { return .nan }
      let sigma = curve.sigmaMeters(atDepth: depth)
      let added = tilt.variance(atTangent: Double(tangents[x, y]))
      return Float((sigma * sigma + added).squareRoot())
    }
  }
}
