extension JSONParser {
  /// The string at hand.
  mutating func string() throws(JSONReadingError) -> String {
    guard next == UInt8(ascii: "\"") else { throw malformed("'\"'") }
    let start = offset
    offset += 1
    var content: [UInt8] = []
    while next != UInt8(ascii: "\"") {
      // Also the end of the bytes, which reads as 0.
      guard next >= 0x20 else { throw malformed("a character or '\"'") }
      if next == UInt8(ascii: "\\") {
        content.append(contentsOf: try escaped())
      } else {
        content.append(next)
        offset += 1
      }
    }
    offset += 1
    guard let text = String(validating: content, as: UTF8.self) else {
      throw JSONReadingError(
        .malformed, offset: start, expected: "a string in UTF-8", found: "other bytes")
    }
    return text
  }

  /// The UTF-8 of the escape sequence at hand.
  private mutating func escaped() throws(JSONReadingError) -> [UInt8] {
    offset += 1
    let letter = next
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
      UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
    if let byte = plain[letter] {
      offset += 1
      return [byte]
    }
    guard letter == UInt8(ascii: "u") else { throw malformed("one of \"\\/bfnrtu") }
    var code = try codeUnit()
    if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\") {
      offset += 1
      guard next == UInt8(ascii: "u") else { throw malformed("the second half of a surrogate") }
      let low = try codeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw malformed("a low surrogate before here") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) else {
      throw malformed("the second half of a surrogate")
    }
    return Array(bytes)
  }

  /// The four hexadecimal digits after the `u` at hand.
  private mutating func codeUnit() throws(JSONReadingError) -> UInt32 {
    offset += 1
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
        throw malformed("a hexadecimal digit")
      }
      code = code << 4 + UInt32(digit)
      offset += 1
    }
    return code
  }
}
