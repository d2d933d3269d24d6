import PlumblineModel
import PlumblineTestSupport

/// A box at 0.5 m before a wall at 1.2 m, seen by a small camera.
enum StepScene {
  static let size = RasterSize(width: 64, height: 48)
  static let nearMeters = 0.5
  static let farMeters = 1.2
  /// A pixel of the box, more than two pixels from its edges.
  static let nearPixel = (x: 30, y: 24)
  /// A pixel of the wall, more than two pixels from any edge.
  static let farPixel = (x: 58, y: 24)

  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))
  static let scene = SimulatedScene(surfaces: [
    OrientedBox(center: [0, 0, 0.55], halfSize: [0.08, 0.3, 0.05], pattern: paint),
    Plane(through: [0, 0, farMeters], normal: [0, 0, -1], pattern: paint),
  ])

  /// A camera whose lens moves its corners by about a pixel.
  static let camera = SimulatedCamera(
    calibration: CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [60, 60], principalPoint: [30.25, 24.75], size: size),
      distortion: LensDistortion(
        center: [32.5, 23], size: size, pixelSizeMillimeters: 0.05,
        distorting: .coefficients([0, 0.9, -0.1]), undistorting: .coefficients([0, -0.9, 0.1]))))

  /// The scene without any error, `true = scale · stored + offset`.
  static func measurement(scale: Double = 1, offset: Double = 0) -> SensorMeasurement {
    SimulatedTrueDepthSensor.perfect.measurement(of: scene, from: camera, seed: 1)
      .with(.relative(scale: scale, offset: offset))
  }
}
