extension JSONWriter {
  /// Appends a string in quotation marks with everything unsafe escaped.
  func appendQuoted(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(isVerbatim) {
      output.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { Self.append(scalar, to: &output) }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Text of a file for messages: whatever steers a terminal or the direction of text is escaped.
  package static func printable(_ text: String) -> String {
    var output: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar == "<" {
        output.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        append(scalar, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    switch scalar {
    case "\"": output.append(contentsOf: #"\""#.utf8)
    case "\\": output.append(contentsOf: #"\\"#.utf8)
    case "\n": output.append(contentsOf: #"\n"#.utf8)
    case "\r": output.append(contentsOf: #"\r"#.utf8)
    case "\t": output.append(contentsOf: #"\t"#.utf8)
    case _ where mustBeEscaped(scalar):
      // Every scalar on the list lies in the first plane, so one escape of four digits is enough.
      let digits = String(scalar.value, radix: 16)
      output.append(contentsOf: #"\u"#.utf8)
      output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
      output.append(contentsOf: digits.utf8)
    default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private func isVerbatim(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: "<")
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true  // control characters, which a terminal obeys
    case 0x3C: true  // "<", which could end a script element
    case 0x2028, 0x2029: true  // line ends to older JavaScript
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction of text
    case 0xFEFF: true  // a byte order mark to some readers
    default: false
    }
  }
}
