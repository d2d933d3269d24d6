/// A rigid change of frame; a transform named `aFromB` converts `pointInB` to `pointInA`.
///
/// Unit: meters.
public struct RigidTransform: Hashable, Sendable {
  /// The orthogonal part.
  public var rotation: Rotation
  /// The origin of frame B in frame A, in meters.
  public var translation: SIMD3<Double>

  /// Creates `aFromB` from its parts.
  public init(rotation: Rotation, translation: SIMD3<Double>) {
    self.rotation = rotation
    self.translation = translation
  }

  /// The transform that changes nothing.
  public static let identity = RigidTransform(rotation: .identity, translation: .zero)

  /// `pointInA = aFromB * pointInB`.
  package static func * (aFromB: RigidTransform, pointInB: SIMD3<Double>) -> SIMD3<Double> {
    aFromB.rotation * pointInB + aFromB.translation
  }

  /// `aFromC = aFromB * bFromC`.
  package static func * (aFromB: RigidTransform, bFromC: RigidTransform) -> RigidTransform {
    RigidTransform(
      rotation: aFromB.rotation * bFromC.rotation, translation: aFromB * bFromC.translation)
  }

  /// `bFromA`.
  public var inverse: RigidTransform {
    let back = rotation.inverse
    return RigidTransform(rotation: back, translation: -(back * translation))
  }
}

/// The axis convention of a producer's camera.
package enum CameraAxes: Sendable, CaseIterable {
  /// x right, y down, z forward: this package, OpenCV, COLMAP, ROS optical frames, TUM, Open3D.
  case computerVision
  /// x right, y up, z backward: ARKit, OpenGL, Blender, glTF, nerfstudio.
  case graphics
}

extension RigidTransform {
  /// The same camera pose in another axis convention: `aFromCamera · diag(1, −1, −1)`.
  ///
  /// Only signs change, so converting back restores every bit.
  ///
  /// - Source: Apple, *ARCamera.transform* and ARKit's right-handed conventions; a rotation by 180°
  ///   about x converts between the two conventions.
  package func cameraAxes(_ axes: CameraAxes, to other: CameraAxes) -> RigidTransform {
    guard axes != other else { return self }
    return RigidTransform(
      rotation: Rotation(x: rotation.x, y: -rotation.y, z: -rotation.z), translation: translation)
  }

  /// Reads the first three rows of a 4×4 matrix, row after row; the fourth row may follow.
  ///
  /// It is `nil` unless there are 12 or 16 finite numbers below 1e9, the rotation is orthogonal
  /// within 1e-3 (the print precision of recording apps), and a fourth row is `0 0 0 1`.
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

/// The up axis of a recording's world; poses stay in their producer's world.
public enum WorldAxes: String, Sendable, CaseIterable {
  /// +Y is up: ARKit (gravity-aligned), glTF, USD.
  case yUp
  /// +Z is up: ROS (REP 103), nerfstudio, CAD.
  case zUp
  /// The producer does not say, for example when the first camera is the origin.
  case unknown
}
