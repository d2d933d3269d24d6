import PlumblineModel

/// How far two surfaces are apart, seen from one of them.
package struct SurfaceDifference: Sendable {
  /// The number of places that were compared.
  package var count: Int
  /// The mean distance, in meters.
  package var mean: Double
  /// The root of the mean square, in meters.
  package var rootMeanSquare: Double
  /// The distances below which half, 68, 95 and 99 % of the places lie, and the largest, in meters.
  package var percentiles: [(percent: Double, meters: Double)]
  /// The mean with sign, above 0 outside of the other surface, in meters; `nil` where that is not closed.
  package var signedMean: Double?
  /// The share of the places whose distance is at most each tolerance.
  package var within: [(toleranceMeters: Double, share: Double)]
  /// What the ± of both explain; `nil` where one of them is not known at most of the places.
  package var explained: Explained?

  /// A difference beside the ± of both surfaces.
  package struct Explained: Sendable, Hashable {
    /// The root of the mean of σ_a² + σ_b², in meters.
    package var sigma: Double
    /// The share of the places whose distance is at most σ there: 68 % where the ± explain all.
    package var withinSigma: Double
    /// The share at most 2σ: 95 % where they do.
    package var withinTwoSigma: Double
    /// The part of the mean square of the distances that the ± explain, at most 1.
    package var share: Double
    /// The share of the places where one of the ± is not known, as where a hole was closed; they do not count.
    package var unknownShare: Double
    /// Whether they explain the difference: 90 % within 2σ.
    package var isAll: Bool { withinTwoSigma >= 0.9 }
  }

  /// The tolerances that shares are stated for, in meters, where none are given.
  package static let usualTolerances = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05]

  /// Compares one surface with another.
  ///
  /// - Parameters:
  ///   - samples: Places of the first one.
  ///   - other: The other surface.
  ///   - index: Finds its nearest places.
  ///   - isClosed: Whether the other surface is closed, so that its normals say what is outside.
  ///   - tolerances: In meters.
  ///   - threads: The most; results do not depend on it.
  /// - Returns: `nil` without samples or triangles. Cost: one search for each sample.
  package static func compare(
    _ samples: SurfaceSamples, with other: MeasurableMesh, by index: SurfaceIndex,
    isClosed: Bool, tolerances: [Double], threads: Int
  ) -> SurfaceDifference? {
    let found = index.nearest(to: samples.samples.map(\.point), threads: threads)
    var (signed, squares) = ([Double](), 0.0)
    var known = KnownErrors()
    for (sample, place) in zip(samples.samples, found) {
      let distance = place.signedDistance
      squares += distance * distance
      signed.append(distance)
      known.add(distance, sample.sigma, other.sigma(at: place))
    }
    guard !signed.isEmpty else { return nil }
    let count = Double(signed.count)
    let sizes = signed.map { abs($0) }.sorted()
    return SurfaceDifference(
      count: signed.count, mean: sizes.reduce(0, +) / count,
      rootMeanSquare: (squares / count).squareRoot(),
      percentiles: [50, 68, 95, 99, 100].map { percent in
        (percent, sizes[min(sizes.count - 1, Int(percent / 100 * count))])
      },
      signedMean: isClosed ? signed.reduce(0, +) / count : nil,
      within: tolerances.map { limit in
        (limit, Double(sizes.count { $0 <= limit }) / count)
      },
      explained: known.explained)
  }

  /// Sums over the places where both ± are known.
  private struct KnownErrors {
    private var (distances, variances) = (0.0, 0.0)
    private var (count, unknown, within, two) = (0, 0, 0, 0)

    mutating func add(_ distance: Double, _ sigma: Double, _ other: Double) {
      let (square, variance) = (distance * distance, sigma * sigma + other * other)
      guard variance.isFinite else {
        unknown += 1
        return
      }
      count += 1
      distances += square
      variances += variance
      if square <= variance { within += 1 }
      if square <= 4 * variance { two += 1 }
    }

    /// `nil` where the ± of more than half of the places is not known.
    var explained: Explained? {
      guard count > unknown else { return nil }
      return Explained(
        sigma: (variances / Double(count)).squareRoot(),
        withinSigma: Double(within) / Double(count), withinTwoSigma: Double(two) / Double(count),
        share: distances > 0 ? min(1, variances / distances) : 1,
        unknownShare: Double(unknown) / Double(count + unknown))
    }
  }
}
