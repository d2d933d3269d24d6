import PlumblineNumerics

/// Finds the curve `b(z)` of a recording from what pairs of frames see of the same surface.
package struct DepthScaleEstimation: Hashable, Sendable {
  /// The distance between the knots; 0.5 m by default.
  package var knotStepMeters: Double
  /// Beyond this residual a sample counts linearly; 20 mm by default, as two noises of LiDAR at 4 m.
  package var huberMeters: Double
  /// The rounds of reweighting.
  static let rounds = 20

  /// Collects settings.
  ///
  /// - Precondition: Both above 0.
  package init(knotStepMeters: Double = 0.5, huberMeters: Double = 0.02) {
    precondition(knotStepMeters > 0 && huberMeters > 0, "settings above 0 are needed")
    self.knotStepMeters = knotStepMeters
    self.huberMeters = huberMeters
  }

  /// Solves `b(z_j)·axialShare + pathMeters = b(z_i)` for the factors of the knots.
  ///
  /// The covariance takes each pair of frames as one independent measurement, since the errors inside one are
  /// shared. Samples beyond ``FrameOverlap/limitMeters`` are left out. Linear in the samples.
  /// - Parameter pairs: The samples of each pair of frames.
  /// - Returns: The curve; `nil` where the pairs do not determine it: fewer pairs than twice the knots, or less
  ///   motion along the axis than ``huberMeters`` (root mean square).
  /// - Source: The covariance: K.-Y. Liang, S. Zeger, *Longitudinal Data Analysis*, Biometrika 73 (1986) 13–22.
  package func estimated(_ pairs: [[OverlapSample]]) -> DepthScale? {
    let used = usable(pairs)
    let depths = used.joined().flatMap { [$0.depthInJ, $0.depthInI] }
    guard let least = depths.min(), let largest = depths.max(), largest < 1000 else { return nil }
    let first = (least / knotStepMeters).rounded(.down)
    let last = (largest / knotStepMeters).rounded(.up)
    let knots = stride(from: first, through: last, by: 1).map { $0 * knotStepMeters }
    guard used.count >= 2 * knots.count, hasMotion(used) else { return nil }
    var factors = [Double](repeating: 1, count: knots.count)
    for _ in 0..<Self.rounds {
      let sums = sums(used, knots, factors)
      guard
        let step = sums.normal.cholesky?.solve(
          sums.gradients.reduce(into: zeros(knots)) {
            for index in $0.indices { $0[index] += $1[index] }
          })
      else { return nil }
      for index in factors.indices { factors[index] -= step[index] }
      // Far below what any depth sensor resolves.
      if step.allSatisfy({ abs($0) < 1e-10 }) { break }
    }
    let sums = sums(used, knots, factors)
    guard let factor = sums.normal.cholesky else { return nil }
    var covariance = SymmetricMatrix(count: knots.count)
    for gradient in sums.gradients {
      let pull = factor.solve(gradient)
      for a in pull.indices { for b in pull.indices { covariance[a, b] += pull[a] * pull[b] } }
    }
    // The unknown numbers took their share of the differences.
    let share = Double(used.count) / Double(used.count - knots.count)
    return DepthScale(
      knotsMeters: knots, factors: factors, covariance: covariance.scaled(by: share))
  }

  /// The samples that see one surface, of the pairs that have any.
  func usable(_ pairs: [[OverlapSample]]) -> [[OverlapSample]] {
    pairs.map { $0.filter { abs($0.differenceMeters) < FrameOverlap.limitMeters } }
      .filter { !$0.isEmpty }
  }

  /// Whether the path along the axis is above the noise, which would else pass for a scale of nearly 0.
  func hasMotion(_ pairs: [[OverlapSample]]) -> Bool {
    let squares = pairs.joined().reduce(into: (sum: 0.0, count: 0.0)) {
      $0.sum += $1.pathMeters * $1.pathMeters
      $0.count += 1
    }
    return squares.sum > squares.count * huberMeters * huberMeters
  }

  private func zeros(_ knots: [Double]) -> [Double] { [Double](repeating: 0, count: knots.count) }

  /// The normal matrix and the gradient of each pair, with Huber's weights at the present factors.
  private func sums(
    _ pairs: [[OverlapSample]], _ knots: [Double], _ factors: [Double]
  ) -> (normal: SymmetricMatrix, gradients: [[Double]]) {
    var normal = SymmetricMatrix(count: knots.count)
    var gradients: [[Double]] = []
    for pair in pairs {
      var gradient = zeros(knots)
      for sample in pair {
        let row = entries(sample, knots)
        let residual = row.reduce(sample.pathMeters) { $0 + $1.value * factors[$1.knot] }
        let weight = min(1, huberMeters / max(abs(residual), 1e-12))
        for a in row {
          gradient[a.knot] += weight * a.value * residual
          for b in row { normal[a.knot, b.knot] += weight * a.value * b.value }
        }
      }
      gradients.append(gradient)
    }
    return (normal, gradients)
  }

  /// The derivatives of a sample's residual by the factors of the knots.
  private func entries(
    _ sample: OverlapSample, _ knots: [Double]
  ) -> [(knot: Int, value: Double)] {
    var entries: [(knot: Int, value: Double)] = []
    for (depth, factor) in [
      (sample.depthInJ, sample.axialShare * sample.depthInJ), (sample.depthInI, -sample.depthInI),
    ] {
      let (low, share) = DepthScale.place(depth, knots)
      entries.append((low, factor * (1 - share)))
      if share > 0 { entries.append((low + 1, factor * share)) }
    }
    return entries
  }
}
