/// Base64 as XMP carries images: possibly folded into lines, possibly without its padding.
package enum Base64 {
  /// Decodes text, skipping white space; the URL alphabet is understood too (RFC 4648 §4, §5).
  ///
  /// - Throws: `.malformed` for a foreign character, data behind the padding or a lone last digit;
  ///   `.limitExceeded` when the result would pass `limit` bytes. O(*n*), one pass.
  package static func decoded(
    _ text: String, atMost limit: Int, path: [String]
  ) throws(CaptureReadingError) -> [UInt8] {
    guard text.utf8.count / 4 <= limit / 3 + 1 else {
      throw CaptureReadingError(
        .limitExceeded, path: path, expected: "at most \(limit) bytes behind base64",
        found: "\(text.utf8.count) characters")
    }
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var digitCount = 0
    var hasEnded = false
    for (position, character) in text.utf8.enumerated() {
      let digit = values[Int(character)]
      if digit < 64, !hasEnded {
        buffer = buffer << 6 | UInt32(digit)
        digitCount += 1
        if digitCount % 4 == 0 {
          bytes.append(UInt8(truncatingIfNeeded: buffer >> 16))
          bytes.append(UInt8(truncatingIfNeeded: buffer >> 8))
          bytes.append(UInt8(truncatingIfNeeded: buffer))
        }
      } else if digit == padding {
        hasEnded = true
      } else if digit != space {
        throw CaptureReadingError(
          .malformed, path: path, expected: "base64",
          found: "\(printable([character])) as character \(position + 1)")
      }
    }
    switch digitCount % 4 {
    case 2:
      bytes.append(UInt8(truncatingIfNeeded: buffer >> 4))
    case 3:
      bytes.append(UInt8(truncatingIfNeeded: buffer >> 10))
      bytes.append(UInt8(truncatingIfNeeded: buffer >> 2))
    case 1:
      throw CaptureReadingError(
        .malformed, path: path, expected: "whole bytes of base64", found: "one digit too many")
    default:
      break
    }
    return bytes
  }

  /// Encodes bytes in one line, padded (RFC 4648 §4); O(*n*).
  package static func encoded(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { output in
      var place = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let group =
          Int(bytes[start]) << 16 | (rest > 1 ? Int(bytes[start + 1]) << 8 : 0)
          | (rest > 2 ? Int(bytes[start + 2]) : 0)
        output[place] = digits[group >> 18]
        output[place + 1] = digits[group >> 12 & 63]
        output[place + 2] = rest > 1 ? digits[group >> 6 & 63] : UInt8(ascii: "=")
        output[place + 3] = rest > 2 ? digits[group & 63] : UInt8(ascii: "=")
        place += 4
      }
      return count
    }
  }

  private static let padding: UInt8 = 64
  private static let space: UInt8 = 65

  /// What each character means: 0 to 63, padding, white space, or 255 for anything else.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in digits.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    for (character, value) in zip("-_".utf8, [62, 63] as [UInt8]) {
      values[Int(character)] = value
    }
    for character in " \t\r\n".utf8 { values[Int(character)] = space }
    values[Int(UInt8(ascii: "="))] = padding
    return values
  }()
}
