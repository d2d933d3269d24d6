package import PlumblineModel

/// A camera image with two planes, luma and half-resolution chroma (Cb before Cr), in the layout of
/// `kCVPixelFormatType_420YpCbCr8BiPlanar…`.
package struct BiplanarImage: Sendable {
  /// The range of luma: 0 to 255, or 16 to 235 as in video.
  package enum LumaRange: Sendable {
    /// 0 to 255; ARKit's `capturedImage`.
    case full
    /// 16 to 235, chroma 16 to 240.
    case video
  }

  /// The weights of red, green and blue in luma; `kCVImageBufferYCbCrMatrixKey`.
  package enum Matrix: String, Sendable, CaseIterable {
    /// BT.601, which JPEG and ARKit use.
    case bt601 = "ITU_R_601_4"
    /// BT.709, of high-definition video.
    case bt709 = "ITU_R_709_2"
    /// BT.2020, of wide-color video.
    case bt2020 = "ITU_R_2020"

    /// The weights of red and blue.
    ///
    /// - Source: ITU-R BT.601-7, BT.709-6 and BT.2020-2, the derivation of luma.
    var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// Luma of every pixel.
  package var luma: Raster<UInt8>
  /// Pairs of chroma samples with Cb in the low byte; one for four pixels.
  package var chroma: Raster<UInt16>
  /// The range of the numbers.
  package var range: LumaRange
  /// The weights of the colors.
  package var matrix: Matrix

  /// Combines two planes.
  ///
  /// It is `nil` unless the chroma plane has half of luma's columns and rows, rounded up.
  package init?(
    luma: Raster<UInt8>, chroma: Raster<UInt16>, range: LumaRange, matrix: Matrix = .bt601
  ) {
    guard chroma.width == (luma.width + 1) / 2, chroma.height == (luma.height + 1) / 2 else {
      return nil
    }
    self.luma = luma
    self.chroma = chroma
    self.range = range
    self.matrix = matrix
  }

  /// The number of columns and rows.
  package var size: RasterSize { luma.size }

  /// Whether its numbers are those of a JPEG file, so that an encoder need not change them.
  package var hasJPEGNumbers: Bool { range == .full && matrix == .bt601 }

  /// The image in RGB; O(*n*).
  package var rgb: Raster<RGB8> {
    let conversion = RGBConversion(range, matrix)
    return Raster(size: size) { x, y in
      let pair = chroma[x / 2, y / 2]
      return conversion.color(
        luma: Int32(luma[x, y]), blue: Int32(pair & 0xFF), red: Int32(pair >> 8))
    }
  }

  /// The image in RGB, with at most this many columns and rows, by means of whole squares.
  ///
  /// Chroma is averaged over its samples in the square. It is the image itself where that fits.
  /// O(*n*), without an image of full size.
  /// - Precondition: `maximumSide` is at least 1.
  package func rgb(maximumSide: Int) -> Raster<RGB8> {
    precondition(maximumSide >= 1, "an image cannot have \(maximumSide) pixels")
    let factor = (max(size.width, size.height) + maximumSide - 1) / maximumSide
    guard factor > 1, factor <= 256, min(size.width, size.height) >= factor else { return rgb }
    let conversion = RGBConversion(range, matrix)
    let target = RasterSize(width: size.width / factor, height: size.height / factor)
    return Raster(size: target) { x, y in
      let (columns, rows) = (x * factor..<(x + 1) * factor, y * factor..<(y + 1) * factor)
      let brightness = meanLuma(columns, rows)
      let pair = meanChroma(columns, rows)
      return conversion.color(luma: brightness, blue: pair.blue, red: pair.red)
    }
  }

  private func meanLuma(_ columns: Range<Int>, _ rows: Range<Int>) -> Int32 {
    var sum: Int32 = 0
    for y in rows {
      for x in columns { sum &+= Int32(luma[x, y]) }
    }
    let count = Int32(columns.count * rows.count)
    return (sum + count / 2) / count
  }

  private func meanChroma(_ columns: Range<Int>, _ rows: Range<Int>) -> (blue: Int32, red: Int32) {
    var (blue, red, count): (Int32, Int32, Int32) = (0, 0, 0)
    for y in rows.lowerBound / 2...(rows.upperBound - 1) / 2 {
      for x in columns.lowerBound / 2...(columns.upperBound - 1) / 2 {
        let pair = chroma[x, y]
        blue &+= Int32(pair & 0xFF)
        red &+= Int32(pair >> 8)
        count &+= 1
      }
    }
    return ((blue + count / 2) / count, (red + count / 2) / count)
  }
}

/// The conversion of one pixel to RGB in whole numbers.
///
/// - Source: ITU-R BT.601-7, section 2.5, solved for R, G and B: R = Y + 2·(1 − kr)·Cr, B = Y +
///   2·(1 − kb)·Cb, G from Y = kr·R + kg·G + kb·B. The factors have 16 binary digits after the
///   point, so that a code is wrong by at most a rounding.
private struct RGBConversion {
  private let lumaScale: Int32
  private let lumaStart: Int32
  private let redFromRed: Int32
  private let greenFromBlue: Int32
  private let greenFromRed: Int32
  private let blueFromBlue: Int32

  init(_ range: BiplanarImage.LumaRange, _ matrix: BiplanarImage.Matrix) {
    let chromaScale = range == .full ? 1 : 255.0 / 224
    func fixed(_ factor: Double) -> Int32 { Int32((factor * 65_536).rounded()) }
    lumaScale = fixed(range == .full ? 1 : 255.0 / 219)
    lumaStart = range == .full ? 0 : 16
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    redFromRed = fixed(2 * (1 - red) * chromaScale)
    blueFromBlue = fixed(2 * (1 - blue) * chromaScale)
    greenFromRed = fixed(2 * (1 - red) * red / green * chromaScale)
    greenFromBlue = fixed(2 * (1 - blue) * blue / green * chromaScale)
  }

  @inline(__always)
  func color(luma: Int32, blue: Int32, red: Int32) -> RGB8 {
    let brightness = (luma &- lumaStart) &* lumaScale &+ 32_768
    let (cb, cr) = (blue &- 128, red &- 128)
    return RGB8(
      red: Self.code(brightness &+ redFromRed &* cr),
      green: Self.code(brightness &- greenFromBlue &* cb &- greenFromRed &* cr),
      blue: Self.code(brightness &+ blueFromBlue &* cb))
  }

  @inline(__always)
  private static func code(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value >> 16, 0), 255))
  }
}
