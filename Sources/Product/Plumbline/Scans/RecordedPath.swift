import PlumblineReconstruction

/// What overlapping frames say of recorded poses that are not refined.
struct RecordedPath {
  /// How fast they drift; `nil` where too few frames overlap.
  var drift: RecordedDrift?
  var keyframeCount: Int
  /// The factor by which depths fit the path, with one standard deviation; `nil` where it is not known.
  var depthScale: (value: Double, sigma: Double)?

  /// The most by which the last view wandered from the first one, one coordinate in m²; `nil` where nothing says.
  var largestVariance: Double? { drift?.largestVariance(keyframes: keyframeCount) }

  /// How far the depths are off against the path, as a share, where one standard deviation of it is known beforehand.
  ///
  /// The root of the mean square of a normal distribution after a measurement: with the variances `s²` beforehand and
  /// `r²` of the measured `m` it is `√(μ² + v)` with `v = 1/(1/s² + 1/r²)` and `μ = m·v/r²`.
  func depthScale(within sigma: Double) -> Double {
    guard let depthScale, depthScale.sigma > 0, depthScale.value > 0, sigma > 0 else {
      return sigma
    }
    let measured = 1 / depthScale.value - 1
    let square = depthScale.sigma * depthScale.sigma
    let variance = 1 / (1 / (sigma * sigma) + 1 / square)
    let mean = measured * variance / square
    return (mean * mean + variance).squareRoot()
  }
}
