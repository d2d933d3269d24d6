package import PlumblineIO
package import PlumblineModel

extension PNGImage {
  /// Whether the image has color.
  package var isColor: Bool { if case .color = self { true } else { false } }

  /// The codes of a gray image of 16 bits, as depth maps have them; `meaning` is for the error.
  ///
  /// - Throws: `.unsupported` for color and 8 bits.
  package func gray16(
    _ meaning: String = ""
  ) throws(CaptureReadingError) -> (codes: Raster<UInt16>, bitDepth: Int) {
    guard case .gray(.uint16(let codes, let bitDepth)) = self else {
      throw CaptureReadingError(
        .unsupported, path: ["PNG"], offset: 0, expected: "gray of 16 bits" + meaning,
        found: isColor ? "color" : "gray of 8 bits")
    }
    return (codes, bitDepth)
  }

  /// The pixels as color; gray becomes equal channels, 16 bits keep their upper eight.
  package var colorRaster: Raster<RGB8> {
    switch self {
    case .color(let raster): raster
    case .gray(.uint8(let raster)): raster.map { RGB8(red: $0, green: $0, blue: $0) }
    case .gray(.uint16(let raster, _)):
      raster.map { sample in
        let code = UInt8(truncatingIfNeeded: sample >> 8)
        return RGB8(red: code, green: code, blue: code)
      }
    }
  }
}
