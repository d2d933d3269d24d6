import PlumblineNumerics

/// The line `t = a·x + b` through samples of which many may be wrong.
///
/// The start is the line with the least median of squared residuals; from there Tukey's biweight
/// descends. Up to about 40 % of outliers have no part in the result.
/// - Source: P. J. Rousseeuw, *Least Median of Squares Regression*, JASA 79 (1984), 871–880, with the
///   finite-sample factor 1 + 5/(n − p) of Rousseeuw and Leroy, 1987, 5.1; A. E. Beaton, J. W. Tukey,
///   *The fitting of power series*, Technometrics 16 (1974): the biweight, c = 4.685 for 95 %
///   efficiency.
struct RobustLine {
  /// One sample: abscissa, target, its own σ, and by how much of a model's error it is affected.
  struct Sample {
    var x: Double
    var target: Double
    var sigma: Double
    /// What the model's own error, a number to be found, is multiplied with.
    var modelShare: Double
    /// Samples of one block share their errors.
    var block: Int
  }

  /// The factor *a*.
  private(set) var scale: Double
  /// The offset *b*; 0 where only a scale was requested.
  private(set) var shift: Double
  /// The robust standard deviation of the model's error.
  private(set) var modelSigma: Double
  /// The variances of scale and shift and their covariance.
  private(set) var covariance = (scale: 0.0, both: 0.0, shift: 0.0)
  /// The share of samples without any weight.
  private(set) var outlierShare = 0.0

  /// Tukey's constant.
  static let cutoff = 4.685
  private static let trials = 300
  private static let startSamples = 1000

  /// Fits the line; `nil` where the samples determine none, O(*n*).
  ///
  /// - Parameters:
  ///   - samples: The samples; equal ones give equal results.
  ///   - hasShift: Whether the offset is free.
  init?(_ samples: [Sample], hasShift: Bool) {
    let unknowns = hasShift ? 2 : 1
    guard samples.count >= unknowns else { return nil }
    let step = max((samples.count + Self.startSamples - 1) / Self.startSamples, 1)
    let few = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
    guard let start = hasShift ? Self.leastMedianLine(few) : Self.shortestHalf(few) else {
      return nil
    }
    (scale, shift) = start
    let correction = 1 + 5 / Double(max(samples.count - unknowns, 1))
    modelSigma = Self.spread(samples, start) * correction
    for round in 0..<3 {
      guard descend(samples, hasShift) else { return nil }
      if round < 2 { modelSigma = Self.spread(samples, (scale, shift)) * correction }
    }
    finish(samples, hasShift)
  }

  /// 1.4826 times the median of the residuals over what a unit of the model's error does.
  private static func spread(
    _ samples: [Sample], _ line: (scale: Double, shift: Double)
  ) -> Double {
    let residuals = samples.map {
      abs(line.scale * $0.x + line.shift - $0.target) / $0.modelShare
    }.sorted()
    return 1.4826 * (residuals.middleOfSorted ?? .nan)
  }

  /// The middle of the shortest interval that holds half of the ratios: the least median of squares
  /// in one dimension.
  private static func shortestHalf(_ samples: [Sample]) -> (scale: Double, shift: Double)? {
    let ratios = samples.filter { $0.x != 0 }.map { $0.target / $0.x }.sorted()
    guard !ratios.isEmpty else { return nil }
    let half = ratios.count / 2
    var best = 0
    for index in 0..<(ratios.count - half)
    where ratios[index + half] - ratios[index] < ratios[best + half] - ratios[best] {
      best = index
    }
    return ((ratios[best] + ratios[best + half]) / 2, 0)
  }

  /// The best of many lines through two samples, drawn by a generator of a fixed seed.
  private static func leastMedianLine(_ samples: [Sample]) -> (scale: Double, shift: Double)? {
    var best: (line: (scale: Double, shift: Double), median: Double)?
    var state: UInt64 = 0x243f_6a88_85a3_08d3
    func draw() -> Int {
      // SplitMix64, as the simulation's generator.
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return Int((mixed ^ (mixed >> 31)) % UInt64(samples.count))
    }
    let few = samples.count * (samples.count - 1) / 2 <= trials
    let pairs =
      few
      ? samples.indices.flatMap { first in (0..<first).map { ($0, first) } }
      : (0..<trials).map { _ in (draw(), draw()) }
    for (first, second) in pairs {
      let (one, two) = (samples[first], samples[second])
      guard one.x != two.x else { continue }
      let scale = (two.target - one.target) / (two.x - one.x)
      let shift = one.target - scale * one.x
      let line = (scale, shift)
      if let found = best {
        let better = samples.count {
          abs(scale * $0.x + shift - $0.target) / $0.modelShare < found.median
        }
        if better <= samples.count / 2 { continue }
      }
      best = (line, spread(samples, line) / 1.4826)
    }
    return best?.line
  }

  private func weight(_ sample: Sample, _ residual: Double) -> Double {
    let model = modelSigma * sample.modelShare
    let variance = sample.sigma * sample.sigma + model * model
    // Without noise there is nothing to weigh: what is not on the line is an outlier.
    guard variance > 0 else { return residual == 0 ? 1 : 0 }
    let share = residual * residual / (variance * Self.cutoff * Self.cutoff)
    return share < 1 ? (1 - share) * (1 - share) / variance : 0
  }

  /// Reweighted least squares to convergence; whether a line came of it.
  private mutating func descend(_ samples: [Sample], _ hasShift: Bool) -> Bool {
    for _ in 0..<30 {
      var (xx, x1, one, xt, t1) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for sample in samples {
        let weight = weight(sample, scale * sample.x + shift - sample.target)
        xx += weight * sample.x * sample.x
        x1 += weight * sample.x
        one += weight
        xt += weight * sample.x * sample.target
        t1 += weight * sample.target
      }
      let (oldScale, oldShift) = (scale, shift)
      if hasShift {
        let determinant = xx * one - x1 * x1
        // Keeps the start where all that has weight lies at one abscissa.
        guard determinant > 1e-12 * xx * one else { return one > 0 && modelSigma == 0 }
        scale = (xt * one - x1 * t1) / determinant
        shift = (xx * t1 - x1 * xt) / determinant
      } else {
        guard xx > 0 else { return false }
        scale = xt / xx
      }
      guard scale.isFinite, shift.isFinite else { return false }
      let change = abs(scale - oldScale) + abs(shift - oldShift)
      if change <= 1e-8 * (abs(scale) + abs(shift)) { break }
    }
    return true
  }

  /// The covariance by blocks of samples that share their errors, and the share of outliers.
  ///
  /// - Source: K.-Y. Liang, S. L. Zeger, *Longitudinal data analysis using generalized linear models*,
  ///   Biometrika 73 (1986): the sandwich over clusters, times G/(G − 1).
  private mutating func finish(_ samples: [Sample], _ hasShift: Bool) {
    var (xx, x1, one) = (0.0, 0.0, 0.0)
    var gradients: [Int: SIMD2<Double>] = [:]
    var squares = 0.0
    var used = 0
    for sample in samples {
      let residual = scale * sample.x + shift - sample.target
      let weight = weight(sample, residual)
      if weight == 0 { continue }
      used += 1
      xx += weight * sample.x * sample.x
      x1 += weight * sample.x
      one += weight
      squares += weight * residual * residual
      gradients[sample.block, default: .zero] +=
        SIMD2(sample.x, 1) * (weight * residual)
    }
    outlierShare = 1 - Double(used) / Double(samples.count)
    let unknowns = hasShift ? 2 : 1
    let determinant = hasShift ? xx * one - x1 * x1 : xx
    guard determinant > 0 else { return }
    let inverse =
      hasShift
      ? (a: one / determinant, b: -x1 / determinant, c: xx / determinant)
      : (a: 1 / xx, b: 0, c: 0)
    guard gradients.count >= 3 * unknowns else {
      // Few positions: their own σ, or their scatter where that is larger.
      let factor = max(1, used > unknowns ? squares / Double(used - unknowns) : 1)
      covariance = (inverse.a * factor, inverse.b * factor, inverse.c * factor)
      return
    }
    var middle = (xx: 0.0, x1: 0.0, one: 0.0)
    for key in gradients.keys.sorted() {
      guard let gradient = gradients[key] else { continue }
      middle.xx += gradient.x * gradient.x
      middle.x1 += gradient.x * gradient.y
      middle.one += gradient.y * gradient.y
    }
    let count = Double(gradients.count)
    let factor = count / (count - 1)
    let (a, b, c) = inverse
    let first = (a * middle.xx + b * middle.x1, a * middle.x1 + b * middle.one)
    let second = (b * middle.xx + c * middle.x1, b * middle.x1 + c * middle.one)
    covariance = (
      factor * (first.0 * a + first.1 * b), factor * (first.0 * b + first.1 * c),
      factor * (second.0 * b + second.1 * c)
    )
  }
}
