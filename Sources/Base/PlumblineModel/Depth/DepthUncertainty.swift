/// The uncertainty of depth at each distance, as one standard deviation.
///
/// σ_Z² = `constantMeters`² + (`perMeter`·Z)² + (`perMeterSquared`·Z²)²: three independent parts
/// whose variances add. The constant part is a fixed offset, the linear part the effect of a scale
/// or calibration error, and the quadratic part the effect of a disparity error, since Z = f·b / d
/// gives |dZ/dd| = Z² / (f·b) (Gallup et al., "Variable Baseline/Resolution Stereo", CVPR 2008, eq.
/// 2).
public struct SigmaCurve: Hashable, Sendable {
  /// The part that does not depend on the distance, in meters; at least 0.
  public var constantMeters: Double
  /// Meters of σ per meter of depth; no unit; at least 0.
  public var perMeter: Double
  /// Meters of σ per square meter of depth; 1/m; at least 0.
  public var perMeterSquared: Double

  /// Creates a curve from its three parts; a part of 0 has no effect.
  public init(constantMeters: Double = 0, perMeter: Double = 0, perMeterSquared: Double = 0) {
    self.constantMeters = constantMeters
    self.perMeter = perMeter
    self.perMeterSquared = perMeterSquared
  }

  /// One standard deviation in meters along the optical axis at a depth in meters.
  ///
  /// - Parameter depth: Meters along the optical axis; NaN gives NaN.
  /// - Returns: The root of the summed variances; never negative.
  @inlinable
  public func sigmaMeters(atDepth depth: Double) -> Double {
    let linear = perMeter * depth
    let quadratic = perMeterSquared * depth * depth
    return (constantMeters * constantMeters + linear * linear + quadratic * quadratic)
      .squareRoot()
  }

  /// The curve of two independent errors; the variances of each part add, so the result is exact.
  package func adding(_ other: SigmaCurve) -> SigmaCurve {
    SigmaCurve(
      constantMeters: root(constantMeters, other.constantMeters),
      perMeter: root(perMeter, other.perMeter),
      perMeterSquared: root(perMeterSquared, other.perMeterSquared))
  }

  private func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}

/// The fraction of a pixel's noise that remains in the mean over a square of pixels.
///
/// Depth cameras compute a pixel from its neighborhood, so errors of neighbors are correlated, and
/// the mean over *n* pixels is not better by √*n*. For a square of *w*×*w* pixels,
/// `share = (1 + 1/L) / (1 + w/L)`. *L* is the only parameter: the side of the square whose mean
/// has about half of the noise.
///
/// Errors that a whole map shares, such as its scale, are not noise and are not averaged out.
/// - Source: measured by `Scripts/study-sensors` on 101 board frames and one LiDAR recording; see
///   `Documentation/sensors.md`.
package struct CorrelatedNoise: Hashable, Sendable {
  /// *L* as a share of the map's width; 0 for independent pixels.
  package var lengthShare: Double

  /// Independent pixels, the assumption for sensors that were not measured.
  package static let independent = CorrelatedNoise(lengthShare: 0)
  /// TrueDepth: 40 of 640 columns; maps of other sizes are assumed to have the same fraction.
  package static let trueDepth = CorrelatedNoise(lengthShare: 40.0 / 640)
  /// LiDAR through ARKit: 8 of 256 columns, for the errors that remain after removing a motion.
  package static let lidar = CorrelatedNoise(lengthShare: 8.0 / 256)

  /// For maps with an uncertainty per pixel, from stereo matching or a network: both use a
  /// neighborhood larger than the patch of a known distance, so a mean over a patch is assumed to
  /// gain almost nothing.
  package static let surroundings = CorrelatedNoise(lengthShare: 1)

  /// Creates a model from its length as a fraction of the map's width; at least 0.
  package init(lengthShare: Double) { self.lengthShare = lengthShare }

  /// The standard deviation of a mean divided by that of one pixel, above 0 and at most 1.
  ///
  /// - Parameters:
  ///   - side: The side of the square in pixels, at least 1; for another shape, the root of its
  ///     area.
  ///   - mapWidth: The columns of the map, above 0.
  /// - Returns: 1 for one pixel. Cost: O(1).
  /// - Precondition: `side` is at least 1.
  package func share(ofMeanOver side: Double, mapWidth: Int) -> Double {
    precondition(side >= 1, "a square of \(side) pixels")
    let length = lengthShare * Double(mapWidth)
    guard length > 0 else { return 1 / side }
    // It is never better than that of independent pixels, whatever the length.
    return max((length + 1) / (length + side), 1 / side)
  }

  /// The number of independent pixels that are equivalent to a square: between 1 and its area.
  package func effectiveCount(ofMeanOver side: Double, mapWidth: Int) -> Double {
    let share = share(ofMeanOver: side, mapWidth: mapWidth)
    return 1 / (share * share)
  }
}

/// The sensor's confidence in each pixel, in integer levels from 0 (the minimum) upward.
public struct ConfidenceMap: Sendable {
  /// The level of each pixel of the depth map.
  public var levels: Raster<UInt8>
  /// The level of full confidence: 2 for ARKit.
  public var maximumLevel: UInt8

  /// Creates a map; levels above the maximum are clamped.
  public init(levels: Raster<UInt8>, maximumLevel: UInt8) {
    self.levels = levels.map { min($0, maximumLevel) }
    self.maximumLevel = maximumLevel
  }
}
