import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Rigid transforms")
struct RigidTransformTests {
  /// A random rotation: a random unit quaternion as a matrix.
  static func rotation(_ random: inout SeededGenerator) -> Rotation {
    var q = SIMD4<Double>(0, 0, 0, 0)
    for index in 0..<4 { q[index] = random.gaussian() }
    q /= (q * q).sum().squareRoot()
    let (x, y, z, w) = (q.x, q.y, q.z, q.w)
    return Rotation(
      x: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      y: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      z: [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)])
  }

  static func vector(_ random: inout SeededGenerator) -> SIMD3<Double> {
    [random.uniform(in: -5..<5), random.uniform(in: -5..<5), random.uniform(in: -5..<5)]
  }

  @Test("Inverse undoes, composition associates, lengths stay", arguments: [1, 2, 3] as [UInt64])
  func laws(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let aFromB = RigidTransform(
        rotation: Self.rotation(&random), translation: Self.vector(&random))
      let bFromC = RigidTransform(
        rotation: Self.rotation(&random), translation: Self.vector(&random))
      let p = Self.vector(&random)
      let q = Self.vector(&random)
      // Coordinates reach 20 m; a dozen operations of 2⁻⁵³ relative error each stay below 1e-13 m.
      #expect(aFromB.rotation.orthogonalityError < 1e-14)
      #expect(((aFromB.inverse * (aFromB * p)) - p).magnitude < 1e-13)
      #expect((((aFromB * bFromC) * p) - (aFromB * (bFromC * p))).magnitude < 1e-13)
      #expect(abs(((aFromB * p) - (aFromB * q)).magnitude - (p - q).magnitude) < 1e-13)
      #expect(((RigidTransform.identity * p) - p).magnitude == 0)
    }
  }

  @Test("Turns of the image form the same group as turns of the camera frame")
  func turns() {
    for (first, second) in ImageOrientationTests.pairs {
      let product = Rotation(turning: second) * Rotation(turning: first)
      #expect(product == Rotation(turning: first.followed(by: second)))
      #expect(Rotation(turning: first).inverse == Rotation(turning: first.inverse))
    }
  }
}

extension SIMD3<Double> {
  /// The length of the vector.
  fileprivate var magnitude: Double { (self * self).sum().squareRoot() }
}
