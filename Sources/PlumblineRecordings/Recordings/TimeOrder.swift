extension Sequence {
  /// The elements by ascending time; equal times keep their order; O(*n* log *n*).
  func sortedByTime(_ seconds: (Element) -> Double) -> [Element] {
    let elements = Array(self)
    // Most lists are in order, and a list of millions of large elements costs seconds to sort.
    let times = elements.map(seconds)
    if zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) { return elements }
    return elements.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { elements[$0] }
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
