import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification

/// One simulated scene, seen by a sensor whose errors are drawn once: those of each pixel, and those
/// that all pixels share.
///
/// A wall with a box or a dome, some half a meter away. The camera that is claimed is not the true one:
/// its focal length and principal point are off by draws of their σ, and so is the scale of depth.
struct MeasurementTrial {
  static let size = RasterSize(width: 160, height: 120)
  /// The law of TrueDepth for single pixels; see `Documentation/sensors.md`.
  static let noise = SigmaCurve(constantMeters: 0.00035, perMeterSquared: 0.0056)
  /// What all pixels share: 0.43 % of the focal length, 0.3 % of a focal length of the principal point,
  /// a millimeter and 0.25 % of depth.
  static let shared = SharedErrors(
    focalShare: 0.0043, principalPointShare: [0.003, 0.003],
    depth: SigmaCurve(constantMeters: 0.001, perMeter: 0.0025))
  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))

  var random: SeededGenerator
  let scene: SimulatedScene
  let camera: SimulatedCamera
  private let claimed: PinholeIntrinsics
  private let depthScale: Double
  private let depthOffset: Double

  /// Draws the errors for a scene whose wall is the plane `z = 0`, seen from `distance` before it by a
  /// camera that is turned by at most `tilt` radians about each axis.
  init(_ scene: SimulatedScene, distance: Double, tilt: Double, _ random: inout SeededGenerator) {
    self.scene = scene
    let focal = 145.0
    let center = SIMD2(79.5, 59.5) + [random.uniform(in: -3..<3), random.uniform(in: -3..<3)]
    let intrinsics = PinholeIntrinsics(
      focalLength: [focal, focal], principalPoint: center, size: Self.size)
    let turn = SIMD3(
      random.uniform(in: -tilt..<tilt), random.uniform(in: -tilt..<tilt),
      random.uniform(in: -tilt..<tilt))
    let rotation = Rotation(axisAngle: turn) ?? .identity
    camera = SimulatedCamera(
      calibration: CameraCalibration(intrinsics: intrinsics),
      // The point before the camera's middle stays that of the scene.
      sceneFromCamera: RigidTransform(
        rotation: rotation, translation: rotation * SIMD3(0, 0, -distance)))
    claimed = PinholeIntrinsics(
      focalLength: intrinsics.focalLength
        * (1 + random.gaussian() * (Self.shared.focalShare ?? 0)),
      principalPoint: center
        + SIMD2(random.gaussian(), random.gaussian()) * Self.shared.principalPointShare * focal,
      size: Self.size)
    depthScale = 1 + random.gaussian() * Self.shared.depth.perMeter
    depthOffset = random.gaussian() * Self.shared.depth.constantMeters
    self.random = random.split()
  }

  /// The true point at a pixel, in the camera frame.
  func truth(_ x: Int, _ y: Int) -> SIMD3<Double>? {
    let pixel = SIMD2(Double(x), Double(y))
    guard let depth = scene.firstHit(of: camera.ray(through: pixel))?.parameter else { return nil }
    return camera.calibration.intrinsics.unproject(pixel, depth: depth)
  }

  /// The point as it is measured, with the ± that it is said to have.
  mutating func measured(_ x: Int, _ y: Int) -> MeasurementPoint? {
    guard let truth = truth(x, y) else { return nil }
    let shared = truth.z * depthScale + depthOffset
    let depth = shared + random.gaussian() * Self.noise.sigmaMeters(atDepth: truth.z)
    return MeasurementPoint(
      position: claimed.unproject(SIMD2(Double(x), Double(y)), depth: depth),
      sensorSigma: Self.noise.sigmaMeters(atDepth: depth))
  }

  /// A rectangle of the map as it is measured.
  mutating func region(_ rectangle: PixelRectangle) -> MeasuredRegion {
    var points: [MeasurementPoint?] = []
    var rays: [SIMD2<Double>] = []
    for y in rectangle.y..<rectangle.y + rectangle.size.height {
      for x in rectangle.x..<rectangle.x + rectangle.size.width {
        points.append(measured(x, y))
        let ray = claimed.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        rays.append([ray.x, ray.y])
      }
    }
    return MeasuredRegion(
      size: rectangle.size, points: points, rays: rays, shared: Self.shared, noise: Self.noise,
      region: .independent)
  }

  /// The true distance of a point of the camera frame from the wall.
  func heightAboveWall(_ point: SIMD3<Double>) -> Double { -(camera.sceneFromCamera * point).z }

  /// The wall's normal on the camera's side, in the camera frame.
  var wallNormal: SIMD3<Double> { camera.sceneFromCamera.rotation.inverse * SIMD3(0, 0, -1) }

  static let wall = Plane(through: [0, 0, 0], normal: [0, 0, -1], pattern: paint)
}
