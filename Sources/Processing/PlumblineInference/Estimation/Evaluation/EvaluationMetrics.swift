package import PlumblineModel
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

  /// Sums up pairs that are above 0 and finite; `nil` for none.
  ///
  /// O(*n* log *n*).
  static func of(_ pairs: [(prediction: Double, truth: Double)]) -> DepthErrors? {
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
    let mean = logSum / count
    return DepthErrors(
      count: pairs.count, absoluteRelative: relative / count,
      squaredRelativeMeters: squared / count, rmseMeters: (square / count).squareRoot(),
      rmseLog: (logSquare / count).squareRoot(), log10: ten / count / log(10),
      deltas: below / count,
      scaleInvariantLog: 100 * max(logSquare / count - mean * mean, 0).squareRoot(),
      biasMeters: bias / count, medianMeters: absolute.median ?? .nan)
  }
}

/// How well the edges of a prediction are those of the truth, whatever its scale.
///
/// There is an edge between two neighbors when the ratio of their depths is above a threshold.
/// Precision and recall of such edges are the means over the four directions; their harmonic mean is
/// summed over ten thresholds from 1.05 to 1.25, weighted by the threshold.
/// - Source: A. Bochkovskii et al., *Depth Pro*, 2024, 3.2 and its published evaluation
///   (`SI_boundary_F1`). Pairs with an unknown depth are left out, which that evaluation does not have.
public struct BoundaryScore: Sendable, Hashable {
  /// The harmonic mean of precision and recall, 0 to 1, over all thresholds.
  public var f1: Double
  /// The precision at the least threshold.
  public var precision: Double
  /// The recall at the least threshold.
  public var recall: Double
  /// The number of edges of the truth at the least threshold, in all four directions.
  public var edgeCount: Int

  /// The thresholds.
  package static let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }

  /// Compares two maps; NaN is unknown.
  ///
  /// - Precondition: The sizes agree.
  /// - Returns: The score. O(*n*) for each threshold.
  package static func compared(
    _ prediction: Raster<Float>, truth: Raster<Float>
  ) -> BoundaryScore {
    precondition(prediction.size == truth.size, "\(prediction.size) against \(truth.size)")
    let counts = EdgeCounts.counted(prediction.packed.samples, truth.packed.samples, truth.size)
    let weight = thresholds.reduce(0, +)
    var score = 0.0
    for place in thresholds.indices {
      let (recall, precision) = (counts.recall(place), counts.precision(place))
      if recall + precision > 0 {
        score += thresholds[place] / weight * 2 * recall * precision / (recall + precision)
      }
    }
    return BoundaryScore(
      f1: score, precision: counts.precision(0), recall: counts.recall(0),
      edgeCount: counts.real[0..<4].reduce(0, +))
  }
}

/// The numbers of edges for each threshold and, innermost, each of four directions.
private struct EdgeCounts {
  /// Edges of both maps, of the truth, and of the prediction.
  var both, real, found: [Int]

  static func counted(_ own: [Float], _ true_: [Float], _ size: RasterSize) -> EdgeCounts {
    let none = [Int](repeating: 0, count: 4 * BoundaryScore.thresholds.count)
    var (both, real, found) = (none, none, none)
    func compare(_ first: Int, _ second: Int, _ direction: Int) {
      let ratio = own[first] / own[second]
      let truth = true_[first] / true_[second]
      guard !ratio.isNaN, !truth.isNaN else { return }
      for (place, limit) in BoundaryScore.thresholds.enumerated() {
        let threshold = Float(limit)
        let slot = 4 * place + direction
        let (isFound, isReal) = (ratio > threshold, truth > threshold)
        if !isFound, !isReal {
          // Thresholds ascend.
          break
        }
        if isReal { real[slot] += 1 }
        if isFound { found[slot] += 1 }
        if isReal, isFound { both[slot] += 1 }
      }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let here = y * size.width + x
        if x + 1 < size.width {
          compare(here, here + 1, 0)
          compare(here + 1, here, 1)
        }
        if y + 1 < size.height {
          compare(here, here + size.width, 2)
          compare(here + size.width, here, 3)
        }
      }
    }
    return EdgeCounts(both: both, real: real, found: found)
  }

  /// The mean recall over the directions.
  func recall(_ place: Int) -> Double { share(of: real, place) }
  /// The mean precision over the directions.
  func precision(_ place: Int) -> Double { share(of: found, place) }

  private func share(of counts: [Int], _ place: Int) -> Double {
    (0..<4).reduce(0) {
      $0 + Double(both[4 * place + $1]) / Double(max(counts[4 * place + $1], 1))
    } / 4
  }
}
