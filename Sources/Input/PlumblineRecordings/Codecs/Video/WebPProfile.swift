/// The color profile of a WebP file.
enum WebPProfile {
  /// Adds a profile to a WebP file; `nil` for bytes that are not WebP, or that already have a
  /// profile.
  ///
  /// A file with the simple layout, which ffmpeg writes if all images of a loop are equal, is
  /// converted to the extended layout.
  ///
  /// - Source: RFC 9649, section 2.7: the profile follows `VP8X`, whose first byte has a flag for
  ///   it.
  static func inserting(_ profile: [UInt8], into file: [UInt8]) -> [UInt8]? {
    guard let extended = extended(file), extended[20] & 0x20 == 0, profile.count < 1 << 24 else {
      return nil
    }
    var chunk = Array("ICCP".utf8) + number(profile.count, 4) + profile
    if profile.count % 2 == 1 { chunk.append(0) }
    var result = extended
    result[20] |= 0x20
    result.insert(contentsOf: chunk, at: 30)
    result.replaceSubrange(4..<8, with: number(result.count - 8, 4))
    return result
  }

  /// The file in the extended layout; its `VP8X` contains the image's size minus one.
  ///
  /// - Source: RFC 9649, sections 2.5 (`VP8 `), 2.6 (`VP8L`) and 2.7; RFC 6386, section 9.1: the
  ///   size of a key frame; RFC 9649, section 3.4: the size of a lossless one.
  private static func extended(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 30, file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8)
    else { return nil }
    func word(_ place: Int) -> Int { Int(file[place]) | Int(file[place + 1]) << 8 }
    let (width, height): (Int, Int)
    var flags: UInt8 = 0
    switch String(decoding: file[12..<16], as: UTF8.self) {
    case "VP8X": return file
    case "VP8 ":
      guard file[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
      (width, height) = (word(26) & 0x3FFF, word(28) & 0x3FFF)
    case "VP8L":
      guard file[20] == 0x2F else { return nil }
      let bits = word(21) | word(23) << 16
      (width, height) = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
      if bits >> 28 & 1 == 1 { flags = 0x10 }
    default: return nil
    }
    guard width > 0, height > 0 else { return nil }
    let header = Array("VP8X".utf8) + number(10, 4) + [flags, 0, 0, 0]
    return Array(file[..<12]) + header + number(width - 1, 3) + number(height - 1, 3)
      + Array(file[12...])
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
  }
}
