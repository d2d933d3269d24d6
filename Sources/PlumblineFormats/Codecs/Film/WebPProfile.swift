/// The color profile of an animated WebP.
enum WebPProfile {
  /// The file with a profile; `nil` for bytes that are no WebP of the extended kind.
  ///
  /// - Source: RFC 9649, section 2.7: the profile stands behind `VP8X`, whose first byte has a flag of it.
  static func inserting(_ profile: [UInt8], into file: [UInt8]) -> [UInt8]? {
    guard file.count >= 30, file.starts(with: "RIFF".utf8),
      file[8..<16].elementsEqual("WEBPVP8X".utf8),
      file[20] & 0x20 == 0, profile.count < 1 << 24
    else { return nil }
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var chunk = Array("ICCP".utf8) + number(profile.count) + profile
    if profile.count % 2 == 1 { chunk.append(0) }
    var result = file
    result[20] |= 0x20
    result.insert(contentsOf: chunk, at: 30)
    result.replaceSubrange(4..<8, with: number(result.count - 8))
    return result
  }
}
