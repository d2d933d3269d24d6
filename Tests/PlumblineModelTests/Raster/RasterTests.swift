import PlumblineModel
import Testing

@Suite("Raster")
struct RasterTests {
  @Test("Row padding is never read as pixels")
  func stride() {
    let padded = Raster(
      size: RasterSize(width: 2, height: 2), rowStride: 3, samples: [1, 2, 99, 3, 4] as [UInt8])
    #expect(padded[1, 1] == 4)
    #expect(padded.packed.samples == [1, 2, 3, 4])
    #expect(padded == padded.packed)
  }
}
