/// How far a surface lies from another one: the distances of its points from it, in meters.
package struct SurfaceDistance: Sendable {
  /// The distance of each point, below 0 behind the other surface.
  ///
  /// NaN for a point whose nearest one lies on a border of the other surface: there it may merely not have
  /// been seen.
  package let signedMeters: [Double]
  /// The distance of each point, those included whose nearest lies on a border.
  package let meters: [Double]
  /// Which points have their nearest one on a border.
  package let isBeyondBorder: [Bool]
  /// What the points that are not beyond a border say.
  package let summary: Summary

  /// Numbers of many distances; NaN where there is none.
  package struct Summary: Sendable, Hashable {
    /// The distances that count.
    package var count: Int
    /// The points that are beyond a border, and do not count.
    package var beyondBorderCount: Int
    /// Half of the distances are at most this, in meters.
    package var median: Double
    /// 68 % are at most this, in meters.
    package var percentile68: Double
    /// 95 % are at most this, in meters.
    package var percentile95: Double
    /// The largest, in meters.
    package var maximum: Double
    /// The mean of the distances with their signs: by how much the surface lies outside, in meters.
    package var meanSigned: Double
    /// The root of the mean square, in meters.
    package var rootMeanSquare: Double
  }

  /// Measures the distances of points from a surface.
  ///
  /// - Parameters:
  ///   - points: In meters, in the frame of the surface; finite.
  ///   - tree: The surface.
  ///   - threads: The result does not depend on it.
  /// - Returns: The distances, in the order of the points. Cost: that of
  ///   ``SurfaceTree/nearest(to:threads:)`` and a sort.
  package static func measure(
    from points: [SIMD3<Double>], to tree: SurfaceTree, threads: Int = 1
  ) -> SurfaceDistance {
    let nearest = tree.nearest(to: points, threads: threads)
    let isBeyond = nearest.map(\.isOnBorder)
    let counted = nearest.filter { !$0.isOnBorder }.map(\.signedDistance)
    return SurfaceDistance(
      signedMeters: nearest.map { $0.isOnBorder ? .nan : $0.signedDistance },
      meters: nearest.map(\.distance), isBeyondBorder: isBeyond,
      summary: Summary(counted, beyondBorderCount: points.count - counted.count))
  }

  /// The share of the counted distances that are at most a tolerance in meters; NaN where none counts.
  package func share(within tolerance: Double) -> Double {
    let count = signedMeters.count { abs($0) <= tolerance }
    return summary.count > 0 ? Double(count) / Double(summary.count) : .nan
  }
}

extension SurfaceDistance.Summary {
  /// The numbers of distances with their signs.
  init(_ signed: [Double], beyondBorderCount: Int) {
    let sorted = signed.map { abs($0) }.sorted()
    func quantile(_ share: Double) -> Double {
      // The least distance that so large a share does not exceed.
      guard !sorted.isEmpty else { return .nan }
      return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
    let count = Double(signed.count)
    self.init(
      count: signed.count, beyondBorderCount: beyondBorderCount, median: quantile(0.5),
      percentile68: quantile(0.68), percentile95: quantile(0.95), maximum: quantile(1),
      meanSigned: signed.isEmpty ? .nan : signed.reduce(0, +) / count,
      rootMeanSquare: signed.isEmpty
        ? .nan : (signed.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
  }
}

/// The distances of two surfaces from each other, in both directions.
package struct SurfaceComparison: Sendable {
  /// From points of the first surface to the second: how accurate the first is where the second is the truth.
  package let accuracy: SurfaceDistance
  /// From points of the second surface to the first: how complete the first is.
  package let completeness: SurfaceDistance
  /// The points of the first surface.
  package let firstSamples: SurfaceSamples
  /// The points of the second surface.
  package let secondSamples: SurfaceSamples

  /// The largest distance of a point of one surface from the other, borders included, in meters.
  ///
  /// NaN of surfaces without area. It is a lower bound of the Hausdorff distance, found at samples.
  package var hausdorff: Double {
    (accuracy.meters + completeness.meters).reduce(.nan) { $0 >= $1 ? $0 : $1 }
  }

  /// Compares two surfaces at points spread evenly over both.
  ///
  /// - Parameters:
  ///   - first: A surface with triangles.
  ///   - second: Another, in the same frame.
  ///   - sampleCount: How many points of each.
  ///   - threads: The result does not depend on it.
  /// - Returns: The distances.
  package static func compare(
    _ first: SurfaceTree, with second: SurfaceTree, sampleCount: Int = 200_000, threads: Int = 1
  ) -> SurfaceComparison {
    let one = SurfaceSamples.spread(over: first.mesh, count: sampleCount)
    let other = SurfaceSamples.spread(over: second.mesh, count: sampleCount)
    return SurfaceComparison(
      accuracy: .measure(from: one.points, to: second, threads: threads),
      completeness: .measure(from: other.points, to: first, threads: threads),
      firstSamples: one, secondSamples: other)
  }
}
