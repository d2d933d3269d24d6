extension JSONReader {
  private static let powersOfTen: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { value, _ in value * 10 }
  }

  /// The extent of a number, and its digits as far as they fit.
  private struct Number {
    var end: Int
    var isNegative = false
    var hasExponent = false
    /// The digits before the exponent as one whole number, exact up to 19 of them.
    var mantissa: UInt64 = 0
    /// The number of significant digits in the mantissa.
    var digits = 0
    /// The number of digits after the decimal point.
    var decimals = 0

    /// Moves past digits that belong to the mantissa and returns their count.
    mutating func passMantissa(_ bytes: [UInt8]) -> Int {
      let begin = end
      while end < bytes.count, case let digit = bytes[end] &- 48, digit < 10 {
        if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(digit) }
        if mantissa > 0 { digits += 1 }
        end += 1
      }
      return end - begin
    }
  }

  /// Scans the next number without moving past it.
  private func number() throws(JSONReadingError) -> Number {
    var number = Number(end: offset)
    func byte() -> UInt8 { number.end < bytes.count ? bytes[number.end] : 0 }
    if byte() == UInt8(ascii: "-") {
      number.isNegative = true
      number.end += 1
    }
    if byte() == UInt8(ascii: "0") {
      number.end += 1
    } else {
      guard number.passMantissa(bytes) > 0 else { throw malformed("a number", at: number.end) }
    }
    if byte() == UInt8(ascii: ".") {
      number.end += 1
      number.decimals = number.passMantissa(bytes)
      guard number.decimals > 0 else {
        throw malformed("digits behind the point", at: number.end)
      }
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      number.hasExponent = true
      number.end += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { number.end += 1 }
      let begin = number.end
      while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte()) { number.end += 1 }
      guard number.end > begin else { throw malformed("digits of an exponent", at: begin) }
    }
    return number
  }

  /// Reads a number as the text that stands in the document.
  mutating func readDigits() throws(JSONReadingError) -> String {
    let end = try number().end
    defer { advance(to: end) }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }

  /// Reads a number as the nearest `Double`; JSON has neither NaN nor infinity.
  ///
  /// - Throws: `.malformed` for anything but a number, and for overflow, such as 1e999.
  package mutating func readNumber() throws(JSONReadingError) -> Double {
    let number = try number()
    defer { advance(to: number.end) }
    // Exact: both operands are exact, and one division rounds once.
    // - Source: Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990.
    if !number.hasExponent, number.digits <= 15, number.decimals <= 22 {
      let value = Double(number.mantissa) / Self.powersOfTen[number.decimals]
      return number.isNegative ? -value : value
    }
    let digits = String(decoding: bytes[offset..<number.end], as: UTF8.self)
    guard let value = Double(digits), value.isFinite else {
      throw malformed("a number of double precision")
    }
    return value
  }

  /// Reads a string with its escapes.
  package mutating func readString() throws(JSONReadingError) -> String {
    let first = offset
    var place = offset + 1
    var units: [UInt8] = []
    while true {
      guard place < bytes.count, bytes[place] >= 0x20 else {
        throw malformed("a quotation mark that ends the text", at: place)
      }
      guard place - first <= limits.stringBytes else {
        throw limit("at most \(limits.stringBytes) bytes of text")
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
      case UInt8(ascii: "u"): units += Array(String(try scalar(&place)).utf8)
      default: throw malformed("a JSON escape", at: place - 2)
      }
    }
    advance(to: place)
    if strictness == .lenient { return String(decoding: units, as: UTF8.self) }
    guard let text = String(validating: units, as: UTF8.self) else {
      throw malformed("a text in UTF-8", at: first)
    }
    return text
  }

  /// Decodes `\uXXXX`, or two of them that form a surrogate pair.
  private func scalar(_ place: inout Int) throws(JSONReadingError) -> Character {
    let escape = place - 2
    let high = try hexadecimal(&place)
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    if high < 0xDC00, bytes.dropFirst(place).starts(with: "\\u".utf8) {
      var behind = place + 2
      let low = try hexadecimal(&behind)
      let code = 0x10000 &+ ((high &- 0xD800) << 10) &+ (low &- 0xDC00)
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(code) {
        place = behind
        return Character(scalar)
      }
    }
    guard strictness == .lenient else { throw malformed("both halves of a pair", at: escape) }
    return "\u{FFFD}"
  }

  private func hexadecimal(_ place: inout Int) throws(JSONReadingError) -> UInt32 {
    let digits = bytes.dropFirst(place).prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("four hexadecimal digits", at: place) }
    place += 4
    return value
  }
}

/// Equally long rows of numbers, as printed depth maps have them.
package struct JSONNumberRows: Hashable, Sendable {
  /// The length of each row, at least 1.
  package let width: Int
  /// All numbers, row after row; a multiple of `width`.
  package let values: [Float]
}

extension JSONReader {
  /// Reads an array of equally long arrays of numbers, row after row, without a tree; O(*n*).
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of values.
  ///   - divisor: Each value is divided by it before it is rounded to single precision, so that a
  ///     change of unit needs no second rounding.
  /// - Returns: The numbers and the length of the rows.
  /// - Throws: `.malformed` for rows of different lengths, none at all, or anything but numbers,
  ///   with row and column; `.limitExceeded` past `maximumCount`.
  package mutating func readNumberRows(
    maximumCount: Int, dividedBy divisor: Double = 1
  ) throws(JSONReadingError) -> JSONNumberRows {
    var values: [Float] = []
    var width: Int?
    var rows = 0
    try openArray()
    while try nextElement() {
      let rowStart = values.count
      do throws(JSONReadingError) {
        try openArray()
        while try nextElement() {
          guard values.count < maximumCount else {
            throw limit("at most \(maximumCount) numbers")
          }
          values.append(Float(try readNumber() / divisor))
          if let width, values.count - rowStart > width { break }
        }
      } catch {
        throw error.inside("column \(values.count - rowStart)").inside("row \(rows)")
      }
      let count = values.count - rowStart
      guard count > 0, count == width ?? count else {
        var error = malformed(width.map { "\($0) numbers, as in the first row" } ?? "numbers")
        error.found = count > width ?? count ? "more" : "\(count)"
        throw error.inside("row \(rows)")
      }
      width = count
      rows += 1
    }
    guard let width else {
      var error = malformed("rows of numbers")
      error.found = "an empty array"
      throw error
    }
    return JSONNumberRows(width: width, values: values)
  }
}
