extension Double {
  /// Parses a number as `Double(String)` does, and many times faster for a plain decimal.
  ///
  /// Text that is not a plain decimal of at most 19 digits is parsed by `Double(String)`.
  ///
  /// - Source: with `w` the digits as a whole number below 2⁶⁴ the value is
  ///   `w / 10ᵏ = (w / 5ᵏ) / 2ᵏ`, and 5²⁷ < 2⁶⁴: one exact division with its remainder rounds as
  ///   IEEE 754 requires, to nearest, ties to even.
  package init?(decimal text: some Collection<UInt8>) {
    let plain = text.withContiguousStorageIfAvailable { Self.plainDecimal($0) } ?? nil
    guard let number = plain ?? Double(String(decoding: text, as: UTF8.self)) else { return nil }
    self = number
  }

  /// The powers of five below 2⁶⁴.
  private static let powersOfFive: [UInt64] = (0...27).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 5 }
  }

  /// The value of `-12.5`, `7` or `1.5e-05`; `nil` for any other notation.
  private static func plainDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var whole: UInt64 = 0
    // Zeros before the first significant digit do not count as digits.
    var digits = 0
    func takeDigits() -> Int {
      let start = index
      while index < text.count, case let digit = text[index] &- 48, digit < 10 {
        if digits > 0 || digit > 0 { digits += 1 }
        // Nineteen digits stay below 2⁶⁴; the digit count rejects longer numbers.
        whole = whole &* 10 &+ UInt64(digit)
        index += 1
      }
      return index - start
    }
    guard takeDigits() > 0 else { return nil }
    var scale = 0
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      scale = takeDigits()
      guard scale > 0 else { return nil }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      guard let exponent = exponent(text[(index + 1)...]) else { return nil }
      scale -= exponent
      index = text.count
    }
    guard index == text.count, digits <= 19, (0...27).contains(scale) else { return nil }
    let magnitude = quotient(whole, scale)
    return isNegative ? -magnitude : magnitude
  }

  /// One to three digits with a sign or without.
  private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
    guard (1...3).contains(digits.count), digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    return isNegative ? -number : number
  }

  /// `whole / 10^scale`, correctly rounded, for scales to 27; no result is subnormal.
  private static func quotient(_ whole: UInt64, _ scale: Int) -> Double {
    guard whole > 0, scale > 0 else { return Double(whole) }
    let divisor = powersOfFive[scale]
    let up = whole.leadingZeroBitCount
    let divisorUp = divisor.leadingZeroBitCount
    // Both have their highest bit set, so the quotient fits when one of them is a bit shorter.
    let top = whole << UInt64(up)
    let (bits, rest) = (divisor << UInt64(divisorUp))
      .dividingFullWidth((top >> 1, top << 63))
    // At least 63 bits; 53 are kept, and the lowest one says whether anything follows (sticky bit).
    let sticky = bits | (rest == 0 ? 0 : 1)
    // bits = whole·2^up / (divisor·2^divisorUp) · 2^63, and the power of two is exact.
    let exponent = divisorUp - up - 63 - scale
    return Double(sticky) * Double(bitPattern: UInt64(1023 + exponent) << 52)
  }
}

extension Int {
  /// The number with leading zeros up to a minimum count of digits, `000012`; it must be at least
  /// 0.
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
