/// Lists of numbers as users write them.
enum NumberText {
  /// Finite numbers between separators; `nil` where one is something else.
  static func numbers(_ text: some StringProtocol, between separator: Character) -> [Double]? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    return numbers.count == words.count ? numbers : nil
  }

  /// Whole numbers between separators; `nil` where one is something else.
  static func integers(_ text: some StringProtocol, between separator: Character) -> [Int]? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }
    return numbers.count == words.count ? numbers : nil
  }
}
