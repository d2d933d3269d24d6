import PlumblineModel
import PlumblineTestSupport
import PlumblineVision

/// Corners as two exact cameras side by side see them, with noise of a seed.
struct SimulatedPairs {
  static let left = CameraModel(
    intrinsics: PinholeIntrinsics(
      focalLength: [600, 600], principalPoint: [318, 239], size: SimulatedViews.size),
    lens: .polynomial(radial: [0.08, -0.05, 0], tangential: .zero))
  static let right = CameraModel(
    intrinsics: PinholeIntrinsics(
      focalLength: [640, 640], principalPoint: [322, 236], size: SimulatedViews.size),
    lens: .polynomial(radial: [-0.1, 0.03, 0], tangential: .zero))
  static let rightFromLeft = RigidTransform(
    rotation: Rotation(axisAngle: [0.02, -0.05, 0.03]) ?? .identity,
    translation: [-0.08, 0.004, 0.006])

  var views = SimulatedViews()

  func pairs(_ count: Int, seed: UInt64) -> [BoardViewPair] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let pose = views.pose(&generator)
      return BoardViewPair(
        left: views.view(Self.left, pose: pose, &generator),
        right: views.view(Self.right, pose: Self.rightFromLeft * pose, &generator))
    }
  }

  /// A start from which both cameras must be found.
  static func start(_ focal: Double) -> CameraModel {
    CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal, focal], principalPoint: [320, 240], size: SimulatedViews.size))
  }
}

/// The largest distance of a component from 0.
func largest<Vector: SIMD>(_ vector: Vector) -> Double where Vector.Scalar == Double {
  vector.indices.reduce(0) { max($0, abs(vector[$1])) }
}
