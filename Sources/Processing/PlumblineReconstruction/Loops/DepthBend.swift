import PlumblineNumerics

/// How depths bend against the recorded path: a depth `z` is `commonFactor · z/(1 + perMeter · z)` in its unit.
///
/// A bend shifts all inverse depths by one number, so that planes stay planes: one view never shows it. A camera
/// that moves does: what is far moves by another scale than what is near.
package struct DepthBend: Hashable, Sendable {
  /// How far 1/z is off, in 1/m; above 0 where depths are too long, by that share for each meter.
  package var perMeter: Double
  /// One standard deviation of it.
  package var sigmaPerMeter: Double
  /// What is left of the scale: of depth or of path, undecided.
  package var commonFactor: Double

  /// Whether the bend is more than chance: above three standard deviations.
  package var isSure: Bool { abs(perMeter) > 3 * sigmaPerMeter }

  /// How well the scales of depth and path agree beforehand, one standard deviation.
  ///
  /// - Source: 0.4 % of LiDAR's depths, as successive frames share it, and 1 % of a path by camera and motion
  ///   sensors (`Documentation/scan/loops.md`).
  static let scaleSigma = (0.004 * 0.004 + 0.01 * 0.01).squareRoot()
  /// The parts of a recording that are taken as independent, in time.
  ///
  /// Errors of a recorded path, such as a scale that changes on the way, are shared by what follows each other: the
  /// difference between parts is the ± of the bend.
  static let partCount = 8
}

extension DepthScaleEstimation {
  /// Solves `α·(b(z_j)·axialShare − b(z_i)) + pathMeters = 0` with `b(z) = z/(1 + κz)` for α and κ.
  ///
  /// A scale and a bend are nearly the same where all depths are alike, so that the scale is held at 1 within
  /// ``DepthBend/scaleSigma``. The covariance is that between parts of the recording. Linear in the samples.
  /// - Parameter pairs: The samples of each pair of frames, in the order of time.
  /// - Returns: The bend; `nil` with fewer than four pairs a part, or with too little motion along the axis.
  /// - Source: The covariance: K.-Y. Liang, S. Zeger, *Longitudinal Data Analysis*, Biometrika 73 (1986) 13–22.
  package func bend(_ pairs: [[OverlapSample]]) -> DepthBend? {
    let used = usable(pairs)
    guard used.count >= 4 * DepthBend.partCount, hasMotion(used) else { return nil }
    var (scale, bend) = (1.0, 0.0)
    for _ in 0..<Self.rounds {
      let sums = bendSums(used, scale, bend)
      guard let step = sums.normal.cholesky?.solve(sums.gradient) else { return nil }
      (scale, bend) = (scale - step[0], bend - step[1])
      guard scale.isFinite, abs(bend) < 1 else { return nil }
      if abs(step[0]) + abs(step[1]) < 1e-9 { break }
    }
    guard let factor = bendSums(used, scale, bend).normal.cholesky else { return nil }
    var covariance = SymmetricMatrix(count: 2)
    let parts = DepthBend.partCount
    for part in 0..<parts {
      let own = used[part * used.count / parts..<(part + 1) * used.count / parts]
      let pull = factor.solve(bendSums(own, scale, bend).gradient)
      for a in 0..<2 { for b in 0..<2 { covariance[a, b] += pull[a] * pull[b] } }
    }
    covariance = covariance.scaled(by: Double(parts) / Double(parts - 1))
    // What is known of the scale beforehand moves the bend with it.
    let expected = DepthBend.scaleSigma * DepthBend.scaleSigma
    let sum = covariance[0, 0] + expected
    let gain = (scale: covariance[0, 0] / sum, bend: covariance[1, 0] / sum)
    let variance = covariance[1, 1] - gain.bend * covariance[1, 0]
    return DepthBend(
      perMeter: bend - gain.bend * (scale - 1), sigmaPerMeter: max(0, variance).squareRoot(),
      commonFactor: scale - gain.scale * (scale - 1))
  }

  /// The normal matrix and the gradient by scale and bend, with Huber's weights.
  private func bendSums(
    _ pairs: some Sequence<[OverlapSample]>, _ scale: Double, _ bend: Double
  ) -> (normal: SymmetricMatrix, gradient: [Double]) {
    var (normal, gradient) = (SymmetricMatrix(count: 2), [0.0, 0.0])
    for sample in pairs.joined() {
      let j = sample.depthInJ / (1 + bend * sample.depthInJ)
      let i = sample.depthInI / (1 + bend * sample.depthInI)
      let byScale = j * sample.axialShare - i
      let byBend = -scale * (j * j * sample.axialShare - i * i)
      let residual = scale * byScale + sample.pathMeters
      let weight = min(1, huberMeters / max(abs(residual), 1e-12))
      gradient[0] += weight * byScale * residual
      gradient[1] += weight * byBend * residual
      normal[0, 0] += weight * byScale * byScale
      normal[0, 1] += weight * byScale * byBend
      normal[1, 1] += weight * byBend * byBend
    }
    normal[1, 0] = normal[0, 1]
    return (normal, gradient)
  }
}
