/// An estimated depth minus the measured one, pixel by pixel, with its ±.
///
/// It covers the field of view of the depth map that it stands beside, at a size of its own: that of
/// what was measured.
public struct DepthResidual: Sendable, Equatable {
  /// Estimate minus measurement along the optical axis, in meters, above 0 where the estimate is too
  /// far; NaN where nothing was measured or nothing estimated.
  public let meters: Raster<Float>
  /// One standard deviation of each residual as an error of the estimate, in meters: that of the
  /// measurement; NaN where ``meters`` is.
  public let sigmaMeters: Raster<Float>

  /// Joins residuals and their ±.
  ///
  /// - Precondition: Both have one size.
  package init(meters: Raster<Float>, sigmaMeters: Raster<Float>) {
    precondition(
      meters.size == sigmaMeters.size, "a ± of \(sigmaMeters.size) for \(meters.size)")
    self.meters = meters
    self.sigmaMeters = sigmaMeters
  }

  /// The difference of two maps of one grid where both have a depth, NaN elsewhere.
  ///
  /// - Parameters:
  ///   - estimate: Meters along the optical axis.
  ///   - measured: The same of what was measured.
  ///   - sigma: One standard deviation of a measured depth in meters, by that depth.
  /// - Precondition: Both maps have one size. Cost: O(*n*).
  package init(estimate: DepthMap, measured: DepthMap, sigma: (Double) -> Double) {
    precondition(estimate.size == measured.size, "\(estimate.size) against \(measured.size)")
    var meters = Raster(size: measured.size, repeating: Float.nan)
    var sigmas = meters
    for y in 0..<measured.size.height {
      for x in 0..<measured.size.width {
        let (own, real) = (estimate.meters[x, y], measured.meters[x, y])
        // False for NaN.
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

  /// What the ends of an image of it stand for, in meters: the 98 % quantile of the absolute residual,
  /// at least a millimeter; `nil` without a residual.
  ///
  /// A few wild pixels must not take the color of all others. O(*n* log *n*).
  public var spanMeters: Float? {
    let sizes = meters.packed.samples.lazy.filter { !$0.isNaN }.map { abs($0) }.sorted()
    guard !sizes.isEmpty else { return nil }
    return max(sizes[Int((0.98 * Double(sizes.count - 1)).rounded())], 0.001)
  }

  /// Whether NaN stands at the same pixels and all other bits are the same.
  public static func == (a: DepthResidual, b: DepthResidual) -> Bool {
    func bits(_ raster: Raster<Float>) -> [UInt32] {
      raster.packed.samples.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
    }
    return a.size == b.size && bits(a.meters) == bits(b.meters)
      && bits(a.sigmaMeters) == bits(b.sigmaMeters)
  }
}
