package import PlumblineIO

/// The decoder configuration of an HEVC image, `hvcC` (ISO/IEC 14496-15 §8.3.3.1).
package struct HEVCConfiguration: Sendable, Hashable {
  /// The general profile, such as 3 for Main Still Picture and 4 for the range extensions that
  /// monochrome depth maps need.
  package let profile: Int
  /// The chroma format stated here; a decoder uses that of the parameter set instead.
  let chromaFormat: Int
  /// The bit depth of luma stated here.
  let lumaBitDepth: Int
  /// The bit depth of chroma stated here.
  let chromaBitDepth: Int
  /// The size in bytes of a unit's length field in the item's data: 1, 2 or 4.
  package let lengthFieldBytes: Int
  /// The parameter sets (video, sequence, image) and messages, without start codes.
  package let units: [ArraySlice<UInt8>]

  /// The maximum number of parameter sets of one image; each is parsed before decoding.
  static let maximumUnits = 64

  /// Reads the payload of `hvcC`.
  ///
  /// - Throws: `.malformed` when arrays run past the box, `.limitExceeded` for too many units.
  package static func read(_ reader: inout ByteReader) throws(CaptureReadingError)
    -> HEVCConfiguration
  {
    let version = try reader.readUInt8("a configuration version")
    guard version == 1 else {
      throw reader.malformed(expected: "configuration version 1", found: "\(version)")
    }
    let profile = Int(try reader.readUInt8("a profile") & 0x1F)
    try reader.skip(4 + 6 + 1 + 2 + 1, as: "compatibility, level and parallelism")
    let chromaFormat = Int(try reader.readUInt8("a chroma format") & 3)
    let lumaBitDepth = Int(try reader.readUInt8("a luma bit depth") & 7) + 8
    let chromaBitDepth = Int(try reader.readUInt8("a chroma bit depth") & 7) + 8
    try reader.skip(2, as: "a frame rate")
    let lengthFieldBytes = Int(try reader.readUInt8("a length size") & 3) + 1
    guard lengthFieldBytes != 3 else {
      throw reader.malformed(expected: "length fields of 1, 2 or 4 bytes", found: "3")
    }
    let arrayCount = Int(try reader.readUInt8("an array count"))
    var units: [ArraySlice<UInt8>] = []
    for _ in 0..<arrayCount {
      try reader.skip(1, as: "a unit type")
      let unitCount = Int(try reader.readUInt16("a unit count"))
      for _ in 0..<unitCount {
        let length = Int(try reader.readUInt16("a unit length"))
        guard units.count < maximumUnits else {
          throw CaptureReadingError(
            .limitExceeded, path: reader.path, offset: reader.offset,
            expected: "at most \(maximumUnits) parameter sets", found: "more")
        }
        units.append(try reader.readBytes(length, as: "a parameter set"))
      }
    }
    return HEVCConfiguration(
      profile: profile, chromaFormat: chromaFormat, lumaBitDepth: lumaBitDepth,
      chromaBitDepth: chromaBitDepth, lengthFieldBytes: lengthFieldBytes, units: units)
  }
}

/// The conversion of codes to colors, from `colr` (ISO/IEC 23008-12 §6.5.5).
package enum ColorInformation: Sendable, Hashable {
  /// `nclx`: code points of ITU-T H.273.
  case codes(ColorCodes)
  /// `prof` or `rICC`: an ICC profile.
  case profile(ArraySlice<UInt8>)
  /// A type that this reader does not know, escaped.
  case unknown(String)

  /// Reads the payload of `colr`.
  package static func read(_ reader: inout ByteReader) throws(CaptureReadingError)
    -> ColorInformation
  {
    let type = try reader.readFourCC("a color type")
    switch type {
    case "nclx":
      return .codes(
        ColorCodes(
          primaries: Int(try reader.readUInt16("color primaries")),
          transfer: Int(try reader.readUInt16("transfer characteristics")),
          matrix: Int(try reader.readUInt16("matrix coefficients")),
          isFullRange: try reader.readUInt8("a range flag") & 0x80 != 0))
    case "prof", "rICC": return .profile(try reader.readBytes(reader.remaining))
    default: return .unknown(type)
    }
  }
}

/// The color code points of ITU-T H.273.
package struct ColorCodes: Sendable, Hashable {
  /// The color primaries, such as 1 for BT.709 and 12 for Display P3; 2 when unspecified.
  package var primaries: Int
  /// The transfer characteristics, such as 13 for sRGB; 2 when unspecified.
  package var transfer: Int
  /// The matrix between RGB and luma and chroma, such as 1, 6 or 9; 2 when unspecified.
  package var matrix: Int
  /// Whether codes range from 0 to 255, rather than 16 to 235 (luma) and 16 to 240 (chroma).
  var isFullRange: Bool
}
