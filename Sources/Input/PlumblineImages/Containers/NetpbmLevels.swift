package import PlumblineModel

/// Brings the codes of a Netpbm image to 8 bits.
struct NetpbmLevels {
  /// The code of white that the header declares, 1 to 65535.
  let maximum: Int

  /// The code of white of 12-bit sensors, whose files often declare 65,535.
  private static let twelveBits = 4095

  /// The code that becomes 255: 4,095 where no code is larger and more is declared, since the image would
  /// be black otherwise.
  private func white(_ largest: Int) -> Int {
    maximum > Self.twelveBits && largest <= Self.twelveBits ? Self.twelveBits : maximum
  }

  /// The nearest level of a code; codes above white are white.
  private static func level(_ code: Int, white: Int) -> UInt8 {
    UInt8(min((255 * code + white / 2) / white, 255))
  }

  /// Color from red, green and blue of each pixel, big-endian where they have two bytes; O(*n*).
  ///
  /// - Precondition: `data` holds as many bytes as the size and the maximum say.
  func colors(of data: [UInt8], size: RasterSize) -> Raster<RGB8> {
    guard maximum > 255 else {
      return Raster(size: size) { x, y in
        let i = 3 * (y * size.width + x)
        func level(_ k: Int) -> UInt8 { Self.level(Int(data[i + k]), white: maximum) }
        return RGB8(red: level(0), green: level(1), blue: level(2))
      }
    }
    func code(_ i: Int) -> Int { Int(data[2 * i]) << 8 | Int(data[2 * i + 1]) }
    let white = white((0..<data.count / 2).reduce(0) { max($0, code($1)) })
    return Raster(size: size) { x, y in
      let i = 3 * (y * size.width + x)
      func level(_ k: Int) -> UInt8 { Self.level(code(i + k), white: white) }
      return RGB8(red: level(0), green: level(1), blue: level(2))
    }
  }

  /// Gray in three channels; O(*n*).
  func colors(of samples: StoredSamples) -> Raster<RGB8> {
    func gray(_ level: UInt8) -> RGB8 { RGB8(red: level, green: level, blue: level) }
    switch samples {
    case .uint8(let raster): return raster.map { gray(Self.level(Int($0), white: maximum)) }
    case .uint16(let raster, _):
      let white = white(raster.packed.samples.reduce(0) { max($0, Int($1)) })
      return raster.map { gray(Self.level(Int($0), white: white)) }
    }
  }
}

extension NetpbmImage {
  /// The image in color of 8 bits, gray in three equal channels; O(*n*).
  ///
  /// Codes are brought from the declared maximum to 255; from 4,095 where no code of 16 bits is larger.
  package var colorRaster: Raster<RGB8> {
    switch self {
    case .color(let raster): raster
    case .gray(let samples, let maximum): NetpbmLevels(maximum: maximum).colors(of: samples)
    }
  }
}
