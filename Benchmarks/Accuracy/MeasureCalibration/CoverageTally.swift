import Foundation

/// How often truths lie within their ±.
struct CoverageTally: Sendable {
  private(set) var within1 = 0
  private(set) var within2 = 0
  private(set) var count = 0
  private var scores: [Double] = []

  /// Counts one: the error and the half widths that should hold 68.3 and 95.4 % of truths.
  mutating func add(_ error: Double, one: Double, two: Double) {
    guard error.isFinite, one > 0 else { return }
    count += 1
    if abs(error) <= one { within1 += 1 }
    if abs(error) <= two { within2 += 1 }
    scores.append(error / one)
  }

  mutating func add(_ other: CoverageTally) {
    within1 += other.within1
    within2 += other.within2
    count += other.count
    scores += other.scores
  }

  /// `68/95 (n, median z)`.
  var text: String {
    guard count > 0 else { return "–" }
    let median = scores.sorted()[scores.count / 2]
    return String(
      format: "%3.0f / %3.0f (%d; median z %+.1f)", 100 * Double(within1) / Double(count),
      100 * Double(within2) / Double(count), count, median)
  }
}
