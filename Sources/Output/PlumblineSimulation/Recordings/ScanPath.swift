package import PlumblineModel

/// The way of a camera that scans a scene, back to where it started.
///
/// The hand shakes by millimeters and tenths of a degree, in whole waves, so that the last pose is the first.
package enum ScanPath: Sendable {
  /// Once round the middle of the room, 1.4 m above the floor, looking ahead and to the walls.
  case roomLoop
  /// A figure eight through the room, looking ahead.
  case roomEight
  /// Once round a bust at arm's length.
  case headTurn

  /// The time between two frames; some 9 m in 180 of them are half a meter per second.
  package static let frameSeconds = 0.1

  /// The poses of the frames, the last at the place of the first; one frame is the first.
  ///
  /// - Parameters:
  ///   - count: At least 1.
  ///   - seed: The seed of the shaking.
  /// - Returns: The camera in the scene, for each frame.
  package func sceneFromCameras(count: Int, seed: UInt64) -> [RigidTransform] {
    precondition(count >= 1, "a path of \(count) frames")
    var generator = SeededGenerator(seed: seed)
    let shake = HandShake(&generator)
    return (0..<count).map { frame in
      let turns = count == 1 ? 0 : Double(frame) / Double(count - 1)
      let (place, direction) = look(atTurns: turns)
      return RigidTransform(rotation: .looking(along: direction), translation: place)
        * shake.motion(atTurns: turns)
    }
  }

  /// Where the camera is and where it looks, after a share of the path.
  private func look(atTurns turns: Double) -> (place: SIMD3<Double>, direction: SIMD3<Double>) {
    let (sine, cosine) = portableSineAndCosine(ofTurns: turns)
    switch self {
    case .roomLoop:
      let ahead = normalized([1.3 * cosine, 0, 1.5 * sine])
      let outward = SIMD3(ahead.z, 0, -ahead.x)
      // 35° to the wall and 14° down.
      return ([1.3 * sine, 0, 1.1 - 1.5 * cosine], ahead * 0.82 + outward * 0.57 + [0, 0.25, 0])
    case .roomEight:
      let double = portableSineAndCosine(ofTurns: 2 * turns)
      let ahead = normalized([1.3 * cosine, 0, 2 * double.cosine])
      return ([1.3 * sine, 0, 1.1 + double.sine], ahead + [0, 0.25, 0])
    case .headTurn:
      let middle = SIMD3(0.004, -0.04, 0.46)
      let double = portableSineAndCosine(ofTurns: 2 * turns)
      let place = middle + [0.44 * sine, -0.06 * double.sine, -0.44 * cosine]
      return (place, middle - place)
    }
  }
}

/// Small motions of a hand, each axis by two waves.
private struct HandShake {
  /// The phases of two waves for three shifts and three turns, in turns.
  private let phases: [Double]

  init(_ generator: inout SeededGenerator) {
    phases = (0..<12).map { _ in generator.uniform() }
  }

  /// The motion in the camera's frame after a share of the path: up to 8 mm and 0.7° an axis.
  func motion(atTurns turns: Double) -> RigidTransform {
    func waves(_ axis: Int) -> Double {
      let slow = portableSineAndCosine(ofTurns: 7 * turns + phases[2 * axis]).sine
      let quick = portableSineAndCosine(ofTurns: 17 * turns + phases[2 * axis + 1]).sine
      return 0.6 * slow + 0.4 * quick
    }
    let turn =
      Rotation.aboutX(halfTangent: 0.006 * waves(3)) * .aboutY(halfTangent: 0.006 * waves(4))
      * .aboutZ(halfTangent: 0.006 * waves(5))
    return RigidTransform(
      rotation: turn, translation: SIMD3(waves(0), waves(1), waves(2)) * 0.008)
  }
}

/// Sine and cosine of whole turns and their shares, with the same bits on every platform.
///
/// - Source: The power series after the nearest quarter turn is taken away; with at most π/4 left, ten
///   terms reach 1e-20.
package func portableSineAndCosine(ofTurns turns: Double) -> (sine: Double, cosine: Double) {
  let quarters = (turns * 4).rounded()
  let angle = (turns - quarters / 4) * (2 * .pi)
  let square = angle * angle
  var (sine, cosine) = (1.0, 1.0)
  for term in (1...10).reversed() {
    let even = Double(2 * term)
    sine = 1 - sine * square / (even * (even + 1))
    cosine = 1 - cosine * square / (even * (even - 1))
  }
  sine *= angle
  switch Int(quarters.truncatingRemainder(dividingBy: 4) + 4) % 4 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
