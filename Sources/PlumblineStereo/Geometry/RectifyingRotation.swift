import PlumblineModel
import PlumblineVision

/// The turns that lay the rows of both images along the line between the cameras.
///
/// Both cameras turn as little as possible and by alike amounts: the new optical axis is the mean
/// of both, freed from its part along the baseline.
/// - Source: A. Fusiello, E. Trucco, A. Verri, *A compact algorithm for rectification of stereo
///   pairs*, Machine Vision and Applications 12 (2000) 16–22, with the mean of the axes in place of
///   the left one, which is what halving the relative rotation does (J.-Y. Bouguet).
struct RectifyingRotation {
  var rectifiedFromLeft: Rotation
  var rectifiedFromRight: Rotation
  /// How rectified images are turned to stand as the left one does.
  var turn: ImageOrientation

  init(_ calibration: StereoCalibration) throws(StereoError) {
    try calibration.requireBaseline()
    let baseline = calibration.rightCenterInLeft / calibration.baselineMeters
    try Self.refuseForwardMotion(calibration, baseline)
    let leftFromRight = calibration.rightFromLeft.rotation.inverse
    let axes = SIMD3(0.0, 0, 1) + leftFromRight.z
    let forward = axes - baseline * (axes * baseline).sum()
    let length = (forward * forward).sum().squareRoot()
    // Of a sum of two unit vectors; below it the cameras look away from each other.
    guard length > 0.1 else {
      throw StereoError(
        .degenerate, expected: "two cameras that look the same way",
        found: "optical axes that point away from each other or along the baseline")
    }
    let z = forward / length
    let y = SIMD3(
      z.y * baseline.z - z.z * baseline.y, z.z * baseline.x - z.x * baseline.z,
      z.x * baseline.y - z.y * baseline.x)
    let turned = Rotation(x: baseline, y: y, z: z).inverse
    rectifiedFromLeft = turned
    rectifiedFromRight = turned * leftFromRight
    let turns: [ImageOrientation] = [.up, .right, .down, .left]
    let likeness = turns.map { turn in
      let rest = Rotation(turning: turn) * turned
      return rest.x.x + rest.y.y
    }
    let best = turns.indices.max { likeness[$0] < likeness[$1] } ?? 0
    turn = turns[best]
  }

  /// Refuses a camera that sees the other one: lines of one row would run together in its image.
  private static func refuseForwardMotion(
    _ calibration: StereoCalibration, _ baselineInLeft: SIMD3<Double>
  ) throws(StereoError) {
    let cameras = [
      ("left", calibration.left, baselineInLeft),
      ("right", calibration.right, calibration.rightFromLeft.rotation * baselineInLeft),
    ]
    for (name, camera, direction) in cameras where direction.z != 0 {
      let epipole = camera.intrinsics.project(direction)
      let size = camera.intrinsics.size
      guard epipole.x > -1, epipole.y > -1, epipole.x < Double(size.width),
        epipole.y < Double(size.height)
      else { continue }
      throw StereoError(
        .degenerate, expected: "cameras side by side",
        found: "a camera moved forward: the other one stands inside the \(name) image")
    }
  }
}
