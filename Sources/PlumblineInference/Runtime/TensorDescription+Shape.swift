extension TensorDescription {
  /// The shape where no dimension is open.
  public var fixedShape: [Int]? {
    let lengths = shape.compactMap { $0 }
    return lengths.count == shape.count ? lengths : nil
  }

  /// Whether a tensor of a shape can be given, open dimensions taking any length from 1 on.
  public func allows(_ lengths: [Int]) -> Bool {
    lengths.count == shape.count && zip(shape, lengths).allSatisfy { $0 == nil ? $1 > 0 : $0 == $1 }
  }

  /// The shape in words, such as `1×3×?×?`.
  var shapeText: String {
    shape.isEmpty ? "one number" : shape.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "×")
  }
}

extension [Int] {
  /// The product of lengths; `nil` where one is negative or the product is over a limit.
  func countOfElements(atMost limit: Int) -> Int? {
    var count = 1
    for length in self {
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflow, product <= limit else { return nil }
      count = product
    }
    return count
  }
}
