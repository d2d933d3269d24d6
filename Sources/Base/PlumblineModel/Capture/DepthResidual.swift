/// An estimated depth minus the measured depth of each pixel, with its standard deviation.
///
/// It has the field of view of the depth map that it accompanies, but the size of the measured map.
public struct DepthResidual: Sendable, Equatable {
  /// Estimate minus measurement along the optical axis, in meters, positive where the estimate is
  /// too far; NaN where either is missing.
  public let meters: Raster<Float>
  /// One standard deviation of each residual in meters: the uncertainty of the measurement; NaN
  /// where ``meters`` is NaN.
  public let sigmaMeters: Raster<Float>

  /// Combines residuals and their standard deviations.
  ///
  /// - Precondition: Both rasters have the same size.
  package init(meters: Raster<Float>, sigmaMeters: Raster<Float>) {
    precondition(
      meters.size == sigmaMeters.size, "a ± of \(sigmaMeters.size) for \(meters.size)")
    self.meters = meters
    self.sigmaMeters = sigmaMeters
  }

  /// The difference of two depth maps where both have a depth, NaN elsewhere.
  ///
  /// - Parameters:
  ///   - estimate: The estimated depth along the optical axis, in meters.
  ///   - measured: The measured depth along the optical axis, in meters.
  ///   - sigma: One standard deviation of a measured depth, in meters, as a function of that depth.
  /// - Precondition: Both maps have the same size. Cost: O(*n*).
  package init(estimate: DepthMap, measured: DepthMap, sigma: (Double) -> Double) {
    precondition(estimate.size == measured.size, "\(estimate.size) against \(measured.size)")
    var meters = Raster(size: measured.size, repeating: Float.nan)
    var sigmas = meters
    for y in 0..<measured.size.height {
      for x in 0..<measured.size.width {
        let (own, real) = (estimate.meters[x, y], measured.meters[x, y])
        // These comparisons are false for NaN.
        guard own > 0, real > 0, own < .infinity, real < .infinity else { continue }
        meters[x, y] = Float(Double(own) - Double(real))
        sigmas[x, y] = Float(sigma(Double(real)))
      }
    }
    self.init(meters: meters, sigmaMeters: sigmas)
  }

  /// The number of columns and rows.
  public var size: RasterSize { meters.size }

  /// The number of pixels with a residual; O(*n*).
  public var count: Int { meters.samples.count { !$0.isNaN } }

  /// The limits of a color scale for the residual, in meters: the 98 % quantile of its absolute
  /// value, at least 1 mm; `nil` without a residual.
  ///
  /// A few outliers must not reduce the color contrast of all other pixels. O(*n* log *n*).
  public var spanMeters: Float? {
    let sizes = meters.packed.samples.lazy.filter { !$0.isNaN }.map { abs($0) }.sorted()
    guard !sizes.isEmpty else { return nil }
    return max(sizes[Int((0.98 * Double(sizes.count - 1)).rounded())], 0.001)
  }

  /// Whether all bits are equal; any two NaN are equal.
  public static func == (a: DepthResidual, b: DepthResidual) -> Bool {
    func bits(_ raster: Raster<Float>) -> [UInt32] {
      raster.packed.samples.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
    }
    return a.size == b.size && bits(a.meters) == bits(b.meters)
      && bits(a.sigmaMeters) == bits(b.sigmaMeters)
  }
}
