extension Sequence {
  /// The elements by ascending time; equal times keep their order; O(*n* log *n*).
  func sortedByTime(_ seconds: (Element) -> Double) -> [Element] {
    enumerated().map { (seconds: seconds($1), place: $0, element: $1) }
      .sorted { ($0.seconds, $0.place) < ($1.seconds, $1.place) }.map(\.element)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index from which on a condition holds that fails for all elements before.
  ///
  /// It is the end where it holds for none. O(log *n*).
  func firstSortedIndex(where condition: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
