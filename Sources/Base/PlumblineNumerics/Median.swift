// Inlinable, so that other modules get code for the type of their own values.
extension Collection where Element: Comparable {
  /// The median; for an even count, the upper of the two middle values; `nil` if empty.
  ///
  /// It is always one of the values. O(*n* log *n*); the values must not contain NaN, which has no
  /// order.
  @inlinable package var upperMedian: Element? { sorted().middleOfSorted }
}

extension RandomAccessCollection {
  /// The middle of sorted values; `nil` if empty.
  ///
  /// For an even count it is the upper of the two middle values. O(1).
  @inlinable package var middleOfSorted: Element? {
    isEmpty ? nil : self[index(startIndex, offsetBy: count / 2)]
  }
}

extension Collection where Element: BinaryFloatingPoint {
  /// The median; for an even count, the mean of the two middle values; `nil` if empty.
  ///
  /// O(*n* log *n*); the values must not contain NaN, which has no order.
  @inlinable package var median: Element? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
