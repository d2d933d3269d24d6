import PlumblineModel

/// A pose as Record3D writes it: `qx, qy, qz, qw, tx, ty, tz`, world from an OpenGL camera.
enum Record3DPose {
  /// What the app writes where nothing was tracked, as in recordings of the FaceID camera.
  static let untracked: [Double] = [0, 0, 0, 1, 0, 0, 0]

  /// The pose in our axes; `nil` when the first four numbers are no rotation.
  static func worldFromCamera(_ numbers: [Double]) -> RigidTransform? {
    guard numbers.count == 7 else { return nil }
    let quaternion = SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
    // Printed with six digits a unit quaternion is one to 1e-6; zeros mean no pose.
    guard abs((quaternion * quaternion).sum().squareRoot() - 1) < 1e-2,
      let rotation = Rotation(quaternion: quaternion)
    else { return nil }
    return RigidTransform(
      rotation: rotation, translation: [numbers[4], numbers[5], numbers[6]]
    ).cameraAxes(.graphics, to: .computerVision)
  }

  /// The seven numbers of a pose in our axes.
  static func numbers(_ worldFromCamera: RigidTransform) -> [Double] {
    let q = worldFromCamera.cameraAxes(.computerVision, to: .graphics).rotation.quaternion
    let t = worldFromCamera.translation
    return [q.x, q.y, q.z, q.w, t.x, t.y, t.z]
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
