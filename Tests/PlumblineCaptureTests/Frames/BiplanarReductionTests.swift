import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Two-plane images: matrices and reduction")
struct BiplanarReductionTests {
  static func random(
    _ size: RasterSize, _ generator: inout SeededGenerator, isGray: Bool = false,
    range: BiplanarImage.LumaRange = .full, matrix: BiplanarImage.Matrix = .bt601
  ) throws -> BiplanarImage {
    let luma = Raster<UInt8>(
      size: size,
      samples: (0..<size.pixelCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let half = RasterSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let chroma = Raster<UInt16>(
      size: half,
      samples: (0..<half.pixelCount).map { _ in
        isGray ? 0x8080 : UInt16.random(in: 0...0xFFFF, using: &generator)
      })
    return try #require(
      BiplanarImage(luma: luma, chroma: chroma, range: range, matrix: matrix))
  }

  @Test(
    "Every code agrees with the formulas of the standards in floating point, within a rounding",
    arguments: BiplanarImage.Matrix.allCases, [BiplanarImage.LumaRange.full, .video])
  func formulas(matrix: BiplanarImage.Matrix, range: BiplanarImage.LumaRange) throws {
    let weights: [BiplanarImage.Matrix: (Double, Double)] = [
      .bt601: (0.299, 0.114), .bt709: (0.2126, 0.0722), .bt2020: (0.2627, 0.0593),
    ]
    let (kr, kb) = try #require(weights[matrix])
    var generator = SeededGenerator(seed: 601)
    let image = try Self.random(
      RasterSize(width: 41, height: 23), &generator, range: range, matrix: matrix)
    let rgb = image.rgb
    for y in 0..<23 {
      for x in 0..<41 {
        let pair = image.chroma[x / 2, y / 2]
        let isFull = range == .full
        let luma = isFull ? Double(image.luma[x, y]) : (Double(image.luma[x, y]) - 16) * 255 / 219
        let scale = isFull ? 1 : 255.0 / 224
        let cb = (Double(pair & 0xFF) - 128) * scale
        let cr = (Double(pair >> 8) - 128) * scale
        let red = luma + 2 * (1 - kr) * cr
        let blue = luma + 2 * (1 - kb) * cb
        // From the definition of luma: Y = kr·R + kg·G + kb·B.
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        for (value, code) in [
          (red, rgb[x, y].red), (green, rgb[x, y].green), (blue, rgb[x, y].blue),
        ] {
          // Half a code of rounding, and what 16 binary digits of three factors of 128 leave.
          #expect(abs(min(max(value, 0), 255) - Double(code)) <= 0.51)
        }
      }
    }
  }

  @Test(
    "Reduced gray is the mean of squares, as the reduction of the full image", arguments: 0..<20)
  func gray(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = RasterSize(
      width: Int.random(in: 8...70, using: &generator),
      height: Int.random(in: 8...70, using: &generator))
    let image = try Self.random(size, &generator, isGray: true)
    for side in [4, 7, 16, 35, 70, 100] {
      let reduced = image.rgb(maximumSide: side)
      let expected = image.rgb.reduced(toMaximumSide: side)
      #expect(reduced.size == expected.size)
      for y in 0..<reduced.height {
        for x in 0..<reduced.width {
          let pixel = reduced[x, y]
          #expect(pixel.red == pixel.green && pixel.green == pixel.blue)
          #expect(abs(Int(pixel.red) - Int(expected[x, y].red)) <= 1)
        }
      }
    }
  }

  @Test("One color stays that color at any size", arguments: 0..<20)
  func oneColor(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pair = UInt16.random(in: 0...0xFFFF, using: &generator)
    let luma = UInt8.random(in: 0...255, using: &generator)
    let image = try #require(
      BiplanarImage(
        luma: Raster(size: RasterSize(width: 33, height: 21), repeating: luma),
        chroma: Raster(size: RasterSize(width: 17, height: 11), repeating: pair),
        range: seed.isMultiple(of: 2) ? .full : .video, matrix: .bt709))
    let color = image.rgb[0, 0]
    for side in 1...33 {
      let reduced = image.rgb(maximumSide: side)
      #expect(reduced.samples.allSatisfy { $0 == color })
      #expect(max(reduced.width, reduced.height) <= side || side < 2)
    }
  }
}
