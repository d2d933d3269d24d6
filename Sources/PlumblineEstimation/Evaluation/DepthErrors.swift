import PlumblineNumerics

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How far predicted depths are from true ones, by the measures of the benchmarks.
///
/// With *p* predicted and *t* true, over *n* pixels where both are known.
/// - Source: D. Eigen, C. Puhrsch, R. Fergus, *Depth Map Prediction from a Single Image using a
///   Multi-Scale Deep Network*, NIPS 2014, 4.2 and eq. 1; SI-log times 100 with λ = 1 as the KITTI depth
///   benchmark has it.
public struct DepthErrors: Sendable, Hashable {
  /// The number of pixels.
  public var count: Int
  /// The mean of |p − t| / t.
  public var absoluteRelative: Double
  /// The mean of (p − t)² / t, in meters.
  public var squaredRelativeMeters: Double
  /// The root of the mean of (p − t)², in meters.
  public var rmseMeters: Double
  /// The root of the mean of (ln p − ln t)².
  public var rmseLog: Double
  /// The mean of |log₁₀ p − log₁₀ t|.
  public var log10: Double
  /// The share of pixels with max(p/t, t/p) below 1.25, 1.25² and 1.25³.
  public var deltas: SIMD3<Double>
  /// 100 times the standard deviation of ln p − ln t.
  public var scaleInvariantLog: Double
  /// The mean of p − t, in meters.
  public var biasMeters: Double
  /// The median of |p − t|, in meters.
  public var medianMeters: Double

  /// Sums pairs up; `nil` for none.
  ///
  /// O(*n* log *n*).
  ///
  /// - Precondition: All are above 0 and finite.
  init?(_ pairs: [(prediction: Double, truth: Double)]) {
    guard !pairs.isEmpty else { return nil }
    var (relative, squared, square, logSquare, logSum, ten) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var bias = 0.0
    var below = SIMD3<Double>.zero
    var absolute: [Double] = []
    absolute.reserveCapacity(pairs.count)
    for (prediction, truth) in pairs {
      let difference = prediction - truth
      let logarithm = log(prediction) - log(truth)
      let ratio = max(prediction / truth, truth / prediction)
      relative += abs(difference) / truth
      squared += difference * difference / truth
      square += difference * difference
      logSquare += logarithm * logarithm
      logSum += logarithm
      ten += abs(logarithm)
      bias += difference
      absolute.append(abs(difference))
      if ratio < 1.25 { below.x += 1 }
      if ratio < 1.25 * 1.25 { below.y += 1 }
      if ratio < 1.25 * 1.25 * 1.25 { below.z += 1 }
    }
    let count = Double(pairs.count)
    self.count = pairs.count
    absoluteRelative = relative / count
    squaredRelativeMeters = squared / count
    rmseMeters = (square / count).squareRoot()
    rmseLog = (logSquare / count).squareRoot()
    log10 = ten / count / log(10)
    deltas = below / count
    let mean = logSum / count
    scaleInvariantLog = 100 * max(logSquare / count - mean * mean, 0).squareRoot()
    biasMeters = bias / count
    medianMeters = absolute.median ?? .nan
  }
}
