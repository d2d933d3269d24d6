import PlumblineModel
import PlumblineTestSupport
import Testing

/// Whether the simulator's truth is the truth: each law has a closed formula beside it.
@Suite struct SimulatedSceneTests {
  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))

  static func camera(distorted: Bool = false) -> SimulatedCamera {
    let size = RasterSize(width: 64, height: 48)
    var calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [60, 60], principalPoint: [30.25, 24.75], size: size))
    if distorted {
      calibration.distortion = LensDistortion(
        center: [32.5, 23], size: size, pixelSizeMillimeters: 0.05,
        distorting: .coefficients([0, 0.9, -0.1]), undistorting: .coefficients([0, -0.9, 0.1]))
    }
    return SimulatedCamera(calibration: calibration)
  }

  @Test(arguments: [false, true]) func aPlaneAcrossTheAxisHasOneDepth(distorted: Bool) {
    let scene = SimulatedScene(surfaces: [
      Plane(through: [0, 0, 0.7], normal: [0, 0, -1], pattern: Self.paint)
    ])
    let depth = scene.depthMap(from: Self.camera(distorted: distorted))
    #expect(depth.meters.samples.allSatisfy { $0 == 0.7 })
  }

  @Test(arguments: [false, true]) func unprojectedPixelsLieOnTheSphere(distorted: Bool) {
    let camera = Self.camera(distorted: distorted)
    let center = SIMD3(0.02, -0.01, 0.6)
    let scene = SimulatedScene(surfaces: [
      Ellipsoid(center: center, radius: 0.15, pattern: Self.paint)
    ])
    let points = Oracle.points(
      of: scene.depthMap(from: camera), calibration: camera.calibration)
    let hits = points.filter { !$0.z.isNaN }
    #expect(hits.count > 500)
    for point in hits {
      let offset = point - center
      // Depth is rounded to single precision: 6e-8 of 0.6 m, enlarged at the grazing rim.
      #expect(abs((offset * offset).sum().squareRoot() - 0.15) < 1e-6)
    }
  }

  @Test func aSingleEllipsoidAsBlendedSolidHasTheSameDepth() {
    let ellipsoid = Ellipsoid(
      center: [0.01, 0.02, 0.5], semiaxes: [0.1, 0.05, 0.07],
      rotation: .aboutZ(halfTangent: 0.3), pattern: Self.paint)
    let analytic = SimulatedScene(surfaces: [ellipsoid]).depthMap(from: Self.camera())
    let traced = SimulatedScene(surfaces: [
      BlendedSolid(parts: [BlendedSolid.Part(ellipsoid, blend: 0.01)])
    ]).depthMap(from: Self.camera())
    let difference = WorstDifference(analytic.meters, traced.meters)
    // The tracer stops within 1e-10 m; at the rim a ray's chord is short and depth steep.
    #expect(difference.value < 1e-6, "\(difference)")
  }

  @Test func projectionUndoesTheRay() {
    let camera = Self.camera(distorted: true)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let pixel = SIMD2(generator.uniform(in: 0..<63), generator.uniform(in: 0..<47))
      let back = camera.pixel(of: camera.ray(through: pixel).point(at: 0.8)) - pixel
      // The two polynomials undo each other to second order: 0.0005² of a 40 px radius.
      #expect((back * back).sum().squareRoot() < 0.03)
    }
  }

  @Test func aBoxShowsItsNearFace() {
    let scene = SimulatedScene(surfaces: [
      OrientedBox(center: [0, 0, 1], halfSize: [0.1, 0.1, 0.2], pattern: Self.paint),
      Plane(through: [0, 0, 2], normal: [0, 0, -1], pattern: Self.paint),
    ])
    let depth = scene.depthMap(from: Self.camera())
    #expect(depth.meters[30, 24] == 0.8)
    #expect(depth.meters[0, 0] == 2)
  }

  @Test func aFocalLengthThatIsTooLongShrinksWidthsAndKeepsDepth() {
    // A strip seen at 0.196 m with f claimed 6.2 % too long is measured 6.2 % too narrow.
    let camera = Self.camera()
    let claimed = SensorMeasurement(
      truth: DepthMap(meters: Raster(size: camera.size, repeating: 0.196)),
      disparity: DepthMap(meters: Raster(size: camera.size, repeating: 0.196)).disparityMap,
      calibration: camera.calibration, isFiltered: false
    ).with(.focalLengthScaled(by: 1.062))
    let right = camera.calibration.intrinsics.unproject([60, 24], depth: 0.196)
    let wrong = claimed.calibration.intrinsics.unproject([60, 24], depth: 0.196)
    #expect(abs(right.x / wrong.x - 1.062) < 1e-12)
    #expect(right.z == wrong.z)
  }
}
