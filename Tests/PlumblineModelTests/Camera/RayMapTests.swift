import PlumblineTestSupport
import Testing

@testable import PlumblineModel

@Suite("Ray maps")
struct RayMapTests {
  /// The largest distance between a ray's pixel and the exact one, in pixels of the map.
  ///
  /// Two strips, through the center and along the border, meet every radius of the full image.
  static func worstPixel(_ calibration: CameraCalibration) -> Double {
    let size = calibration.intrinsics.size
    let rows = [size.height / 2 - 10, size.height - 20]
    return rows.map { row in
      worstPixelOfAll(
        calibration.cropped(to: PixelRectangle(x: 0, y: row, width: size.width, height: 20)))
    }.max() ?? 0
  }

  private static func worstPixelOfAll(_ calibration: CameraCalibration) -> Double {
    let rays = calibration.rayMap
    let camera = calibration.intrinsics
    var worst = 0.0
    for y in 0..<camera.size.height {
      for x in stride(from: 0, to: camera.size.width, by: 3) {
        let pixel = SIMD2(Double(x), Double(y))
        let exact = calibration.distortion?.undistorted(pixel) ?? pixel
        let slope = SIMD2(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y]))
        let difference = slope * camera.focalLength + camera.principalPoint - exact
        worst = max(worst, (difference * difference).sum().squareRoot())
      }
    }
    return worst
  }

  static let wide = CameraCalibration(
    intrinsics: PinholeIntrinsics(
      focalLength: [3032.59, 3032.59], principalPoint: [2011.2, 1507.9],
      size: RasterSize(width: 4032, height: 3024)),
    distortion: TabletLens.coefficients)

  static let backward: CameraCalibration = {
    var calibration = TabletLens.calibration
    calibration.distortion?.distorting = nil
    calibration.distortion?.undistorting = .table(TabletLens.distorting)
    return calibration
  }()

  @Test(
    "Rays are within 0.001 px of the exact function at any size",
    arguments: [
      TabletLens.calibration, wide, backward,
      TabletLens.calibration.scaled(to: RasterSize(width: 640, height: 480)),
      wide.scaled(to: RasterSize(width: 768, height: 576)),
    ])
  func exact(calibration: CameraCalibration) {
    // The worst seen is 0.0008 px, where a corner of an inverted table falls inside a piece.
    #expect(Self.worstPixel(calibration) < 0.001)
  }

  @Test(
    "Rays between pixel centers are within 0.005 px of the exact function",
    arguments: [
      TabletLens.calibration.scaled(to: RasterSize(width: 640, height: 480)),
      wide.scaled(to: RasterSize(width: 768, height: 576)),
    ], [UInt64(3), 4])
  func between(calibration: CameraCalibration, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rays = calibration.rayMap
    let camera = calibration.intrinsics
    let last = SIMD2(Double(camera.size.width), Double(camera.size.height)) - 0.5
    var worst = 0.0
    for _ in 0..<2000 {
      let place = SIMD2(
        Double.random(in: -0.5...last.x, using: &random),
        Double.random(in: -0.5...last.y, using: &random))
      let exact = calibration.distortion?.undistorted(place) ?? place
      let found = rays.ray(at: place) * camera.focalLength + camera.principalPoint
      let offset = found - exact
      worst = max(worst, (offset * offset).sum().squareRoot())
    }
    // That of the pixels, 0.001 px, and what a lens bends within one: 0.0029 px at a corner of its table.
    #expect(worst < 0.005)
  }

  @Test("Without distortion a ray is its column's and row's")
  func straight() {
    let small = TabletLens.intrinsics.scaled(to: RasterSize(width: 64, height: 48))
    let rays = CameraCalibration(intrinsics: small).rayMap
    let table = small.rayTable
    #expect(Array(rays.xOverZ.row(20)) == table.columns)
    #expect((0..<48).map { rays.yOverZ[30, $0] } == table.rows)
  }

  @Test("Rays have the bits of plain Swift", arguments: [TabletLens.calibration, backward])
  func bits(calibration: CameraCalibration) throws {
    let small = calibration.scaled(to: RasterSize(width: 85, height: 64))
    let rays = small.rayMap
    let (table, lens) = (small.intrinsics.rayTable, try #require(small.distortion))
    let magnifications = lens.undistortingTable
    let step = Float(Double(magnifications.count - 1) / lens.maximumRadius)
    let inverse = SIMD2<Float>(1 / small.intrinsics.focalLength)
    for row in 0..<64 {
      let y = Float(Double(row) - lens.center.y)
      for column in 0..<85 {
        let x = Float(Double(column) - lens.center.x)
        let place = min((x * x + y * y).squareRoot() * step, Float(magnifications.count - 1))
        let piece = min(Int(place), magnifications.count - 2)
        let moved =
          magnifications[piece]
          + (magnifications[piece + 1] - magnifications[piece]) * (place - Float(piece))
        #expect(rays.xOverZ[column, row] == table.columns[column] + x * moved * inverse.x)
        #expect(rays.yOverZ[column, row] == table.rows[row] + y * moved * inverse.y)
      }
    }
  }
}
