package import PlumblineModel
import PlumblineNumerics

/// The line `true disparity = a·d + b` through one or two distances that the user measured.
///
/// One distance fixes `a` with `b = 0`; whether the error is a scale or an offset stays open, and
/// ``sigmaMeters(atDepth:)`` says what that costs. Two distances fix both.
/// - Source: the two unknowns are those of Apple's *relative* accuracy, see
///   `Documentation/conventions.md`, "relative".
public struct DistanceFit: Sendable, Hashable {
  /// The tape's own standard deviation, in meters: a careful hand and a pixel of aim.
  package static let tapeSigmaMeters = 0.005

  /// The scale of disparities, without unit.
  public var scale: Double
  /// The offset of disparities, in 1/m.
  public var offset: Double
  /// The distances that were fitted.
  package var distances: [KnownDistance]
  /// The map's disparities at the distances: medians of 5×5 pixels, in the map's unit.
  package var disparities: [Double]
  /// The spread of the 5×5 disparities at each distance: half their 16–84 % range.
  package var disparitySigmas: [Double]

  /// Fits the line.
  ///
  /// - Parameters:
  ///   - distances: One or two.
  ///   - map: The relative disparities.
  ///   - origin: The stored pixel that became the map's first one; (0, 0) unless it was cropped.
  /// - Throws: ``DistanceFitError``. Cost: O(1).
  package init(
    _ distances: [KnownDistance], in map: DisparityMap, cutOutAt origin: SIMD2<Int> = .zero
  ) throws(DistanceFitError) {
    guard (1...2).contains(distances.count) else { throw .count(distances.count) }
    var disparities: [Double] = []
    var sigmas: [Double] = []
    for known in distances {
      // Wrapping keeps a user's absurd pixel outside, where the error below waits for it.
      let pixel = SIMD2(known.x, known.y) &- origin
      guard map.inverseMeters.contains(x: pixel.x, y: pixel.y) else {
        throw .outside(known, width: map.size.width, height: map.size.height)
      }
      let patch = Self.patch(around: pixel, in: map)
      guard let median = patch.middleOfSorted else { throw .notMeasured(known) }
      disparities.append(median)
      sigmas.append((patch[patch.count * 84 / 100] - patch[patch.count * 16 / 100]) / 2)
    }
    scale = 1 / (distances[0].meters * disparities[0])
    offset = 0
    if distances.count == 2 {
      let difference = disparities[1] - disparities[0]
      guard abs(difference) > 0.02 * max(disparities[0], disparities[1]) else {
        throw .tooSimilar(distances[0], distances[1])
      }
      scale = (1 / distances[1].meters - 1 / distances[0].meters) / difference
      guard scale > 0 else { throw .reversed(distances[0], distances[1]) }
      offset = 1 / distances[0].meters - scale * disparities[0]
    }
    self.distances = distances
    self.disparities = disparities
    self.disparitySigmas = sigmas
  }

  /// The measured disparities of the 5×5 pixels around a pixel, ascending.
  private static func patch(around pixel: SIMD2<Int>, in map: DisparityMap) -> [Double] {
    var values: [Double] = []
    for y in pixel.y - 2...pixel.y + 2 {
      for x in pixel.x - 2...pixel.x + 2 where map.inverseMeters.contains(x: x, y: y) {
        let value = map.inverseMeters[x, y]
        if value > 0 { values.append(Double(value)) }
      }
    }
    return values.sorted()
  }

  /// The depths with the line applied to their reciprocals; missing where the line is not above 0.
  package func applied(to depth: DepthMap) -> DepthMap {
    let scale = Float(scale)
    let offset = Float(offset)
    return DisparityMap(inverseMeters: depth.disparityMap.inverseMeters.map { scale * $0 + offset })
      .depthMap
  }

  /// The ± of depths after the line was applied to them; what the line adds is not in it.
  ///
  /// - Parameters:
  ///   - sigma: One standard deviation of each depth before, in the unit of `depth`.
  ///   - depth: The depths before; NaN where missing.
  /// - Returns: Meters; NaN where the depth is missing or the line is not above 0. Cost: O(*n*).
  /// - Precondition: Both have one size.
  /// - Source: the derivative of `z′ = 1/(a/z + b)` is `a·(z′/z)²`.
  package func applied(to sigma: Raster<Float>, of depth: DepthMap) -> Raster<Float> {
    precondition(sigma.size == depth.size, "a ± of \(sigma.size) for \(depth.size)")
    let (scale, offset) = (Float(scale), Float(offset))
    return Raster(size: depth.size) { x, y in
      let z = depth.meters[x, y]
      // z′/z, which is finite wherever the new depth is.
      let ratio = 1 / (scale + offset * z)
      guard z > 0, ratio > 0, ratio < .infinity else { return .nan }
      return sigma[x, y] * scale * ratio * ratio
    }
  }

  /// How far the surface around each distance spreads in the map, in millimeters.
  ///
  /// There is no residual beside it: one distance determines one number and two determine two, so
  /// that the line goes through them whatever they are.
  package var patchMillimeters: [Double] {
    zip(distances, disparitySigmas).map { known, sigma in
      known.meters * known.meters * scale * sigma * 1000
    }
  }

  /// The noise of a map at the distances that its fit rests on.
  package struct MapNoise: Sendable, Hashable {
    /// One standard deviation of a pixel, after the fit.
    package var curve: SigmaCurve
    /// What the mean of a patch gains.
    package var correlation: CorrelatedNoise
    /// The columns of the map.
    package var mapWidth: Int

    /// A map whose patches show all of their error.
    package static let none = MapNoise(
      curve: SigmaCurve(), correlation: .independent, mapWidth: 1)

    /// Creates it from its parts.
    package init(curve: SigmaCurve, correlation: CorrelatedNoise, mapWidth: Int) {
      self.curve = curve
      self.correlation = correlation
      self.mapWidth = mapWidth
    }

    /// The share of a pixel's noise in the median of 5×5.
    fileprivate var share: Double { correlation.share(ofMeanOver: 5, mapWidth: mapWidth) }
  }

  /// The standard deviation that the fit adds at a depth, in meters.
  ///
  /// With two distances, the tape's and the map's errors are carried through the line. With one,
  /// half the difference between a pure scale and a pure offset is added, since either may be true.
  /// It is never below the tape's own ±.
  ///
  /// - Parameters:
  ///   - meters: The depth after the fit.
  ///   - noise: The map's noise at the distances, which their patches do not show: neighbors share
  ///     their errors.
  /// - Returns: Meters, at least ``tapeSigmaMeters``. Cost: O(1).
  package func sigmaMeters(atDepth meters: Double, noise: MapNoise = .none) -> Double {
    let ends = zip(distances, disparitySigmas).map { known, sigma in
      let square = known.meters * known.meters
      let tape = Self.tapeSigmaMeters / square
      let shared = noise.share * noise.curve.sigmaMeters(atDepth: known.meters) / square
      return (tape * tape + scale * scale * sigma * sigma + shared * shared).squareRoot()
    }
    let disparity = (1 / meters - offset) / scale
    let sigma: Double
    if disparities.count == 2 {
      let weight = (disparity - disparities[0]) / (disparities[1] - disparities[0])
      let first = (1 - weight) * ends[0]
      let second = weight * ends[1]
      sigma = (first * first + second * second).squareRoot()
    } else {
      let scaled = ends[0] * disparity / disparities[0]
      let shifted = disparity + 1 / distances[0].meters - disparities[0]
      let ambiguity = (scale * disparity - shifted) / 2
      sigma = (scaled * scaled + ambiguity * ambiguity).squareRoot()
    }
    return max(meters * meters * sigma, Self.tapeSigmaMeters)
  }
}

extension DistanceFit: CustomStringConvertible {
  /// The line with what its distances say of it, such as `disparity = 1.04 · stored − 0.02 1/m; …`.
  public var description: String {
    let patches = patchMillimeters.map { $0.fixed(1) }.joined(separator: ", ")
    let sign = offset < 0 ? "−" : "+"
    let why =
      distances.count == 1
      ? "one distance determines one number" : "two distances determine two numbers"
    return "disparity = \(scale.fixed(5)) · stored \(sign) \(abs(offset).fixed(5)) 1/m; "
      + "no residual: \(why); the surface there varies by \(patches) mm"
  }
}
