import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Pinhole intrinsics")
struct PinholeIntrinsicsTests {
  @Test("Scaled principal points are those that Apple's own scaled intrinsics have")
  func applesOwn() {
    let small = TabletLens.intrinsics.scaled(to: RasterSize(width: 640, height: 480))
    // Both sides are printed to 0.01 px.
    #expect(abs(small.principalPoint.x - 317.93) < 0.01)
    #expect(abs(small.principalPoint.y - 239.56) < 0.01)
    #expect(abs(small.focalLength.x - 595.34) < 0.01)
    #expect(small.size == RasterSize(width: 640, height: 480))
  }

  @Test("Scaling there and back, and in two steps, is exact to rounding")
  func scaleLaws() {
    let camera = TabletLens.intrinsics
    let small = RasterSize(width: 772, height: 579)
    let tiny = RasterSize(width: 193, height: 145)
    for other in [
      (camera.scaled(to: small).scaled(to: camera.size), camera),
      (camera.scaled(to: small).scaled(to: tiny), camera.scaled(to: tiny)),
    ] {
      // Pixels: products of numbers below 4,096 round to 5e-13.
      let difference = other.0.principalPoint - other.1.principalPoint
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-11)
      #expect(abs(other.0.focalLength.y - other.1.focalLength.y) < 1e-11)
    }
  }

  @Test("Projection undoes unprojection", arguments: [31, 32] as [UInt64])
  func projection(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var worst = 0.0
    for _ in 0..<10_000 {
      let pixel = SIMD2(random.uniform(in: -100..<3200), random.uniform(in: -100..<2400))
      let depth = random.uniform(in: 0.05..<20)
      let point = TabletLens.intrinsics.unproject(pixel, depth: depth)
      let difference = TabletLens.intrinsics.project(point) - pixel
      worst = max(worst, abs(difference.x), abs(difference.y))
      #expect(point.z == depth)
    }
    // Pixels: double precision at 3,200 px.
    #expect(worst < 1e-11)
  }

  @Test("Apple's matrix is read column after column")
  func columnMajor() {
    let size = RasterSize(width: 640, height: 480)
    let matrix: [Double] = [500, 0, 0, 0, 510, 0, 319, 241, 1]
    let camera = PinholeIntrinsics(columnMajor: matrix, size: size)
    #expect(camera?.focalLength == [500, 510])
    #expect(camera?.principalPoint == [319, 241])
    let corner = PinholeIntrinsics(columnMajor: matrix, size: size, grid: .cornerBased)
    #expect(corner?.principalPoint == [318.5, 240.5])
  }

  @Test(
    "What is no pinhole matrix is refused",
    arguments: [
      [], [500, 0, 0, 0, 510, 0, 319, 241], [500, 0, 319, 0, 510, 241, 0, 0, 1],
      [0, 0, 0, 0, 510, 0, 319, 241, 1], [500, 0, 0, 0, -510, 0, 319, 241, 1],
      [500, 0, 0, 0, 510, 0, .nan, 241, 1], [.infinity, 0, 0, 0, 510, 0, 319, 241, 1],
      // Scaling these to another size would leave the numbers there are.
      [1e-307, 0, 0, 0, 1e-307, 0, 319, 241, 1], [1.7e308, 0, 0, 0, 1.7e308, 0, 319, 241, 1],
      [500, 0, 0, 0, 510, 0, 1.7e308, -1.7e308, 1], [0.6, 0, 0, 0, 510, 0, 319, 241, 1],
    ])
  func refused(matrix: [Double]) {
    #expect(
      PinholeIntrinsics(columnMajor: matrix, size: RasterSize(width: 640, height: 480)) == nil)
  }

  @Test("The field of view spans from edge to edge of the image")
  func fieldOfView() {
    let camera = PinholeIntrinsics(
      focalLength: [320, 240], principalPoint: [319.5, 239.5],
      size: RasterSize(width: 640, height: 480))
    // Half the width over the focal length is 1: 45° to each side.
    #expect(abs(camera.fieldOfView.x - .pi / 2) < 1e-15)
    #expect(abs(camera.fieldOfView.y - .pi / 2) < 1e-15)
  }

  @Test(
    "Sizes of another aspect ratio do not match",
    arguments: [
      (640, 480, true), (480, 640, false), (640, 360, false), (0, 0, false), (333, 250, true),
    ])
  func aspect(width: Int, height: Int, matches: Bool) {
    let size = RasterSize(width: width, height: height)
    #expect(TabletLens.intrinsics.matchesAspect(of: size) == matches)
  }
}
