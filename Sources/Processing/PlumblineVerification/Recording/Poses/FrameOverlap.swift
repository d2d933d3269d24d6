import PlumblineModel
import PlumblineNumerics

/// The depths of one frame seen from another one, against the depths there.
struct FrameOverlap {
  /// One point of the first frame that falls on a trusted pixel of the second.
  struct Sample {
    /// Its depth in the second frame less the depth there, in meters.
    var difference: Double
    /// The ± of both depths together, in meters; `nil` when it is not known.
    var sigma: Double?
    /// How far it lies behind the surface there, along the normal, in meters.
    var distance: Double
    /// How much ``distance`` grows when the path between both frames grows by its own length.
    var perPath: Double
  }

  /// Points compared for each frame, about: enough for a median, and a fixed cost.
  static let pointCount = 5000
  /// Differences beyond this belong to two surfaces, one of which hides the other; meters.
  ///
  /// - Source: the definition in `Documentation/recordings.md`, which states their share.
  static let limitMeters = 0.3
  /// From this distance on a point pulls with a constant force, in meters: twice the usual difference
  /// of frames half a second apart.
  static let huberMeters = 0.02
  /// With fewer common points two frames are not compared.
  static let leastCount = 200

  /// The frame that gives the points.
  let source: PosedDepth
  /// The frame whose depths they are compared with.
  let target: PosedDepth
  private let points: [SIMD3<Double>]
  private let targetFromSource: RigidTransform

  /// Prepares the comparison; O(*n*).
  init(of source: PosedDepth, in target: PosedDepth) {
    self.source = source
    self.target = target
    let share = Double(source.inverse.size.pixelCount) / Double(Self.pointCount)
    points = source.points(stride: max(1, Int(share.squareRoot().rounded(.up))))
    targetFromSource = target.worldFromCamera.inverse * source.worldFromCamera
  }

  /// The length of the path between both frames, in meters.
  var pathMeters: Double {
    (targetFromSource.translation * targetFromSource.translation).sum().squareRoot()
  }

  /// Compares, with the path between both frames multiplied by a factor; O(*n*).
  func samples(pathFactor: Double = 1) -> [Sample] {
    let path = targetFromSource.translation
    let shift = path * pathFactor
    return points.compactMap { point in
      let seen = targetFromSource.rotation * point + shift
      guard seen.z > 0.05, let plane = target.plane(at: seen) else { return nil }
      let length = (plane.normal * plane.normal).sum().squareRoot()
      return Sample(
        difference: seen.z - plane.depth, sigma: sigma(at: point.z, and: plane.depth),
        distance: ((plane.normal * seen).sum() - 1) / length,
        perPath: (plane.normal * path).sum() / length)
    }
  }

  private func sigma(at depth: Double, and other: Double) -> Double? {
    guard let own = source.sigma?.sigmaMeters(atDepth: depth),
      let there = target.sigma?.sigmaMeters(atDepth: other)
    else { return nil }
    return (own * own + there * there).squareRoot()
  }

  /// What two frames say of their consistency; `nil` where they have too few points in common.
  var statistics: Statistics? {
    let samples = samples()
    let near = samples.filter { abs($0.difference) < Self.limitMeters }
    guard near.count >= Self.leastCount else { return nil }
    let sizes = near.map { abs($0.difference) }.sorted()
    let sigmas = near.compactMap { sample in
      sample.sigma.map { abs(sample.difference) / max($0, 1e-9) }
    }
    return Statistics(
      count: near.count, median: sizes[sizes.count / 2],
      percentile95: sizes[min(sizes.count - 1, sizes.count * 95 / 100)],
      medianSigmas: sigmas.upperMedian,
      beyondShare: 1 - Double(near.count) / Double(samples.count))
  }

  /// The consistency of one pair.
  struct Statistics {
    /// Points within ``limitMeters``.
    var count: Int
    /// The median size of their differences, in meters.
    var median: Double
    /// The size that 95 % of them do not exceed, in meters.
    var percentile95: Double
    /// The median size in units of the ± of both depths together; `nil` when that is not known.
    var medianSigmas: Double?
    /// The share of all points that are farther apart.
    var beyondShare: Double
  }

  /// The factor of the path that brings both frames together best, and how much is known of it.
  struct PathFactor {
    /// The factor.
    var value: Double
    /// The weight of the estimate: the sum of the squared ``Sample/perPath``, in m².
    var weight: Double
  }

  /// Estimates the factor of the path by which the points lie on the surface there; `nil` where the
  /// frames have too few points in common, or it leaves the range from ½ to 2.
  ///
  /// Gauss and Newton's method with Huber's weights, the points being looked up again in each step.
  func pathFactor() -> PathFactor? {
    var factor = PathFactor(value: 1, weight: 0)
    for _ in 0..<5 {
      let near = samples(pathFactor: factor.value).filter {
        abs($0.difference) < Self.limitMeters
      }
      guard near.count >= Self.leastCount else { return nil }
      var gradient = 0.0
      factor.weight = 0
      for sample in near {
        let weight = min(1, Self.huberMeters / max(abs(sample.distance), 1e-9))
        gradient += weight * sample.distance * sample.perPath
        factor.weight += weight * sample.perPath * sample.perPath
      }
      guard factor.weight > 0 else { return nil }
      factor.value -= gradient / factor.weight
      guard (0.5...2).contains(factor.value) else { return nil }
    }
    return factor
  }
}
