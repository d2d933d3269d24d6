import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Errors that pixels and frames share, and what moves.
@Suite struct ScanNoiseTests {
  /// The field of a moment in standard deviations, of a flat map at 1 m.
  static func field(_ seed: UInt64, atSeconds seconds: Double) -> Raster<Float> {
    let size = RasterSize(width: 64, height: 48)
    let flat = DisparityMap(inverseMeters: Raster(size: size, repeating: 1))
    let map = SlowNoise(share: 0.01, seed: seed).applied(to: flat, atSeconds: seconds)
    return map.inverseMeters.map { (1 / $0 - 1) / 0.01 }
  }

  @Test func slowNoiseIsCorrelatedAsStated() {
    let seeds = 3000
    var (square, beside, far, soon, later) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for seed in 0..<UInt64(seeds) {
      let (now, half) = (Self.field(seed, atSeconds: 4), Self.field(seed, atSeconds: 4.5))
      let own = Double(now[19, 21])
      square += own * own
      // Half a patch on: knots are at multiples of eight pixels from −½ on.
      beside += own * Double(now[23, 21])
      far += own * Double(now[37, 21])
      soon += own * Double(half[19, 21])
      later += own * Double(Self.field(seed, atSeconds: 6)[19, 21])
    }
    func mean(_ sum: Double) -> Double { sum / Double(seeds) }
    // Three standard deviations of a mean of 3000 products.
    #expect(abs(mean(square) - 1) < 0.08)
    #expect(abs(mean(far)) < 0.055)
    #expect(abs(mean(later)) < 0.055)
    // At a knot in time all weight is on one, halfway on two alike: their product is 1/√2.
    #expect(abs(mean(soon) - 0.5.squareRoot()) < 0.05)
    // In columns: shares 0.4375 and 0.9375 of the way from one knot to the next.
    let (u, v) = (0.4375, 0.9375)
    let expected =
      ((1 - u) * (1 - v) + u * v)
      / (((1 - u) * (1 - u) + u * u) * ((1 - v) * (1 - v) + v * v)).squareRoot()
    #expect(abs(mean(beside) - expected) < 0.06)
    #expect(Self.field(7, atSeconds: 2.3) == Self.field(7, atSeconds: 2.3))
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
