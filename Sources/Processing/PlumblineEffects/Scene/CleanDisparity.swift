import CKernels
import PlumblineModel

/// A scene's disparities with a number for every pixel, and how they are spread.
///
/// What is not finite counts as the farthest; metric disparities below 0 count as 0, infinitely far.
struct CleanDisparity: Sendable {
  static let bins = 1024

  let size: RasterSize
  let isMetric: Bool
  /// One standard deviation; 0 where not known.
  let sigma: Float
  var values: [Float]
  /// Of all values.
  let least: Float
  let maximum: Float
  /// Half a percent of the pixels lie beyond each.
  let farthest: Float
  let nearest: Float
  /// Counts between `farthest` and `nearest`.
  let histogram: [Int64]

  /// Reads a scene's disparities; O(*n*).
  ///
  /// - Throws: `.missing` where no pixel has one.
  static func cleaned(
    _ scene: EffectScene, effect: String, threads: Int
  ) throws(EffectError) -> CleanDisparity {
    try cleaned(
      scene.disparity, isMetric: scene.isMetric, sigma: scene.sigma, effect: effect,
      threads: threads)
  }

  /// The same of a raster of disparities.
  static func cleaned(
    _ raster: Raster<Float>, isMetric: Bool, sigma: Float, effect: String, threads: Int
  ) throws(EffectError) -> CleanDisparity {
    let source = raster.packed.samples
    var low: Float = 0
    var high: Float = 0
    plb_mask_range(source, source.count, &low, &high)
    guard low <= high else {
      throw EffectError(.missing, effect: effect, expected: "depth", found: "no measured pixel")
    }
    let floor: Float = isMetric ? 0 : -.greatestFiniteMagnitude
    low = max(low, floor)
    high = max(high, floor)
    // Beyond this a difference of two overflows; no sensor comes near.
    let limit: Float = 1e30
    guard abs(low) < limit, abs(high) < limit else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "disparities below 1e30", found: "\(low) to \(high)")
    }
    let (width, height) = (raster.width, raster.height)
    let replacement = low
    let values = source.withUnsafeBufferPointer { source in
      nonisolated(unsafe) let source = source
      return filled(source.count, rows: height, threads: threads) { rows, target in
        guard let start = source.baseAddress else { return }
        let first = rows.lowerBound * width
        plb_mask_clean(start + first, rows.count * width, floor, replacement, target + first)
      }
    }
    let whole = histogram(values, low, high)
    let farthest = quantile(0.005, of: whole, low, high)
    let nearest = quantile(0.995, of: whole, low, high)
    return CleanDisparity(
      size: raster.size, isMetric: isMetric, sigma: sigma.isFinite && sigma > 0 ? sigma : 0,
      values: values, least: low, maximum: high, farthest: farthest, nearest: nearest,
      histogram: histogram(values, farthest, nearest))
  }

  /// The range of most pixels; at least a millionth of what it ends with, so that it divides.
  var spread: Float { max(nearest - farthest, max(abs(nearest), abs(farthest)) * 1e-6, 1e-9) }

  /// The scene's disparity at a distance.
  ///
  /// - Throws: `.missing` for meters of relative disparity, `.outOfRange` for what no distance is.
  func disparity(at distance: SceneDistance, effect: String) throws(EffectError) -> Float {
    switch distance {
    case .meters(let meters):
      guard isMetric else {
        throw EffectError(
          .missing, effect: effect, expected: "absolute depth for \(meters) m",
          found: "relative disparity; give a nearness over 0...1 instead")
      }
      guard meters > 0, !meters.isNaN else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a distance above 0 m", found: "\(meters) m")
      }
      return min(Float(1 / meters), 1e30)
    case .disparity(let value):
      guard value.isFinite, abs(value) < 1e30 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a finite disparity", found: "\(value)")
      }
      return Float(value)
    case .nearness(let share):
      guard share >= 0, share <= 1 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a nearness over 0...1", found: "\(share)")
      }
      return farthest + (nearest - farthest) * Float(share)
    }
  }

  private static func histogram(_ values: [Float], _ low: Float, _ high: Float) -> [Int64] {
    var counts = [Int64](repeating: 0, count: bins)
    plb_mask_histogram(values, values.count, low, high, Int32(bins), &counts)
    return counts
  }

  private static func quantile(
    _ share: Double, of counts: [Int64], _ low: Float, _ high: Float
  ) -> Float {
    let wanted = share * Double(counts.reduce(0, +))
    var below = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      if below + Double(count) >= wanted {
        let inside = (wanted - below) / Double(count)
        let place = (Double(bin) + inside) / Double(bins)
        return min(max(Float(Double(low) + Double(high - low) * place), low), high)
      }
      below += Double(count)
    }
    return high
  }
}

/// A distance in a scene, in whichever measure is known.
public enum SceneDistance: Hashable, Sendable {
  /// Meters along the optical axis; only where the scene's disparity is metric.
  case meters(Double)
  /// A disparity in the scene's own unit.
  case disparity(Double)
  /// 0 for the farthest and 1 for the nearest of this scene, linear in disparity.
  ///
  /// Ends are the disparities that half a percent of the pixels lie beyond.
  case nearness(Double)
}

extension SceneDistance: CustomStringConvertible {
  /// The number with its unit.
  public var description: String {
    switch self {
    case .meters(let meters): "\(meters) m"
    case .disparity(let disparity): "disparity \(disparity)"
    case .nearness(let share): "nearness \(share)"
    }
  }
}
