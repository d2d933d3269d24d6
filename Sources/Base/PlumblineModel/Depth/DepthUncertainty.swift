/// The uncertainty of depth at each distance, as one standard deviation.
///
/// σ_Z² = `constantMeters`² + (`perMeter`·Z)² + (`perMeterSquared`·Z²)²: three independent parts
/// that add as variances. The constant is a fixed offset, the linear part what a scale or a
/// calibration error costs, the quadratic part what an error of disparity costs, since
/// Z = f·b / d gives |dZ/dd| = Z² / (f·b) (Gallup et al., "Variable Baseline/Resolution Stereo",
/// CVPR 2008, eq. 2).
public struct SigmaCurve: Hashable, Sendable {
  /// The part that does not depend on the distance, in meters; at least 0.
  public var constantMeters: Double
  /// Meters of σ per meter of depth; no unit; at least 0.
  public var perMeter: Double
  /// Meters of σ per square meter of depth; 1/m; at least 0.
  public var perMeterSquared: Double

  /// Creates a curve from its three parts; a part of 0 does not take part.
  package init(constantMeters: Double = 0, perMeter: Double = 0, perMeterSquared: Double = 0) {
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

  /// The curve of two independent causes; variances of each part add, so that the result is exact.
  package func adding(_ other: SigmaCurve) -> SigmaCurve {
    SigmaCurve(
      constantMeters: root(constantMeters, other.constantMeters),
      perMeter: root(perMeter, other.perMeter),
      perMeterSquared: root(perMeterSquared, other.perMeterSquared))
  }

  private func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}

/// How much of a pixel's noise is left in the mean of a square of pixels.
///
/// Depth cameras compute a pixel from its neighborhood, so that neighbors share their errors, and a
/// mean over *n* pixels is not better by √*n*: `share = (1 + 1/L) / (1 + w/L)` for a square of
/// *w*×*w* pixels. *L* is the only number, the side of the square whose mean has half of the
/// noise.
///
/// Errors that a whole map shares, such as its scale, are no noise and are not averaged at all.
/// - Source: measured by `Scripts/study-sensors` on 101 board frames and one LiDAR recording; see
///   `Documentation/sensors.md`.
package struct CorrelatedNoise: Hashable, Sendable {
  /// *L* as a share of the map's width; 0 for independent pixels.
  package var lengthShare: Double

  /// Independent pixels, the assumption for sensors that were never measured.
  package static let independent = CorrelatedNoise(lengthShare: 0)
  /// TrueDepth: 40 of 640 columns; other sizes of the map are taken to have the same share.
  package static let trueDepth = CorrelatedNoise(lengthShare: 40.0 / 640)
  /// LiDAR through ARKit: 8 of 256 columns, of errors that remain when a motion is removed.
  package static let lidar = CorrelatedNoise(lengthShare: 8.0 / 256)

  /// Maps that bring the ± of each pixel, by matching or a network: both see surroundings larger than
  /// the patch of a known distance, so that means of patches are taken to gain next to nothing.
  package static let surroundings = CorrelatedNoise(lengthShare: 1)

  /// Creates a law from its length as a share of the map's width; at least 0.
  package init(lengthShare: Double) { self.lengthShare = lengthShare }

  /// The σ of a mean over the σ of one pixel, above 0 and at most 1.
  ///
  /// - Parameters:
  ///   - side: The side of the square in pixels, at least 1. For another shape: the root of its
  ///     area.
  ///   - mapWidth: The columns of the map, above 0.
  /// - Returns: 1 for one pixel. Cost: O(1).
  /// - Precondition: `side` is at least 1.
  package func share(ofMeanOver side: Double, mapWidth: Int) -> Double {
    precondition(side >= 1, "a square of \(side) pixels")
    let length = lengthShare * Double(mapWidth)
    guard length > 0 else { return 1 / side }
    // Never better than independent pixels, whatever the length.
    return max((length + 1) / (length + side), 1 / side)
  }

  /// How many independent pixels a square is worth: between 1 and its area.
  package func effectiveCount(ofMeanOver side: Double, mapWidth: Int) -> Double {
    let share = share(ofMeanOver: side, mapWidth: mapWidth)
    return 1 / (share * share)
  }
}

/// How far the sensor itself trusts each pixel, in whole levels from 0 (least) up.
public struct ConfidenceMap: Sendable {
  /// The levels, pixel by pixel of the depth map.
  public var levels: Raster<UInt8>
  /// The level of full confidence: 2 for ARKit.
  public var maximumLevel: UInt8

  /// Creates a map; levels above the maximum are taken as the maximum.
  package init(levels: Raster<UInt8>, maximumLevel: UInt8) {
    self.levels = levels.map { min($0, maximumLevel) }
    self.maximumLevel = maximumLevel
  }
}
