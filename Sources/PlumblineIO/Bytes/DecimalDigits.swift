extension Int {
  /// The number with zeros in front up to a count of digits, `000012`; it must not be negative.
  package func digits(atLeast count: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }

  /// Reads 1 to `maximum` ASCII digits and nothing else, not even a sign.
  package init?(digits text: some StringProtocol, atMost maximum: Int = 18) {
    guard (1...maximum).contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
      return nil
    }
    self.init(text)
  }
}
