/// Which way the axes of a producer's camera point.
public enum CameraAxes: Sendable, CaseIterable {
  /// x right, y down, z forward: this package, OpenCV, COLMAP, ROS optical frames, TUM, Open3D.
  case computerVision
  /// x right, y up, z backward: ARKit, OpenGL, Blender, glTF, nerfstudio.
  case graphics
}

extension RigidTransform {
  /// The same pose of a camera with axes of another kind: `aFromCamera · diag(1, −1, −1)`.
  ///
  /// Only signs change, so there and back gives every bit again.
  ///
  /// - Source: Apple, *ARCamera.transform* and ARKit's right-handed conventions; the half turn about
  ///   x takes one kind of axes to the other.
  public func cameraAxes(_ axes: CameraAxes, to other: CameraAxes) -> RigidTransform {
    guard axes != other else { return self }
    return RigidTransform(
      rotation: Rotation(x: rotation.x, y: -rotation.y, z: -rotation.z), translation: translation)
  }

  /// Reads the first three rows of a 4×4 matrix, row after row; the fourth row may follow.
  ///
  /// It is `nil` unless there are 12 or 16 finite numbers below 1e9, the rotation is orthogonal
  /// within 1e-3, the print precision of recording apps, and a fourth row is `0 0 0 1`.
  public init?(rowMajor m: [Double]) {
    guard m.count == 12 || m.count == 16, m.allSatisfy({ abs($0) <= 1e9 }),
      m.count == 12 || Array(m[12...]) == [0, 0, 0, 1],
      let rotation = Rotation(
        columns: [m[0], m[4], m[8]], [m[1], m[5], m[9]], [m[2], m[6], m[10]])
    else { return nil }
    self.init(rotation: rotation, translation: [m[3], m[7], m[11]])
  }

  /// The first three rows of the 4×4 matrix, row after row.
  public var rowMajor: [Double] {
    [
      rotation.x.x, rotation.y.x, rotation.z.x, translation.x,
      rotation.x.y, rotation.y.y, rotation.z.y, translation.y,
      rotation.x.z, rotation.y.z, rotation.z.z, translation.z,
    ]
  }

  /// All four rows of the 4×4 matrix, row after row.
  public var homogeneousRowMajor: [Double] { rowMajor + [0, 0, 0, 1] }
}
