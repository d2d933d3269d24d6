import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@Suite("Depth representation: writing")
struct DepthRepresentationWritingTests {
  private func map(_ low: Double, _ high: Double, _ quantity: PhotoDepth.Quantity) -> PhotoDepth {
    PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 1, height: 1), repeating: 0)),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: low, maximumValue: high),
      quantity: quantity)
  }

  @Test("The ranges of two iPhones give their bytes")
  func phones() {
    // pug.heic and truedepth_iphone14.heic, whose XMP prints six decimals of half-floats.
    let pug: [UInt8] = [
      0, 0, 0, 0x11, 0, 0, 0, 0x0D, 0x4E, 0x01, 0xB1, 0x09, 0x35, 0x1F, 0x7B, 0xFC, 0x01, 0x0B,
      0xC6,
      0x20, 0x20,
    ]
    #expect(DepthRepresentation(map(1.498047, 4.382812, .disparity)).auxiliarySubtype == pug)
    let front = DepthRepresentation(map(0.493652, 3.402344, .disparity)).auxiliarySubtype
    #expect(front.prefix(16).suffix(4) == [0x35, 0x1D, 0x7F, 0xCC])
  }

  @Test("Any range comes back within the six decimals of XMP or 2⁻³² of it, whatever the quantity")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 4)
    for index in 0..<500 {
      let scale = [1e-4, 0.01, 1, 30, 9_000][index % 5]
      let low = Double.random(in: 0..<1, using: &generator) * scale
      let high = low + Double.random(in: 0.1..<1, using: &generator) * scale
      let quantity: PhotoDepth.Quantity = index % 2 == 0 ? .disparity : .depth
      let bytes = DepthRepresentation(map(low, high, quantity)).auxiliarySubtype
      let read = try #require(try DepthRepresentation.read(auxiliarySubtype: bytes))
      let (first, last) =
        quantity == .disparity
        ? (read.minimumDisparity, read.maximumDisparity) : (read.nearestZ, read.farthestZ)
      // Half a millionth is what XMP leaves open, too; large numbers have 32 bits.
      #expect(abs(try #require(first) - low) <= max(5e-7, low * 0x1p-32))
      #expect(abs(try #require(last) - high) <= max(5e-7, high * 0x1p-32))
    }
    let zero = DepthRepresentation(map(0, 2, .disparity)).auxiliarySubtype
    #expect(try DepthRepresentation.read(auxiliarySubtype: zero)?.minimumDisparity == 0)
  }
}
