import PlumblineImages
import PlumblineModel

/// One of COLMAP's camera models and its parameters.
///
/// - Source: colmap/colmap, doc/cameras.rst and doc/format.rst; `src/colmap/sensor/models.h` for
///   the numbers of the models and the order of the parameters.
struct COLMAPCamera: Hashable, Sendable {
  /// The models with their numbers; unsupported models are listed for their parameter counts.
  enum Model: Int32, CaseIterable {
    case simplePinhole = 0
    case pinhole = 1
    case simpleRadial = 2
    case radial = 3
    case opencv = 4
    case opencvFisheye = 5
    case fullOpenCV = 6
    case fov = 7
    case simpleRadialFisheye = 8
    case radialFisheye = 9
    case thinPrismFisheye = 10

    var name: String {
      switch self {
      case .simplePinhole: "SIMPLE_PINHOLE"
      case .pinhole: "PINHOLE"
      case .simpleRadial: "SIMPLE_RADIAL"
      case .radial: "RADIAL"
      case .opencv: "OPENCV"
      case .opencvFisheye: "OPENCV_FISHEYE"
      case .fullOpenCV: "FULL_OPENCV"
      case .fov: "FOV"
      case .simpleRadialFisheye: "SIMPLE_RADIAL_FISHEYE"
      case .radialFisheye: "RADIAL_FISHEYE"
      case .thinPrismFisheye: "THIN_PRISM_FISHEYE"
      }
    }

    var parameterCount: Int {
      switch self {
      case .simplePinhole: 3
      case .pinhole, .simpleRadial, .simpleRadialFisheye: 4
      case .radial, .fov, .radialFisheye: 5
      case .opencv, .opencvFisheye: 8
      case .fullOpenCV, .thinPrismFisheye: 12
      }
    }
  }

  var model: Model
  var size: RasterSize
  var parameters: [Double]

  /// Creates a camera with parameters in COLMAP's order.
  init(model: Model, size: RasterSize, parameters: [Double]) {
    self.model = model
    self.size = size
    self.parameters = parameters
  }

  /// The simplest model that represents a camera and its radial terms exactly.
  init(_ camera: PinholeIntrinsics, radial k: SIMD3<Double>) {
    // In COLMAP the first pixel's center is (½, ½).
    let point = camera.principalPoint + 0.5
    size = camera.size
    parameters = [camera.focalLength.x, camera.focalLength.y, point.x, point.y]
    if k == .zero {
      model = .pinhole
    } else if k.z == 0 {
      model = .opencv
      parameters += [k.x, k.y, 0, 0]
    } else {
      model = .fullOpenCV
      parameters += [k.x, k.y, 0, 0, k.z, 0, 0, 0]
    }
  }

  /// The calibration in this package's model; `nil`, with a finding, for unsupported models.
  func calibration(
    evidence: String
  ) -> (calibration: CameraCalibration?, findings: [Finding]) {
    let p = parameters
    guard p.count == model.parameterCount else { return (nil, []) }
    var lens = BrownLens()
    var isShared = false
    switch model {
    case .simplePinhole: isShared = true
    case .pinhole: break
    case .simpleRadial:
      isShared = true
      lens.radial.x = p[3]
    case .radial:
      isShared = true
      lens.radial = [p[3], p[4], 0]
    case .opencv:
      lens.radial = [p[4], p[5], 0]
      lens.tangential = [p[6], p[7]]
    case .fullOpenCV:
      lens.radial = [p[4], p[5], p[8]]
      lens.tangential = [p[6], p[7]]
      lens.denominator = [p[9], p[10], p[11]]
    default:
      let finding = Finding(
        .calibrationUnmodeledLens, .fault,
        "the camera model \(model.name) is no pinhole with radial distortion; the camera's numbers "
          + "are left out", evidence: evidence)
      return (nil, [finding])
    }
    let (fy, center) = isShared ? (p[0], 1) : (p[1], 2)
    guard
      let intrinsics = PinholeIntrinsics(
        fx: p[0], fy: fy, cx: p[center], cy: p[center + 1], size: size, grid: .cornerBased)
    else {
      let finding = Finding(
        .calibrationDamaged, .caution, "the parameters are not those of a camera",
        evidence: evidence)
      return (nil, [finding])
    }
    let (calibration, findings) = lens.calibration(of: intrinsics, evidence: evidence)
    return (calibration, findings)
  }
}
