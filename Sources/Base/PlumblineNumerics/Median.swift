extension Collection where Element: Comparable {
  /// The median, of an even count the upper of the two in the middle; `nil` of nothing.
  ///
  /// It is always one of the values. O(*n* log *n*); NaN has no place in an order and must not occur.
  package var upperMedian: Element? { sorted().middleOfSorted }
}

extension RandomAccessCollection {
  /// The value in the middle of values that are in order already; `nil` of nothing.
  ///
  /// Of an even count it is the upper of the two. O(1).
  package var middleOfSorted: Element? {
    isEmpty ? nil : self[index(startIndex, offsetBy: count / 2)]
  }
}

extension Collection where Element: BinaryFloatingPoint {
  /// The median, of an even count the mean of the two in the middle; `nil` of nothing.
  ///
  /// O(*n* log *n*); NaN has no place in an order and must not occur.
  package var median: Element? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
