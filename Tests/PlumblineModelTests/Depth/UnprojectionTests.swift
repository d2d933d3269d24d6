import PlumblineTestSupport
import Testing

@testable import PlumblineModel

@Suite("Unprojection")
struct UnprojectionTests {
  static func camera(_ size: RasterSize) -> PinholeIntrinsics {
    PinholeIntrinsics(
      focalLength: [0.91 * Double(size.width), 0.93 * Double(size.width)],
      principalPoint: [0.49 * Double(size.width), 0.52 * Double(size.height)], size: size)
  }

  static func map(_ size: RasterSize, stride: Int, seed: UInt64) -> DepthMap {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<stride * size.height).map { index -> Float in
      if index % stride >= size.width || random.chance(0.05) { return .nan }
      return Float(random.uniform(in: 0.1..<10))
    }
    var map = DepthMap(meters: Raster(size: size, repeating: 1))
    map.meters = Raster(size: size, rowStride: stride, samples: samples)
    return map
  }

  @Test("Points equal plain Swift bit for bit at any width and padding", arguments: 1...70)
  func kernel(width: Int) {
    let size = RasterSize(width: width, height: 3)
    let map = Self.map(size, stride: width + width % 4, seed: UInt64(width))
    let camera = Self.camera(size)
    let rays = camera.rayTable
    let expected = (0..<size.pixelCount).flatMap { index -> [UInt32] in
      let (x, y) = (index % width, index / width)
      let z = map.meters[x, y]
      return [rays.columns[x] * z, rays.rows[y] * z, z].map(\.bitPattern)
    }
    let points = map.points(intrinsics: camera)
    #expect(points.samples.flatMap(coordinates) == expected)
    var reused = Raster(size: size, repeating: PackedPoint(x: 7, y: 7, z: 7))
    map.unproject(intrinsics: camera, into: &reused)
    #expect(reused.samples.flatMap(coordinates) == expected)
    reused.samples.withUnsafeMutableBufferPointer {
      map.unproject(intrinsics: camera, into: $0, streams: true)
    }
    #expect(reused.samples.flatMap(coordinates) == expected)
    var other = Raster(
      size: RasterSize(width: 1, height: 1), repeating: PackedPoint(x: 7, y: 7, z: 7))
    map.unproject(intrinsics: camera, into: &other)
    #expect(other.samples.flatMap(coordinates) == expected)
    let straight = CameraCalibration(intrinsics: camera).rayMap
    #expect(map.points(rays: straight).samples.flatMap(coordinates) == expected)
  }

  @Test("Points agree with double precision to 2 parts in 10⁷", arguments: [11, 12] as [UInt64])
  func oracle(seed: UInt64) {
    let size = RasterSize(width: 640, height: 480)
    let map = Self.map(size, stride: 640, seed: seed)
    let camera = Self.camera(size)
    let points = map.points(intrinsics: camera)
    var worst = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width where !map.meters[x, y].isNaN {
        let pixel = SIMD2(Double(x), Double(y))
        let exact = camera.unproject(pixel, depth: Double(map.meters[x, y]))
        let difference = points[x, y].vector - exact
        worst = max(worst, (difference * difference).sum().squareRoot() / exact.z)
      }
    }
    // Slopes stay below 1: two roundings of 2⁻²⁴ on each of two coordinates.
    #expect(worst < 2e-7)
  }

  @Test("A missing depth gives three NaN")
  func missing() {
    let size = RasterSize(width: 2, height: 1)
    let map = DepthMap(meters: Raster(size: size, samples: [0, 1]))
    let points = map.points(intrinsics: Self.camera(size))
    #expect(points[0, 0].x.isNaN && points[0, 0].y.isNaN && points[0, 0].z.isNaN)
    #expect(points[1, 0].z == 1)
  }

  private func coordinates(_ point: PackedPoint) -> [UInt32] {
    // A product with NaN keeps no particular sign or payload, so all NaN count as one.
    [point.x, point.y, point.z].map { ($0.isNaN ? Float.nan : $0).bitPattern }
  }
}
