import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification

/// A small capture whose every number is known: a box before a tilted wall, without any error.
struct SimulatedCapture: Sendable {
  static let size = RasterSize(width: 64, height: 48)
  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))
  static let scene = SimulatedScene(surfaces: [
    OrientedBox(center: [0, 0, 0.55], halfSize: [0.08, 0.3, 0.05], pattern: paint),
    Plane(through: [0, 0, 1.2], normal: [0.05, 0, -1], pattern: paint),
  ])
  static let camera = SimulatedCamera(
    calibration: CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [60, 60], principalPoint: [30.25, 24.75], size: size),
      distortion: LensDistortion(
        center: [32.5, 23], size: size, pixelSizeMillimeters: 0.05,
        distorting: .coefficients([0, 0.9, -0.1]), undistorting: .coefficients([0, -0.9, 0.1]))))

  var source: CaptureSource
  var record: DepthRecord
  var knownDistances: [KnownDistance] = []
  var provenance: [ProvenanceStep] = []

  /// The capture as a sound phone would deliver it, with faults.
  init(_ faults: [CaptureFault] = [], sensor: SimulatedTrueDepthSensor = .perfect) {
    let measured = sensor.measurement(of: Self.scene, from: Self.camera, seed: 7)
    record = faults.reduce(measured) { $0.with($1) }.depthRecord()
    source = CaptureSource(camera: .trueDepth, interface: .photo)
    source.model = "iPhone 12"
  }

  /// The capture with something changed.
  func with(_ change: (inout SimulatedCapture) -> Void) -> SimulatedCapture {
    var copy = self
    change(&copy)
    return copy
  }

  /// Keeps the first `share` of the pixels.
  mutating func keep(_ share: Double) {
    guard case .disparity(let map) = record.values else { return }
    let kept = Int((share * Double(record.size.pixelCount)).rounded())
    record.values = .disparity(
      DisparityMap(
        inverseMeters: Raster(size: record.size) { x, y in
          y * record.size.width + x < kept ? map.inverseMeters[x, y] : .nan
        }))
  }

  /// Gives the last pixels the least confidence, and the first `share` of them the middle one.
  mutating func trust(_ share: Double, maximumLevel: UInt8 = 2) {
    let trusted = Int((share * Double(record.size.pixelCount)).rounded())
    record.confidence = ConfidenceMap(
      levels: Raster(size: record.size) { x, y in
        y * record.size.width + x < trusted ? maximumLevel / 2 + maximumLevel % 2 : 0
      }, maximumLevel: maximumLevel)
  }

  var capture: Capture {
    var capture = Capture(source: source)
    capture.depth = record
    capture.provenance = provenance
    return capture
  }

  func corrected() throws -> CorrectedDepth {
    try CorrectedDepth(record, knownDistances: knownDistances)
  }

  func assessment() throws -> CaptureAssessment {
    CaptureAssessment(capture, try corrected())
  }

  /// The true distance of the wall, given by the user.
  static let knownFar = KnownDistance(
    x: 58, y: 24, meters: Double(scene.depthMap(from: camera).meters[58, 24]))
  /// The true distance of the box, given by the user.
  static let knownNear = KnownDistance(x: 30, y: 24, meters: 0.5)
}
