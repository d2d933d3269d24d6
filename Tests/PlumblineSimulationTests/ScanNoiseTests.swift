import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Errors that pixels and frames share, and what moves.
@Suite struct ScanNoiseTests {
  @Test func slowNoiseIsCorrelatedAsStated() {
    // A place in the grid of knots, and one half a cell on in x; both are in the middle of a cell in y and z.
    func direction(_ x: Double) -> SIMD3<Double> { SIMD3(x, 0.5, 0.5) * SlowNoise.spacing }
    let seeds = 300
    var (square, beside, far, soon, later) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for seed in 0..<UInt64(seeds) {
      let noise = SlowNoise(share: 0.01, seed: seed)
      let now = noise.field(atSeconds: 4)
      let own = now.value(along: direction(0.25))
      square += own * own
      beside += own * now.value(along: direction(0.75))
      far += own * now.value(along: direction(2.25))
      soon += own * noise.field(atSeconds: 4.5).value(along: direction(0.25))
      later += own * noise.field(atSeconds: 6).value(along: direction(0.25))
    }
    func mean(_ sum: Double) -> Double { sum / Double(seeds) }
    // The mean of 300 squares is known to 8 %, of products to 6 % and 7 %: three times that.
    #expect(abs(mean(square) - 1) < 0.25)
    #expect(abs(mean(far)) < 0.18)
    #expect(abs(mean(later)) < 0.18)
    // At a knot in time all weight is on one, halfway on two alike: their product is 1/√2.
    #expect(abs(mean(soon) - 0.5.squareRoot()) < 0.21)
    // A quarter and three quarters of a cell: 2 · ¼ · ¾ / (¼² + ¾²) = 0.6.
    #expect(abs(mean(beside) - 0.6) < 0.2)
  }

  @Test func slowNoiseStaysWithTheScene() {
    let size = RasterSize(width: 32, height: 24)
    let rays = CameraRayGrid(SimulatedSceneTests.camera().scaled(to: size).calibration)
    let flat = DisparityMap(inverseMeters: Raster(size: size, repeating: 1))
    let noise = SlowNoise(share: 0.01, seed: 5)
    func map(_ rotation: Rotation) -> Raster<Float> {
      noise.applied(to: flat, rays: rays, sceneFromCamera: rotation, atSeconds: 2.3).inverseMeters
    }
    let upright = map(.identity)
    #expect(upright == map(.identity))
    // Turned upside down about the axis, the camera sees it in the pixel on the other side.
    let turned = map(Rotation(x: [-1, 0, 0], y: [0, -1, 0], z: [0, 0, 1]))
    let point = rays.slopes[rays.index(10, 8)]
    let nearest = (0..<size.pixelCount).min { a, b in
      func off(_ pixel: Int) -> Double {
        let slope = rays.slopes[rays.index(pixel % 32, pixel / 32)] + point
        return (slope * slope).sum()
      }
      return off(a) < off(b)
    }
    // Pixels are 2° apart and the other side is up to half of that off, an eighth of a cell.
    let other = turned.samples[nearest ?? 0]
    #expect(abs(other - upright[10, 8]) < 0.006 && turned != upright)
  }

  @Test func lidarNoiseFollowsItsLawAtEveryPixel() {
    let size = RasterSize(width: 64, height: 48)
    let camera = SimulatedCamera(
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [60, 60], principalPoint: [31.5, 23.5], size: size)))
    let scene = SimulatedScene(surfaces: [
      Plane(through: [0, 0, 2], normal: [0, 0, -1], pattern: SceneDistanceTests.paint)
    ])
    var sums = [Double](repeating: 0, count: 4)
    let pixels = [(8, 8), (12, 8), (12, 12), (37, 29)]
    let rays = CameraRayGrid(camera.calibration)
    let seeds = 600
    for seed in 0..<UInt64(seeds) {
      let depth = SimulatedLiDARSensor().measurement(
        of: scene, from: camera, rays: rays, seed: seed
      ).disparity.depthMap.meters
      for (index, (x, y)) in pixels.enumerated() {
        let off = Double(depth[x, y]) - 2
        sums[index] += off * off
      }
    }
    // √(1.5² + 4²) mm at 2 m; a deviation of 600 draws is known to 3 %: three times that.
    for sum in sums { #expect(abs((sum / Double(seeds)).squareRoot() / 0.00427 - 1) < 0.09) }
  }

  @Test func flyingPixelsOfLiDARLieBetweenBothSides() {
    let scene = SimulatedSensorTests.scene
    let camera = SimulatedSensorTests.camera
    let rays = CameraRayGrid(camera.calibration)
    var sensor = SimulatedLiDARSensor()
    sensor.noiseFactor = 0
    func between() -> Int {
      sensor.measurement(of: scene, from: camera, rays: rays, seed: 3)
        .disparity.depthMap.meters.samples.count { $0 > 0.55 && $0 < 1.15 }
    }
    let soft = between()
    sensor.flyingPixelShare = 1
    // Two columns on both sides of an edge in place of one, but those whose draw is near an end.
    #expect(between() > soft * 3 / 2)
  }

  @Test func aBallCrossesTheMiddleOfTheMiddleFrame() {
    var camera = CameraPreset.lidar
    camera.colorSize = RasterSize(width: 32, height: 24)
    camera.depthSize = camera.colorSize
    var recording = SimulationScene.room.recording(by: camera, frames: 3, seed: 1)
    let before = (0..<3).map { recording.frame($0).measurement.truth.meters }
    SimulationFault.moving.apply(1, to: &recording)
    let after = (0..<3).map { recording.frame($0).measurement.truth.meters }
    // Halfway less the radius, a twelfth of the way; the axis is half a pixel off the middle.
    let (own, other) = (after[1][16, 12], before[1][16, 12])
    #expect(abs(own / other - 5 / 12) < 0.03, "\(own), \(other)")
    // Half a second before and after, at 1 m/s, it is elsewhere.
    #expect(after[0][16, 12] == before[0][16, 12])
    #expect(recording.scene.surfaces.count == SimulatedScene.room().surfaces.count)
  }
}
