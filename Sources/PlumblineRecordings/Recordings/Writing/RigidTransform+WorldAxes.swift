import PlumblineModel

extension RigidTransform {
  /// A quarter turn about x: (x, y, z) of a world with +Y up is (x, −z, y) with +Z up.
  static let zUpFromYUp = RigidTransform(
    rotation: Rotation(x: [1, 0, 0], y: [0, 0, 1], z: [0, -1, 0]), translation: .zero)

  /// The way back: (x, y, z) of a world with +Z up is (x, z, −y) with +Y up.
  static let yUpFromZUp = RigidTransform(
    rotation: Rotation(x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0]), translation: .zero)
}
