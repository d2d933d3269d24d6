import PlumblineModel

/// A pose as Record3D writes it: `qx, qy, qz, qw, tx, ty, tz`, world from an OpenGL camera.
enum Record3DPose {
  /// What the app writes where nothing was tracked, as in recordings of the FaceID camera.
  static let untracked: [Double] = [0, 0, 0, 1, 0, 0, 0]

  /// Our camera's axes in the one of OpenGL: y and z point the other way.
  private static let flip = Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1])

  /// The pose in our axes; `nil` when the first four numbers are no rotation.
  static func worldFromCamera(_ numbers: [Double]) -> RigidTransform? {
    guard numbers.count == 7 else { return nil }
    let norm = numbers[0..<4].reduce(0) { $0 + $1 * $1 }.squareRoot()
    // Printed with six digits a unit quaternion is one to 1e-6; zeros mean no pose.
    guard abs(norm - 1) < 1e-2 else { return nil }
    let q = numbers[0..<4].map { $0 / norm }
    let (x, y, z, w) = (q[0], q[1], q[2], q[3])
    let rotation = Rotation(
      x: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      y: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      z: [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)])
    return RigidTransform(
      rotation: rotation * flip, translation: [numbers[4], numbers[5], numbers[6]])
  }

  /// The seven numbers of a pose in our axes.
  ///
  /// - Source: S. W. Shepperd, “Quaternion from rotation matrix”, J. Guidance and Control 1 (1978):
  ///   the largest of the four is taken first, so that no small number is divided by.
  static func numbers(_ worldFromCamera: RigidTransform) -> [Double] {
    let r = worldFromCamera.rotation * flip
    let trace = r.x.x + r.y.y + r.z.z
    let squares = [r.x.x, r.y.y, r.z.z, trace]
    let largest = squares.indices.reduce(0) { squares[$1] > squares[$0] ? $1 : $0 }
    var q: [Double]
    switch largest {
    case 0: q = [1 + 2 * r.x.x - trace, r.x.y + r.y.x, r.x.z + r.z.x, r.y.z - r.z.y]
    case 1: q = [r.x.y + r.y.x, 1 + 2 * r.y.y - trace, r.y.z + r.z.y, r.z.x - r.x.z]
    case 2: q = [r.x.z + r.z.x, r.y.z + r.z.y, 1 + 2 * r.z.z - trace, r.x.y - r.y.x]
    default: q = [r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x, 1 + trace]
    }
    let norm = q.reduce(0) { $0 + $1 * $1 }.squareRoot()
    q = q.map { $0 / norm }
    let t = worldFromCamera.translation
    return q + [t.x, t.y, t.z]
  }
}

extension Record3DMetadata {
  /// Where the camera stood at each frame.
  func poses(of numbers: [Int]) -> (worldFromCamera: [RigidTransform?], findings: [Finding]) {
    let none = numbers.map { _ in nil as RigidTransform? }
    func finding(_ message: String) -> Finding {
      Finding(.sequencePosesMissing, .note, message, evidence: "metadata, poses")
    }
    if rawPoses.isEmpty { return (none, [finding("the recording has no poses")]) }
    if rawPoses.allSatisfy({ $0 == Record3DPose.untracked }) {
      return (
        none,
        [finding("every pose is the identity, as the app writes them for its FaceID camera")]
      )
    }
    let poses = Self.places(of: numbers, count: rawPoses.count).map { place in
      place.flatMap { rawPoses[$0] }.flatMap(Record3DPose.worldFromCamera)
    }
    let missing = poses.count { $0 == nil }
    if missing == 0 { return (poses, []) }
    return (poses, [finding("\(missing) of \(numbers.count) frames have no pose")])
  }
}
