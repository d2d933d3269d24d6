import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineSimulation

/// Clouds of known surfaces.
enum RegistrationScene {
  /// A curved surface with a brightness that depends on the place.
  static func bowl(_ count: Int, seed: UInt64) -> RegistrationCloud {
    var random = SeededGenerator(seed: seed)
    var positions: [PackedPoint] = []
    var normals: [PackedPoint] = []
    var intensities: [Float] = []
    for _ in 0..<count {
      let (x, y) = (random.uniform(in: -1..<1), random.uniform(in: -1..<1))
      let z = 2 + 0.5 * x * x - 0.3 * x * y + 0.2 * y + 0.4 * y * y
      let slope = SIMD3(x - 0.3 * y, -0.3 * x + 0.2 + 0.8 * y, -1)
      positions.append(packed([x, y, z]))
      normals.append(packed(slope / (slope * slope).sum().squareRoot()))
      intensities.append(Float(x + 2 * y + x * y))
    }
    return RegistrationCloud(positions: positions, normals: normals, intensities: intensities)
  }

  /// Points of the faces x = ±1 and y = ±1 of a tunnel along z, with the normals of the faces; its edges
  /// are left out, so that no point lies nearer to another face than to its own.
  static func tunnel(_ count: Int, seed: UInt64, faces: Int = 4) -> RegistrationCloud {
    var random = SeededGenerator(seed: seed)
    var positions: [PackedPoint] = []
    var normals: [PackedPoint] = []
    for index in 0..<count {
      let (a, z) = (random.uniform(in: -0.7..<0.7), random.uniform(in: 0..<4))
      let side = index % faces
      let sign = side % 2 == 0 ? 1.0 : -1
      positions.append(packed(side < 2 ? [sign, a, z] : [a, sign, z]))
      normals.append(packed(side < 2 ? [-sign, 0, 0] : [0, -sign, 0]))
    }
    return RegistrationCloud(positions: positions, normals: normals)
  }

  /// The same points as another frame sees them, with normal noise along their normals.
  static func seen(
    _ cloud: RegistrationCloud, by bFromA: RigidTransform, sigma: Double = 0, seed: UInt64 = 1
  ) -> RegistrationCloud {
    var random = SeededGenerator(seed: seed)
    var moved = cloud
    for index in cloud.positions.indices {
      let normal = cloud.normals.map { wide($0[index]) } ?? .zero
      let point = wide(cloud.positions[index]) + normal * (sigma * random.gaussian())
      moved.positions[index] = packed(bFromA * point)
      moved.normals?[index] = packed(bFromA.rotation * normal)
    }
    return moved
  }

  static func packed(_ p: SIMD3<Double>) -> PackedPoint {
    PackedPoint(x: Float(p.x), y: Float(p.y), z: Float(p.z))
  }

  static func wide(_ p: PackedPoint) -> SIMD3<Double> {
    SIMD3(Double(p.x), Double(p.y), Double(p.z))
  }

  static func pose(_ turn: SIMD3<Double>, _ translation: SIMD3<Double>) -> RigidTransform {
    RigidTransform(rotation: Rotation(axisAngle: turn) ?? .identity, translation: translation)
  }

  /// The error of an estimate in the axes of its second frame: rotation, then translation.
  static func error(of estimate: RigidTransform, truth: RigidTransform) -> [Double] {
    let difference = estimate.inverse * truth
    let turn = difference.rotation.axisAngle
    let shift = difference.translation
    return [turn.x, turn.y, turn.z, shift.x, shift.y, shift.z]
  }
}
