import PlumblineModel
import PlumblineSimulation
import PlumblineStereo

/// Points in space, seen exactly by two cameras.
struct SimulatedMatches {
  var camera = CameraCalibration(
    intrinsics: PinholeIntrinsics(
      focalLength: [700, 700], principalPoint: [399.5, 299.5],
      size: RasterSize(width: 800, height: 600)))
  var rightFromLeft: RigidTransform
  var matches: [PairMatch] = []

  /// Draws points: some wrong (`wrongShare`, drawn anywhere in the right image), all with `noise`
  /// pixels of standard deviation in each coordinate, at depths in meters.
  init(
    rotation: SIMD3<Double>, rightInLeft: SIMD3<Double>, count: Int = 200,
    wrongShare: Double = 0, noise: Double = 0, seed: UInt64,
    depth: (inout SeededGenerator) -> Double = { $0.uniform(in: 1.5..<6) }
  ) throws {
    let turn = try requireValue(Rotation(axisAngle: rotation))
    rightFromLeft = RigidTransform(rotation: turn, translation: -(turn * rightInLeft))
    var generator = SeededGenerator(seed: seed)
    let size = camera.intrinsics.size
    while matches.count < count {
      let left = SIMD2(
        generator.uniform(in: 0..<Double(size.width - 1)),
        generator.uniform(in: 0..<Double(size.height - 1)))
      let point = camera.intrinsics.unproject(left, depth: depth(&generator))
      var right = camera.intrinsics.project(rightFromLeft * point)
      guard right.x > 0, right.y > 0, right.x < 799, right.y < 599 else { continue }
      if generator.chance(wrongShare) {
        right = [generator.uniform(in: 0..<799), generator.uniform(in: 0..<599)]
      }
      func noisy(_ place: SIMD2<Double>, _ generator: inout SeededGenerator) -> SIMD2<Double> {
        place + noise * SIMD2(generator.gaussian(), generator.gaussian())
      }
      matches.append(
        PairMatch(left: noisy(left, &generator), right: noisy(right, &generator)))
    }
  }

  /// The angle in degrees by which a rotation is off, and that of the translation's direction.
  func errors(of pose: RelativePose) -> (rotation: Double, direction: Double) {
    errors(rotation: pose.rightFromLeft.rotation, direction: pose.rightFromLeft.translation)
  }

  /// The same of a pose's parts; the direction has length 1.
  func errors(
    rotation: Rotation, direction: SIMD3<Double>
  ) -> (rotation: Double, direction: Double) {
    let turn = (rotation.inverse * rightFromLeft.rotation).axisAngle
    let truth = rightFromLeft.translation
    let off = direction - truth / (truth * truth).sum().squareRoot()
    return (
      (turn * turn).sum().squareRoot() * 180 / .pi, (off * off).sum().squareRoot() * 180 / .pi
    )
  }
}

struct NoValue: Error {}

func requireValue<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw NoValue() }
  return value
}
