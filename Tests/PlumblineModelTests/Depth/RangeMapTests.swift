import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Range maps")
struct RangeMapTests {
  static let size = RasterSize(width: 64, height: 48)
  static let camera = PinholeIntrinsics(
    focalLength: [48, 48], principalPoint: [31.5, 23.5], size: size)

  @Test("Depth to range and back is the same depth", arguments: [21, 22] as [UInt64])
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let map = DepthMap(
      meters: Raster(size: Self.size) { _, _ in
        random.chance(0.1) ? .nan : Float(random.uniform(in: 0.1..<10))
      })
    let back = map.rangeMap(intrinsics: Self.camera).depthMap(intrinsics: Self.camera)
    // One product, one quotient by the same number: two roundings of 2⁻²⁴ each.
    let worst =
      zip(map.meters.samples, back.meters.samples).map { abs($1 / $0 - 1) }
      .filter { !$0.isNaN }.max() ?? 1
    #expect(worst < 2.4e-7)
    #expect(zip(map.meters.samples, back.meters.samples).allSatisfy { $0.isNaN == $1.isNaN })
  }

  @Test("Range is the length of the unprojected point")
  func length() {
    let map = DepthMap(meters: Raster(size: Self.size, repeating: 2))
    let ranges = map.rangeMap(intrinsics: Self.camera)
    let points = map.points(intrinsics: Self.camera)
    var worst = 0.0
    for (range, point) in zip(ranges.meters.samples, points.samples) {
      let length = (point.vector * point.vector).sum().squareRoot()
      worst = max(worst, abs(Double(range) - length))
    }
    // Meters; four roundings of 2⁻²⁴ at 2.6 m.
    #expect(worst < 6e-7)
    // At the corner of this 67° × 53° image the ray is 29 % longer than the depth.
    #expect(abs(ranges.meters[0, 0] / 2 - 1.295) < 0.01)
  }

  @Test("Values at the edge of the type stay missing or positive")
  func edges() {
    let values: [Float] = [.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0, -1, .infinity]
    let size = RasterSize(width: values.count, height: 1)
    let camera = PinholeIntrinsics(focalLength: [0.5, 0.5], principalPoint: [-9, 9], size: size)
    let raster = Raster(size: size, samples: values)
    let depth = RangeMap(meters: raster).depthMap(intrinsics: camera)
    let range = DepthMap(meters: raster).rangeMap(intrinsics: camera)
    for value in depth.meters.samples + range.meters.samples {
      #expect(value.isNaN || value > 0 && value < .infinity)
    }
  }
}
