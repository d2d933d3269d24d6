import PlumblineModel
import PlumblineTestSupport
import Testing

/// Scale, crop, turn and mirror move pixels and calibration together: a scene point falls on the
/// same content before and after.
@Suite("Calibration transforms")
struct CalibrationTransformTests {
  /// Where the camera sees a point, lens included.
  static func pixel(_ calibration: CameraCalibration, _ point: SIMD3<Double>) -> SIMD2<Double> {
    let ideal = calibration.intrinsics.project(point)
    return calibration.distortion?.distorted(ideal) ?? ideal
  }

  static func points(seed: UInt64) -> [SIMD3<Double>] {
    var random = SeededGenerator(seed: seed)
    return (0..<500).map { _ in
      let pixel = SIMD2(random.uniform(in: 0..<3087), random.uniform(in: 0..<2315))
      return TabletLens.intrinsics.unproject(pixel, depth: random.uniform(in: 0.1..<5))
    }
  }

  @Test("Turning and mirroring", arguments: ImageOrientation.allCases)
  func oriented(orientation: ImageOrientation) {
    let stored = TabletLens.calibration
    let upright = stored.oriented(by: orientation)
    let uprightFromStored = Rotation(turning: orientation)
    var worst = SIMD2<Double>.zero
    for point in Self.points(seed: 51) {
      let content = orientation.upright(Self.pixel(stored, point), in: stored.intrinsics.size)
      let moved = Self.pixel(upright, uprightFromStored * point) - content
      // The rig's frame does not turn with the image.
      let before = stored.extrinsics.map { $0.referenceFromCamera * point } ?? .zero
      let after =
        upright.extrinsics.map { $0.referenceFromCamera * (uprightFromStored * point) } ?? .zero
      let drift = after - before
      worst = [
        max(worst.x, abs(moved.x), abs(moved.y)), max(worst.y, (drift * drift).sum().squareRoot()),
      ]
    }
    // Pixels, then meters: rounding of doubles.
    #expect(worst.x < 1e-9)
    #expect(worst.y < 1e-14)
    #expect(upright.oriented(by: orientation.inverse) == stored)
    #expect(upright.intrinsics.size == orientation.uprightSize(of: stored.intrinsics.size))
    #expect(upright.distortion?.maximumRadius == stored.distortion?.maximumRadius)
  }

  @Test("Turning twice is turning once by both")
  func composition() {
    for (first, second) in ImageOrientationTests.pairs {
      let twice = TabletLens.calibration.oriented(by: first).oriented(by: second)
      let once = TabletLens.calibration.oriented(by: first.followed(by: second))
      #expect(Self.distance(twice, once) < 1e-11)
      #expect(twice.extrinsics == once.extrinsics)
    }
  }

  @Test("Cropping")
  func cropped() {
    let rectangle = PixelRectangle(x: 301, y: 77, width: 1200, height: 1500)
    let part = TabletLens.calibration.cropped(to: rectangle)
    for point in Self.points(seed: 52) {
      let content = Self.pixel(TabletLens.calibration, point) - SIMD2(301, 77)
      let moved = Self.pixel(part, point) - content
      #expect(max(abs(moved.x), abs(moved.y)) < 1e-9)
    }
    #expect(part.intrinsics.size == rectangle.size)
  }

  @Test(
    "Scaling",
    arguments: [RasterSize(width: 640, height: 480), RasterSize(width: 6176, height: 4632)])
  func scaled(target: RasterSize) {
    let scaled = TabletLens.calibration.scaled(to: target)
    let scale = Double(target.width) / 3088
    for point in Self.points(seed: 53) {
      let content = (Self.pixel(TabletLens.calibration, point) + 0.5) * scale - 0.5
      let moved = Self.pixel(scaled, point) - content
      #expect(max(abs(moved.x), abs(moved.y)) < 1e-9)
    }
    #expect(abs((scaled.pixelSizeMillimeters ?? 0) * scale - 0.001) < 1e-18)
  }

  @Test("Scaling moves coefficients with their pixels")
  func scaledCoefficients() {
    let small = RayMapTests.wide.scaled(to: RasterSize(width: 768, height: 576))
    for point in Self.points(seed: 54) {
      let content = (Self.pixel(RayMapTests.wide, point) + 0.5) * (768.0 / 4032) - 0.5
      let moved = Self.pixel(small, point) - content
      #expect(max(abs(moved.x), abs(moved.y)) < 1e-9)
    }
  }

  @Test("Cropping then turning is turning then cropping", arguments: ImageOrientation.allCases)
  func cropAndTurn(orientation: ImageOrientation) {
    let size = TabletLens.size
    let rectangle = PixelRectangle(x: 300, y: 70, width: 1200, height: 900)
    let corners = [
      orientation.upright([300, 70], in: size), orientation.upright([1499, 969], in: size),
    ]
    let turned = orientation.uprightSize(of: rectangle.size)
    let uprightRectangle = PixelRectangle(
      x: Int(min(corners[0].x, corners[1].x)), y: Int(min(corners[0].y, corners[1].y)),
      width: turned.width, height: turned.height)
    let one = TabletLens.calibration.cropped(to: rectangle).oriented(by: orientation)
    let other = TabletLens.calibration.oriented(by: orientation).cropped(to: uprightRectangle)
    #expect(Self.distance(one, other) < 1e-11)
    #expect(one.intrinsics.size == other.intrinsics.size)
  }

  @Test("Pixels move with the calibration through any chain", arguments: 1...12)
  func chain(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var calibration = RayMapTests.wide.scaled(to: RasterSize(width: 96, height: 72))
    // Each pixel carries its own first coordinates, so that content can be recognized.
    var content = Raster(size: calibration.intrinsics.size) { x, y in 1000 * y + x }
    let original = calibration
    var turn = Rotation.identity
    for _ in 0..<6 {
      let size = calibration.intrinsics.size
      let orientation = ImageOrientation.allCases[random.integer(below: 8)]
      let x = random.integer(below: 5)
      let y = random.integer(below: 5)
      let rectangle = PixelRectangle(
        x: x, y: y, width: size.width - x - random.integer(below: 5),
        height: size.height - y - random.integer(below: 5))
      calibration = calibration.cropped(to: rectangle).oriented(by: orientation)
      content = content.cropped(to: rectangle).oriented(by: orientation)
      turn = Rotation(turning: orientation) * turn
    }
    var worst = 0.0
    for y in 0..<content.height {
      for x in 0..<content.width {
        let pixel = SIMD2(Double(x), Double(y))
        let ideal = calibration.distortion?.undistorted(pixel) ?? pixel
        let point = calibration.intrinsics.unproject(ideal, depth: 1.5)
        let first = turn.inverse * point
        let origin = SIMD2(Double(content[x, y] % 1000), Double(content[x, y] / 1000))
        let exact = original.distortion?.undistorted(origin) ?? origin
        let difference = original.intrinsics.project(first) - exact
        worst = max(worst, abs(difference.x), abs(difference.y))
      }
    }
    #expect(content.size == calibration.intrinsics.size)
    #expect(worst < 1e-10)
  }

  private static func distance(_ a: CameraCalibration, _ b: CameraCalibration) -> Double {
    let differences = [
      a.intrinsics.principalPoint - b.intrinsics.principalPoint,
      a.intrinsics.focalLength - b.intrinsics.focalLength,
      (a.distortion?.center ?? .zero) - (b.distortion?.center ?? .zero),
    ]
    return differences.map { max(abs($0.x), abs($0.y)) }.max() ?? 0
  }
}
