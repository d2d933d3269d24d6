import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@Suite("HEIF: color")
struct HEIFColorTests {
  /// An image whose planes run through all codes at different speeds.
  private func stored(_ width: Int, _ height: Int, seed: Int = 0) -> RawHEVCImage<UInt16> {
    let half = RasterSize(width: (width + 1) / 2, height: (height + 1) / 2)
    func plane(_ size: RasterSize, _ right: Int, _ down: Int, _ start: Int) -> Raster<UInt16> {
      Raster(size: size) { (x: Int, y: Int) -> UInt16 in
        UInt16((x * right + y * down + start) & 255)
      }
    }
    let luma = plane(RasterSize(width: width, height: height), 37, 101, seed)
    let blue = plane(half, 13, 59, seed * 3)
    let red = plane(half, 71, 23, seed * 7)
    return RawHEVCImage(luma: luma, chroma: (blue, red))
  }

  private func open(_ stored: RawHEVCImage<UInt16>) throws -> HEIFFile {
    try HEIFFile(bytes: bytes(stored))
  }

  private func bytes(_ stored: RawHEVCImage<UInt16>) -> [UInt8] {
    var builder = HEIFBuilder()
    let properties = [
      builder.addProperty("hvcC", stored.configuration),
      builder.addSize(stored.luma.width, stored.luma.height),
    ]
    builder.items = [HEIFBuilder.Item(1, "hvc1", stored.data, properties: properties)]
    return builder.bytes
  }

  /// The formulas of ITU-T H.273 §8.3 in floating point, rounded to nearest.
  private func exact(
    _ stored: RawHEVCImage<UInt16>, _ x: Int, _ y: Int, kr: Double, kb: Double, isFullRange: Bool
  ) -> [Double] {
    guard let chroma = stored.chroma else { return [] }
    let luma = (Double(stored.luma[x, y]) - (isFullRange ? 0 : 16)) / (isFullRange ? 255 : 219)
    let scale = isFullRange ? 255.0 : 224
    let blue = (Double(chroma.blue[x / 2, y / 2]) - 128) / scale
    let red = (Double(chroma.red[x / 2, y / 2]) - 128) / scale
    let kg = 1 - kr - kb
    let fromBlue: Double = 2 * (1 - kb) * blue
    let fromRed: Double = 2 * (1 - kr) * red
    let green: Double = luma - (kb * fromBlue + kr * fromRed) / kg
    let channels: [Double] = [luma + fromRed, green, luma + fromBlue]
    return channels.map { max(0, min(255, $0 * 255)) }
  }

  @Test(
    "Matrix and range of the stream are honored to one code",
    arguments: [
      (1, true), (1, false), (6, true), (6, false), (9, true), (9, false),
    ])
  func matrices(matrix: Int, isFullRange: Bool) throws {
    var stored = stored(48, 32)
    stored.color = (1, 13, matrix, isFullRange)
    let file = try open(stored)
    let decoded = try HEIFImageDecoder(file, threadCount: 1).color(of: 1)
    #expect(decoded.color?.matrix == matrix)
    #expect(decoded.color?.isFullRange == isFullRange)
    let (kr, kb) = [1: (0.2126, 0.0722), 6: (0.299, 0.114), 9: (0.2627, 0.0593)][matrix] ?? (0, 0)
    var worst = 0.0
    for y in 0..<32 {
      for x in 0..<48 {
        let found = decoded.pixels[x, y]
        let truth = exact(stored, x, y, kr: kr, kb: kb, isFullRange: isFullRange)
        for (a, b) in zip([found.red, found.green, found.blue], truth) {
          worst = max(worst, abs(Double(a) - b))
        }
      }
    }
    // Codes: half for rounding the result; full-range factors are rounded to 1/256, which over
    // 128 chroma codes and two terms adds at most another half; limited ones to 1/16384.
    #expect(worst <= (isFullRange ? 1.0 : 0.52))
  }

  @Test("The kernel gives the same bytes as its slow twin, at every width", arguments: 1...70)
  func kernel(width: Int) throws {
    for (matrix, seed) in [(1, 5), (6, 77), (9, 200)] {
      let stored = stored(width, 4, seed: seed)
      let file = try open(stored)
      let codes = ColorCodes(primaries: 1, transfer: 13, matrix: matrix, isFullRange: true)
      let conversion = try ColorConversion(codes, bitDepth: 8)
      let image = try HEIFComposition(of: 1, in: file, maximumPixels: 1 << 20).tiles[0].image
      try defaultHEVCDecoder.decode(image, path: []) { (planes) throws(CaptureReadingError) in
        for y in 0..<4 {
          var fast = [UInt8](repeating: 7, count: width * 3 + 1)
          var slow = fast
          conversion.convertFullRangePairs(planes, y, width, &fast)
          conversion.convertPairs(planes, y, width, &slow)
          #expect(fast == slow)
        }
      }
    }
  }

  @Test("A preview is the mean of squares of the full image")
  func preview() throws {
    let file = try open(stored(50, 33))
    let decoder = HEIFImageDecoder(file, threadCount: 1)
    let full = try decoder.color(of: 1).pixels
    let preview = try decoder.colorPreview(of: 1, maximumSide: 13).pixels
    #expect(preview.size == RasterSize(width: 13, height: 9))
    for y in 0..<preview.height {
      for x in 0..<preview.width {
        var (sum, count) = (0, 0)
        for row in y * 4..<min(y * 4 + 4, 33) {
          for column in x * 4..<min(x * 4 + 4, 50) {
            sum += Int(full[column, row].green)
            count += 1
          }
        }
        #expect(Int(preview[x, y].green) == (sum + count / 2) / count)
      }
    }
  }
  @Test("A reader that is asked for a preview gives one no longer than asked", arguments: [13, 50])
  func previewOfReader(side: Int) throws {
    let reader = CaptureReader(color: .preview(maximumSide: side), threads: 1)
    let color = try #require(try reader.capture(from: bytes(stored(50, 33))).color)
    #expect(max(color.width, color.height) == side)
  }
}
