import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineInference

@Suite struct ImageBytesTests {
  private func written(
    rows: Int, bytesPerRow: Int, _ body: (UnsafeMutableRawBufferPointer) -> Bool
  ) -> [UInt8]? {
    var bytes = [UInt8](repeating: 7, count: rows * bytesPerRow)
    return bytes.withUnsafeMutableBytes(body) ? bytes : nil
  }

  /// What a tensor and an image of the same codes write is the same; padding is not touched.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func tensorsAndImagesWriteTheSame(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = RasterSize(width: 1 + Int(9 * generator.uniform()), height: 3)
    func code() -> UInt8 { UInt8(255 * generator.uniform()) }
    let image = Raster(size: size) { _, _ in RGB8(red: code(), green: code(), blue: code()) }
    let planes = [\RGB8.red, \RGB8.green, \RGB8.blue]
    let tensor = Tensor(
      shape: [1, 3, size.height, size.width],
      values: planes.flatMap { channel in image.samples.map { Float($0[keyPath: channel]) } })
    let stride = 4 * size.width + 5
    let own = try #require(
      written(rows: 3, bytesPerRow: stride) {
        BGRABytes.write(tensor, to: $0, bytesPerRow: stride)
      })
    let other = try #require(
      written(rows: 3, bytesPerRow: stride) {
        BGRABytes.write(image, to: $0, bytesPerRow: stride)
      })
    #expect(own == other)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = Array(own[y * stride + 4 * x..<y * stride + 4 * x + 4])
        let color = image[x, y]
        #expect(pixel == [color.blue, color.green, color.red, 255])
      }
      #expect(own[y * stride + 4 * size.width..<(y + 1) * stride].allSatisfy { $0 == 7 })
    }
  }

  @Test func codesAreRoundedAndKeptInRange() throws {
    let tensor = Tensor(
      shape: [1, 3, 1, 4],
      values: [-3, 0.49, 0.5, 254.5, 300, .infinity, -.infinity, .nan, 1, 2, 3, 4])
    let bytes = try #require(
      written(rows: 1, bytesPerRow: 16) { BGRABytes.write(tensor, to: $0, bytesPerRow: 16) })
    #expect(bytes == [1, 255, 0, 255, 2, 255, 0, 255, 3, 0, 1, 255, 4, 0, 255, 255])
  }

  @Test func memoryThatIsTooSmallIsLeftAlone() {
    let tensor = Tensor(shape: [1, 3, 2, 2], values: [Float](repeating: 1, count: 12))
    #expect(
      written(rows: 1, bytesPerRow: 8) { BGRABytes.write(tensor, to: $0, bytesPerRow: 8) } == nil)
    #expect(
      written(rows: 4, bytesPerRow: 7) { BGRABytes.write(tensor, to: $0, bytesPerRow: 7) } == nil)
    let flat = Tensor(shape: [3, 2, 2], values: tensor.values)
    #expect(
      written(rows: 2, bytesPerRow: 8) { BGRABytes.write(flat, to: $0, bytesPerRow: 8) } == nil)
    let bytes = [UInt8](repeating: 0, count: 15)
    bytes.withUnsafeBytes {
      #expect(
        GrayPixelType.half.tensor($0, bytesPerRow: 8, size: RasterSize(width: 4, height: 2)) == nil)
      #expect(
        GrayPixelType.single.tensor($0, bytesPerRow: 8, size: RasterSize(width: 4, height: 1))
          == nil)
    }
  }

  @Test func pixelsOfOneChannelAreRead() throws {
    let size = RasterSize(width: 2, height: 2)
    // Rows start at odd bytes too.
    let codes: [UInt8] = [0, 255, 9, 51, 102, 9]
    let shares = try #require(
      codes.withUnsafeBytes { GrayPixelType.code8.tensor($0, bytesPerRow: 3, size: size) })
    #expect(shares == Tensor(shape: [2, 2], values: [0, 1, 0.2, 0.4]))
    let halves: [UInt8] = [0x00, 0x3C, 0x00, 0xC0, 1, 0x00, 0x38, 0x00, 0x7C]
    let numbers = try #require(
      halves.withUnsafeBytes { GrayPixelType.half.tensor($0, bytesPerRow: 5, size: size) })
    #expect(numbers.values == [1, -2, 0.5, .infinity])
    let floats: [Float] = [1.5, -2, 3e20, 0]
    let single = try #require(
      floats.withUnsafeBytes { GrayPixelType.single.tensor($0, bytesPerRow: 8, size: size) })
    #expect(single.values == floats)
  }

  /// The four-character codes of Core Video.
  @Test func pixelTypesAreTheirFourCharacters() {
    let codes: [GrayPixelType: String] = [.code8: "L008", .half: "L00h", .single: "L00f"]
    for type in GrayPixelType.allCases {
      let text = codes[type].map { Array($0.utf8) } ?? []
      #expect(text.reduce(0) { $0 << 8 | UInt32($1) } == type.rawValue)
    }
  }
}
