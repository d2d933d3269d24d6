/// A change of frame that keeps lengths; named `aFromB`, it takes `pointInB` to `pointInA`.
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
  public static func * (aFromB: RigidTransform, pointInB: SIMD3<Double>) -> SIMD3<Double> {
    aFromB.rotation * pointInB + aFromB.translation
  }

  /// `aFromC = aFromB * bFromC`.
  public static func * (aFromB: RigidTransform, bFromC: RigidTransform) -> RigidTransform {
    RigidTransform(
      rotation: aFromB.rotation * bFromC.rotation, translation: aFromB * bFromC.translation)
  }

  /// `bFromA`.
  public var inverse: RigidTransform {
    let back = rotation.inverse
    return RigidTransform(rotation: back, translation: -(back * translation))
  }
}
