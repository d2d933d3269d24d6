/// The disparity between foreground and background, found from how often each disparity occurs.
///
/// It is the one that leaves the least variance within both sides; where several do, the middle of
/// the emptiest between them.
/// - Source: Otsu, *A threshold selection method from gray-level histograms*, IEEE Transactions on
///   Systems, Man, and Cybernetics 9 (1), 1979.
enum ForegroundThreshold {
  /// The threshold within a histogram, as a share of its range.
  static func share(of counts: [Int64]) -> Double {
    let total = counts.reduce(0.0) { $0 + Double($1) }
    let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
    var (below, belowSum, best) = (0.0, 0.0, -1.0)
    var (first, last) = (0, 0)
    for (bin, count) in counts.enumerated().dropLast() {
      below += Double(count)
      belowSum += Double(bin) * Double(count)
      guard below > 0, below < total else { continue }
      let difference = belowSum / below - (sum - belowSum) / (total - below)
      let between = below * (total - below) * difference * difference
      if between > best * (1 + 1e-12) {
        best = between
        first = bin
        last = bin
      } else if between >= best * (1 - 1e-12) {
        // An empty stretch between both sides: all of it separates them alike.
        last = bin
      }
    }
    guard best > 0 else { return 0.5 }
    return (Double(first + last) / 2 + 1) / Double(counts.count)
  }
}
