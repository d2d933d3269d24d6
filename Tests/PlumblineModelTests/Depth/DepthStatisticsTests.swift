import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Depth statistics")
struct DepthStatisticsTests {
  @Test("Median, extremes and fill equal those of a sort", arguments: 1...40)
  func sorted(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = RasterSize(
      width: 1 + random.integer(below: 40), height: 1 + random.integer(below: 30))
    let stride = size.width + random.integer(below: 4)
    // Few distinct values for some seeds, values over all magnitudes for others.
    let samples = (0..<stride * size.height).map { _ -> Float in
      if random.chance(0.3) { return .nan }
      if seed % 3 == 0 { return Float(1 + random.integer(below: 4)) }
      if seed % 3 == 1 { return Float(random.uniform(in: 0.2..<5)) }
      return Float(bitPattern: UInt32(1 + random.integer(below: 0x7F7F_FFFF)))
    }
    var map = DepthMap(meters: Raster(size: size, repeating: 1))
    map.meters = Raster(size: size, rowStride: stride, samples: samples)
    let ordered = map.meters.packed.samples.filter { !$0.isNaN }.sorted().map(Double.init)
    let statistics = map.statistics
    #expect(statistics.validCount == ordered.count)
    #expect(statistics.validFraction == Double(ordered.count) / Double(size.pixelCount))
    #expect(statistics.minimumMeters == ordered.first)
    #expect(statistics.maximumMeters == ordered.last)
    #expect(statistics.medianMeters == (ordered.isEmpty ? nil : ordered[(ordered.count - 1) / 2]))
  }

  @Test("A map without any measurement has no statistics", arguments: [0, 3])
  func nothing(width: Int) {
    let size = RasterSize(width: width, height: 2)
    let statistics = DepthMap(meters: Raster(size: size, repeating: .nan)).statistics
    #expect(statistics.validCount == 0)
    #expect(statistics.validFraction == 0)
    #expect(statistics.medianMeters == nil)
  }
}
