extension JSONReader {
  private static let powersOfTen: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { value, _ in value * 10 }
  }

  /// Reads a number; JSON has no NaN and no infinity, and neither have results.
  mutating func readNumber() throws(CaptureReadingError) -> Double {
    let first = offset
    var place = offset
    let isNegative = place < bytes.count && bytes[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    /// Moves over digits and says how many there were.
    func run() -> Int {
      let begin = place
      while place < bytes.count, case let digit = bytes[place] &- 48, digit < 10 {
        if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(digit) }
        if mantissa > 0 { digits += 1 }
        place += 1
      }
      return place - begin
    }
    guard run() > 0 else { throw malformed("a number") }
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      decimals = run()
      guard decimals > 0 else { throw malformed("digits behind the point", at: place) }
    }
    var hasExponent = false
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      hasExponent = true
      place += 1
      if place < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[place]) {
        place += 1
      }
      let kept = digits
      guard run() > 0 else { throw malformed("digits of an exponent", at: place) }
      digits = kept
    }
    defer { advance(to: place) }
    // Exact: both operands are, and one division rounds once (Clinger, 1990).
    if !hasExponent, digits <= 15, decimals <= 22 {
      let value = Double(mantissa) / Self.powersOfTen[decimals]
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: bytes[first..<place], as: UTF8.self)), value.isFinite
    else { throw malformed("a number of double precision", at: first) }
    return value
  }

  /// Reads a string with its escapes; wrong UTF-8 becomes U+FFFD, as everywhere in Swift.
  mutating func readString() throws(CaptureReadingError) -> String {
    let first = offset
    var place = offset + 1
    var units: [UInt8] = []
    while true {
      guard place < bytes.count, bytes[place] >= 0x20 else {
        throw malformed("a quotation mark that ends the text", at: place)
      }
      guard place - first <= limits.stringBytes else {
        throw limit("at most \(limits.stringBytes) bytes of text", "more")
      }
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else {
        units.append(byte)
        continue
      }
      guard place < bytes.count else { throw malformed("an escaped character", at: place) }
      let escape = bytes[place]
      place += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escape)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        units += Array(String(try scalar(&place)).utf8)
      default: throw malformed("a JSON escape", at: place - 2)
      }
    }
    advance(to: place)
    return String(decoding: units, as: UTF8.self)
  }

  /// The character of `\uXXXX`, or of two of them; halves of a pair that stand alone are U+FFFD.
  private func scalar(_ place: inout Int) throws(CaptureReadingError) -> Character {
    let high = try hexadecimal(&place)
    guard 0xD800..<0xDC00 ~= high else {
      return Character(Unicode.Scalar(high) ?? "\u{FFFD}")
    }
    guard bytes.dropFirst(place).starts(with: "\\u".utf8) else { return "\u{FFFD}" }
    var behind = place + 2
    let low = try hexadecimal(&behind)
    guard 0xDC00..<0xE000 ~= low else { return "\u{FFFD}" }
    place = behind
    return Character(
      Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}")
  }

  private func hexadecimal(_ place: inout Int) throws(CaptureReadingError) -> UInt32 {
    let digits = bytes.dropFirst(place).prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("four hexadecimal digits", at: place) }
    place += 4
    return value
  }
}
