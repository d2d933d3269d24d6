import PlumblineModel
import Testing

@Suite("Raster transforms")
struct RasterTransformTests {
  @Test("A crop reads the rectangle and nothing of the padding")
  func crop() {
    let raster = Raster(size: RasterSize(width: 3, height: 3), rowStride: 4, samples: Array(0..<12))
    let part = raster.cropped(to: PixelRectangle(x: 1, y: 1, width: 2, height: 2))
    #expect(part.samples == [5, 6, 9, 10])
    #expect(raster.cropped(to: PixelRectangle(x: 3, y: 3, width: 0, height: 0)).samples.isEmpty)
  }

  @Test(
    "A rectangle is inside only when all of it is",
    arguments: [(0, 0, 4, 3, true), (1, 0, 4, 3, false), (-1, 0, 2, 2, false), (4, 3, 0, 0, true)])
  func inside(x: Int, y: Int, width: Int, height: Int, isInside: Bool) {
    let rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
    #expect(rectangle.isInside(RasterSize(width: 4, height: 3)) == isInside)
  }

  @Test("Scaling by nearest matches pixel centers: source = ⌊(u + ½)·s⌋")
  func nearest() {
    let raster = Raster(size: RasterSize(width: 6, height: 1), samples: Array(0..<6))
    #expect(raster.scaledNearest(to: RasterSize(width: 3, height: 1)).samples == [1, 3, 5])
    #expect(raster.scaledNearest(to: RasterSize(width: 2, height: 1)).samples == [1, 4])
    let doubled = raster.scaledNearest(to: RasterSize(width: 12, height: 2))
    #expect(Array(doubled.row(1)) == (0..<12).map { $0 / 2 })
  }

  @Test(
    "Scaling and turning commute where centers have no tie", arguments: ImageOrientation.allCases)
  func commute(orientation: ImageOrientation) {
    // A factor of 3 puts each destination center on a source center.
    let raster = Raster(size: RasterSize(width: 9, height: 6)) { x, y in 100 * y + x }
    let small = RasterSize(width: 3, height: 2)
    let turned = raster.oriented(by: orientation)
    #expect(
      turned.scaledNearest(to: orientation.uprightSize(of: small))
        == raster.scaledNearest(to: small).oriented(by: orientation))
  }

  @Test("Empty rasters pass through every transform")
  func empty() {
    let raster = Raster<UInt8>(size: RasterSize(width: 0, height: 0), samples: [])
    #expect(raster.oriented(by: .right).size.pixelCount == 0)
    #expect(raster.packed.samples.isEmpty)
    #expect(raster.map { Int($0) }.samples.isEmpty)
  }
}
