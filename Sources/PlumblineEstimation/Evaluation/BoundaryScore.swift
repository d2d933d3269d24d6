public import PlumblineModel

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
  public static let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }

  /// Compares two maps of one size; NaN is unknown.
  ///
  /// O(*n*) for each threshold.
  ///
  /// - Precondition: The sizes agree.
  public init(_ prediction: Raster<Float>, truth: Raster<Float>) {
    precondition(prediction.size == truth.size, "\(prediction.size) against \(truth.size)")
    let (own, true_) = (prediction.packed.samples, truth.packed.samples)
    let size = truth.size
    // Counts for each threshold and direction: found and true, true, found.
    let count = Self.thresholds.count
    var both = [Int](repeating: 0, count: 4 * count)
    var real = both
    var found = both
    func compare(_ first: Int, _ second: Int, _ direction: Int) {
      let ratio = own[first] / own[second]
      let truth = true_[first] / true_[second]
      guard !ratio.isNaN, !truth.isNaN else { return }
      for (place, limit) in Self.thresholds.enumerated() {
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
    func mean(_ counts: [Int], _ place: Int) -> Double {
      (0..<4).reduce(0) {
        $0 + Double(both[4 * place + $1]) / Double(max(counts[4 * place + $1], 1))
      } / 4
    }
    let weight = Self.thresholds.reduce(0, +)
    var score = 0.0
    for place in 0..<count {
      let (recall, precision) = (mean(real, place), mean(found, place))
      if recall + precision > 0 {
        score += Self.thresholds[place] / weight * 2 * recall * precision / (recall + precision)
      }
    }
    f1 = score
    precision = mean(found, 0)
    recall = mean(real, 0)
    edgeCount = real[0..<4].reduce(0, +)
  }
}
