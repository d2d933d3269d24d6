import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct PointCloudTests {
  let size = RasterSize(width: 7, height: 5)
  let camera = PinholeIntrinsics(
    focalLength: [6, 6.5], principalPoint: [3.2, 1.9], size: RasterSize(width: 7, height: 5))

  var rays: RayMap { CameraCalibration(intrinsics: camera).rayMap }

  /// A map with holes whose rows are padded by values that must never be read.
  func depth(seed: UInt64) -> DepthMap {
    var random = SeededGenerator(seed: seed)
    var map = DepthMap(meters: Raster(size: size, repeating: 1))
    map.meters = Raster(
      size: size, rowStride: 9,
      samples: (0..<45).map { index in
        guard index % 9 < 7 else { return 1e6 }
        return random.chance(0.3) ? .nan : Float(random.uniform(in: 0.2..<5))
      })
    return map
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func equalsTheSlowLoop(seed: UInt64) throws {
    let map = depth(seed: seed)
    let color = Raster(size: RasterSize(width: 21, height: 10)) { x, y in
      RGB8(red: UInt8(x), green: UInt8(y), blue: 7)
    }
    let curve = SigmaCurve(constantMeters: 0.001, perMeter: 0.01, perMeterSquared: 0.002)
    let cloud = PointCloud(
      depth: map, rays: rays, color: color, uncertainty: .curve(curve), isMetric: true)
    let colors = try #require(cloud.colors)
    let sigmas = try #require(cloud.sigmaMeters)
    let indices = try #require(cloud.pixelIndices)

    var next = 0
    for y in 0..<size.height {
      for x in 0..<size.width where !map.meters[x, y].isNaN {
        let z = map.meters[x, y]
        let point = camera.unproject([Double(x), Double(y)], depth: Double(z))
        let difference = cloud.positions[next].vector - point
        // Single precision: one rounding of the ray and one of the product, at up to 5 m.
        #expect((difference * difference).sum().squareRoot() < 1e-6)
        #expect(cloud.positions[next].z == z)
        // Three columns and two rows of color per pixel: the middle one, and the lower one.
        #expect(colors[next] == RGB8(red: UInt8(3 * x + 1), green: UInt8(2 * y + 1), blue: 7))
        #expect(sigmas[next] == Float(curve.sigmaMeters(atDepth: Double(z))))
        #expect(Int(indices[next]) == y * size.width + x)
        next += 1
      }
    }
    #expect(next == cloud.count)
    #expect(cloud.isMetric)
  }

  @Test func colorOfTheSameSizeIsTheSamePixel() {
    let color = Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 0) }
    let map = DepthMap(meters: Raster(size: size, repeating: 1))
    #expect(
      PointCloud(depth: map, rays: rays, color: color, isMetric: true).colors == color.samples)
  }

  @Test func smallerColorIsRepeated() {
    let color = Raster(
      size: RasterSize(width: 1, height: 1), repeating: RGB8(red: 1, green: 2, blue: 3))
    let map = DepthMap(meters: Raster(size: size, repeating: 1))
    let cloud = PointCloud(depth: map, rays: rays, color: color, isMetric: false)
    #expect(cloud.colors == Array(repeating: RGB8(red: 1, green: 2, blue: 3), count: 35))
    #expect(!cloud.isMetric)
  }

  @Test func sigmaOfPixelsFollowsThem() {
    let map = depth(seed: 4)
    let sigma = Raster<Float>(size: size) { x, y in Float(10 * y + x) }
    let cloud = PointCloud(depth: map, rays: rays, uncertainty: .meters(sigma), isMetric: true)
    let expected = cloud.pixelIndices?.map { Float(10 * ($0 / 7) + $0 % 7) }
    #expect(cloud.sigmaMeters == expected)
    #expect(cloud.colors == nil)
  }

  @Test func nothingMeasuredGivesNoPoint() {
    let map = DepthMap(meters: Raster(size: size, repeating: .nan))
    let cloud = PointCloud(
      depth: map, rays: rays, uncertainty: .curve(SigmaCurve(perMeter: 1)), isMetric: true)
    #expect(cloud.count == 0 && cloud.sigmaMeters == [] && cloud.pixelIndices == [])
  }

  @Test func anEmptyMapGivesNoPoint() {
    let none = RasterSize(width: 0, height: 0)
    let empty = Raster<Float>(size: none, samples: [])
    let lens = PinholeIntrinsics(focalLength: [1, 1], principalPoint: .zero, size: none)
    let rays = CameraCalibration(intrinsics: lens).rayMap
    let color = Raster<RGB8>(size: none, samples: [])
    let cloud = PointCloud(depth: DepthMap(meters: empty), rays: rays, color: color, isMetric: true)
    #expect(cloud.count == 0 && cloud.colors == [])
  }
}
