import PlumblineModel
import PlumblineTestSupport
import PlumblineVision

/// Corners as an exact camera sees them, with noise of a seed.
struct SimulatedViews {
  static let size = RasterSize(width: 640, height: 480)
  static let intrinsics = PinholeIntrinsics(
    focalLength: [600, 606], principalPoint: [318, 239], size: size)
  static let square = PinholeIntrinsics(
    focalLength: [600, 600], principalPoint: [318, 239], size: size)
  static let polynomial = LensModel.polynomial(
    radial: [0.08, -0.05, 0.02], tangential: [0.002, -0.001])

  /// A table like a phone's: up to 1 % outward, back again at the border, not monotonic.
  static let table: RadialMagnification = .table(
    (0..<42).map { index in
      let share = Float(index) / 41
      return 0.04 * share * share * (1 - share * share) + 0.001 * share
    })

  static func lens(
    distorting: RadialMagnification?, undistorting: RadialMagnification? = nil,
    pixelSizeMillimeters: Double = 0
  ) -> LensModel {
    .radial(
      LensDistortion(
        center: [325, 233], size: size, pixelSizeMillimeters: pixelSizeMillimeters,
        distorting: distorting, undistorting: undistorting))
  }

  /// All lenses, by name.
  static let lenses: [String: LensModel] = [
    "none": .none, "polynomial": polynomial, "table": lens(distorting: table),
    "inverse table": lens(distorting: nil, undistorting: table),
    "coefficients": lens(
      distorting: .coefficients([0.1, 0.3, -0.06, 0.004]), pixelSizeMillimeters: 0.006),
  ]

  var board = Board(columns: 6, rows: 5, squareMeters: 0.03, pattern: .chessboard)
  var noisePixels = 0.0
  /// The deviation of an error that a whole view shares: a slow bend of the image in pixels.
  var sharedPixels = 0.0

  /// A pose that leans up to 40° and shows the whole board.
  func pose(_ generator: inout SeededGenerator) -> RigidTransform {
    let lean = SIMD2(generator.uniform(in: -0.7..<0.7), generator.uniform(in: -0.7..<0.7))
    return pose(
      lean: lean, turn: generator.uniform(in: -0.5..<0.5),
      middle: [
        generator.uniform(in: -0.06..<0.06), generator.uniform(in: -0.05..<0.05),
        generator.uniform(in: 0.3..<0.45),
      ])
  }

  /// The pose whose board's middle is at a point of the camera frame, with the tangents of the half
  /// angles of its turns.
  func pose(lean: SIMD2<Double>, turn: Double, middle: SIMD3<Double>) -> RigidTransform {
    func about(_ axis: Int, _ angle: Double) -> Rotation {
      let half = angle / 2
      let (cosine, sine) = (
        (1 - half * half) / (1 + half * half), 2 * half / (1 + half * half)
      )
      switch axis {
      case 0: return Rotation(x: [1, 0, 0], y: [0, cosine, sine], z: [0, -sine, cosine])
      case 1: return Rotation(x: [cosine, 0, -sine], y: [0, 1, 0], z: [sine, 0, cosine])
      default: return Rotation(x: [cosine, sine, 0], y: [-sine, cosine, 0], z: [0, 0, 1])
      }
    }
    let rotation = about(0, lean.x) * (about(1, lean.y) * about(2, turn))
    let center = SIMD3(Double(board.columns), Double(board.rows), 0) / 2 * board.squareMeters
    return RigidTransform(rotation: rotation, translation: middle - rotation * center)
  }

  /// The board in one pose.
  func view(
    _ camera: CameraModel, pose: RigidTransform, _ generator: inout SeededGenerator
  ) -> BoardView {
    let bend = SIMD2(generator.gaussian(), generator.gaussian()) * sharedPixels
    var corners: [BoardCorner] = []
    for id in 0..<board.cornerCount {
      guard let exact = camera.project(pose * board.cornerInBoard(id)) else { continue }
      let share = (exact - camera.intrinsics.principalPoint) / 240
      let noise = SIMD2(generator.gaussian(), generator.gaussian()) * noisePixels
      let pixel = exact + noise + bend * share * share
      corners.append(BoardCorner(id: id, pixel: pixel))
    }
    return BoardView(board: board, imageSize: camera.intrinsics.size, corners: corners)
  }

  /// Views from random poses.
  func views(_ count: Int, _ camera: CameraModel, seed: UInt64) -> [BoardView] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let pose = pose(&generator)
      return view(camera, pose: pose, &generator)
    }
  }
}
