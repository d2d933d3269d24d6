import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import PlumblineVision

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Frames of a board from formulas: exact corners with a known noise, exact depths, and a factory
/// calibration that may be wrong.
struct SimulatedBoardFrames {
  var trueFocal = 530.0
  var factoryFocal = 530.0
  /// What the images have; the factory's table describes it, right or not.
  var lens: LensDistortion?
  /// What the factory says of a lens.
  var factoryLens: LensDistortion?
  var isGeometryCorrected: Bool?
  var cornerSigmaPixels = 0.1
  /// How far each corner is off the plane of the board, in meters.
  var bend: (Int) -> Double = { _ in 0 }
  var hasDepth = true
  /// What is done to every depth map.
  var changeDepth: (DepthMap) -> DepthMap = { $0 }
  var seed: UInt64 = 7

  static let size = RasterSize(width: 640, height: 480)
  static let board = Board(columns: 10, rows: 8, squareMeters: 0.02, pattern: .chessboard)
  static let center = SIMD2(318.5, 241.0)

  /// A lens that moves the corners of the image by about 9 px.
  static var table: LensDistortion {
    let samples = (0..<42).map { index -> Float in
      let share = Double(index) / 41
      return Float(-0.03 * share * share)
    }
    return LensDistortion(
      center: center, size: size, distorting: nil, undistorting: .table(samples))
  }

  /// Leaning in so many ways, up to 40°.
  static func tilts(_ count: Int) -> [SIMD2<Double>] {
    (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let lean = index % 3 == 0 ? 0.2 : 0.7
      return SIMD2(lean * cos(angle), lean * sin(angle))
    }
  }

  /// One frame for each lean about `x` and `y`, in radians.
  func frames(_ tilts: [SIMD2<Double>]) -> [BoardFrame] {
    var generator = SeededGenerator(seed: seed)
    return tilts.enumerated().map { index, tilt in
      // All over the image: a board that stays in its middle may bend as a lens would.
      let shift = SIMD3(0.05 * Double(index % 3 - 1), 0.035 * Double(index / 3 % 3 - 1), 0)
      return frame(
        "\(index)", tilt: tilt, distance: 0.3 + 0.01 * Double(index % 4), shift, &generator)
    }
  }

  private func frame(
    _ name: String, tilt: SIMD2<Double>, distance: Double, _ shift: SIMD3<Double>,
    _ generator: inout SeededGenerator
  ) -> BoardFrame {
    var pose = Self.pose(tilt, distance: distance)
    pose.translation += shift
    let camera = PinholeIntrinsics(
      focalLength: SIMD2(repeating: trueFocal), principalPoint: Self.center, size: Self.size)
    var corners: [BoardCorner] = []
    for id in 0..<Self.board.cornerCount {
      let point = pose * (Self.board.cornerInBoard(id) + SIMD3(0, 0, bend(id)))
      var pixel = camera.project(point)
      if let lens { pixel = lens.distorted(pixel) }
      pixel += SIMD2(generator.gaussian(), generator.gaussian()) * cornerSigmaPixels
      guard pixel.x > 0, pixel.y > 0, pixel.x < 639, pixel.y < 479 else { continue }
      corners.append(BoardCorner(id: id, pixel: pixel))
    }
    var depth: DepthMap?
    if hasDepth {
      // A quarter of the size keeps the debug build quick; pixels need not match.
      depth = DepthMap(
        meters: Raster(size: RasterSize(width: 160, height: 120)) { x, y in
          var pixel = SIMD2(Double(x) + 0.5, Double(y) + 0.5) * 4 - 0.5
          if let lens { pixel = lens.undistorted(pixel) }
          let ray = SIMD3((pixel - Self.center) / trueFocal, 1)
          let normal = pose.rotation.z
          return Float((normal * pose.translation).sum() / (normal * ray).sum())
        })
    }
    let factory = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: factoryFocal), principalPoint: Self.center, size: Self.size),
      distortion: factoryLens)
    return BoardFrame(
      name: name, view: BoardView(board: Self.board, imageSize: Self.size, corners: corners),
      depth: depth.map(changeDepth), factory: factory, isGeometryCorrected: isGeometryCorrected)
  }

  private static func pose(_ tilt: SIMD2<Double>, distance: Double) -> RigidTransform {
    let aboutX = Rotation(
      x: [1, 0, 0], y: [0, cos(tilt.x), sin(tilt.x)], z: [0, -sin(tilt.x), cos(tilt.x)])
    let aboutY = Rotation(
      x: [cos(tilt.y), 0, -sin(tilt.y)], y: [0, 1, 0], z: [sin(tilt.y), 0, cos(tilt.y)])
    let rotation = aboutX * aboutY
    let middle = SIMD3(0.1, 0.08, 0)
    return RigidTransform(
      rotation: rotation, translation: SIMD3(0, 0, distance) - rotation * middle)
  }
}
