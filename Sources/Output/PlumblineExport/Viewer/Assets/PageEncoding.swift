import PlumblineIO

/// Escapes text of unknown origin for insertion into a page.
enum Escaping {
  /// Text for the content of an element or a quoted attribute.
  ///
  /// Control characters and characters that change the text direction become U+FFFD, since they
  /// could make a name look like another one.
  static func markup(_ text: String) -> [UInt8] {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where isUnsafe(scalar): result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }

  /// A JSON document for the inside of a `<script>` element, with unchanged meaning.
  ///
  /// `<`, `>` and `&` occur only within JSON strings, where an escape has the same meaning; so
  /// neither `</script>` nor `<!--` can end or start anything. Unescaped control characters within
  /// a string are escaped too.
  static func script(json: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.utf8.count + 256)
    var isInString = false
    var isEscaped = false
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "<"): result += Array(#"\u003c"#.utf8)
      case UInt8(ascii: ">"): result += Array(#"\u003e"#.utf8)
      case UInt8(ascii: "&"): result += Array(#"\u0026"#.utf8)
      case 0..<0x20 where isInString || byte == 0: result += Array(unicodeEscape(byte))
      default: result.append(byte)
      }
      if isEscaped {
        isEscaped = false
      } else if isInString && byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return result
  }

  private static func unicodeEscape(_ byte: UInt8) -> [UInt8] {
    Array((#"\u00"# + Hexadecimal.lowercase(CollectionOfOne(byte))).utf8)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Base64 by RFC 4648, section 4, with padding and without line breaks.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  // Two characters at a time: half the lookups of the plain table, still within the L1 cache.
  private static let pairs: [UInt16] = (0..<4096).map { code in
    UInt16(alphabet[code >> 6]) | UInt16(alphabet[code & 63]) << 8
  }

  /// The bytes as ASCII characters; O(*n*).
  package static func encoded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let groups = bytes.count / 3
    let rest = bytes.count % 3
    let length = (groups + (rest > 0 ? 1 : 0)) * 4
    return [UInt8](unsafeUninitializedCapacity: length) { output, count in
      let quartets = UnsafeMutableRawBufferPointer(output)
      pairs.withUnsafeBufferPointer { pairs in
        for group in 0..<groups {
          let bits =
            Int(bytes[3 &* group]) << 16 | Int(bytes[3 &* group &+ 1]) << 8
            | Int(bytes[3 &* group &+ 2])
          let quartet = UInt32(pairs[bits >> 12]) | UInt32(pairs[bits & 4095]) << 16
          quartets.storeBytes(of: quartet.littleEndian, toByteOffset: 4 &* group, as: UInt32.self)
        }
      }
      if rest > 0 {
        let first = Int(bytes[3 * groups])
        let second = rest == 2 ? Int(bytes[3 * groups + 1]) : 0
        output[length - 4] = alphabet[first >> 2]
        output[length - 3] = alphabet[(first & 3) << 4 | second >> 4]
        output[length - 2] = rest == 2 ? alphabet[(second & 15) << 2] : UInt8(ascii: "=")
        output[length - 1] = UInt8(ascii: "=")
      }
      count = length
    }
  }

  /// The bytes of an array as ASCII characters; O(*n*).
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { encoded($0) }
  }
}
