package import PlumblineIO

/// How codes become colors, as `colr` says (ISO/IEC 23008-12 §6.5.5).
package enum ColorInformation: Sendable, Hashable {
  /// `nclx`: numbers of ITU-T H.273.
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

/// The meaning of color codes by the numbers of ITU-T H.273.
package struct ColorCodes: Sendable, Hashable {
  /// The color primaries, such as 1 for BT.709 and 12 for Display P3; 2 when unspecified.
  package var primaries: Int
  /// The transfer characteristics, such as 13 for sRGB; 2 when unspecified.
  package var transfer: Int
  /// The matrix that made luma and chroma, such as 1, 6 or 9; 2 when unspecified.
  package var matrix: Int
  /// Whether codes use 0 to 255, rather than 16 to 235 (luma) and 16 to 240 (chroma).
  var isFullRange: Bool
}
