import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Quaternions, axis angles and written matrices")
struct QuaternionTests {
  @Test("Quaternions turn vectors as the product q·v·q* does", arguments: [1, 2] as [UInt64])
  func product(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var q = SIMD4<Double>(0, 0, 0, 0)
      for index in 0..<4 { q[index] = random.gaussian() }
      let unit = q / (q * q).sum().squareRoot()
      let v = RigidTransformTests.vector(&random)
      let turned = multiply(multiply(unit, SIMD4(v, 0)), SIMD4(-unit.x, -unit.y, -unit.z, unit.w))
      let rotation = try #require(Rotation(quaternion: q))
      // Coordinates reach 5; two dozen operations of 2⁻⁵³ relative error each.
      #expect(largest(rotation * v - SIMD3(turned.x, turned.y, turned.z)) < 1e-14)
      #expect(abs(rotation.determinant - 1) < 1e-14)
      let back = rotation.quaternion
      #expect(back.w >= 0)
      #expect(min(largest(back - unit), largest(back + unit)) < 1e-15)
    }
  }

  @Test("Each of the four branches gives the quaternion of a half turn and of near half turns")
  func branches() throws {
    for axis in 0..<3 {
      for sign in [1.0, -1] {
        var q = SIMD4<Double>(0.01, -0.02, 0.03, 0.001 * sign)
        q[axis] = sign
        q /= (q * q).sum().squareRoot()
        let back = try #require(Rotation(quaternion: q)).quaternion
        #expect(min(largest(back - q), largest(back + q)) < 1e-15)
      }
    }
    #expect(Rotation.identity.quaternion == [0, 0, 0, 1])
  }

  @Test(
    "Axis angles add about one axis, come back up to π, and are quaternions", arguments: [3, 4])
  func axisAngles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var axis = RigidTransformTests.vector(&random)
      axis /= (axis * axis).sum().squareRoot()
      let a = random.uniform(in: 0..<3.1)
      let b = random.uniform(in: -3..<3)
      let first = try #require(Rotation(axisAngle: axis * a))
      let second = try #require(Rotation(axisAngle: axis * b))
      let both = try #require(Rotation(axisAngle: axis * (a + b)))
      #expect(largest(first * axis - axis) < 1e-14)
      #expect(distance(first * second, both) < 1e-14)
      #expect(largest(first.axisAngle - axis * a) < 1e-13)
    }
    // The right hand: a quarter turn about z takes x to y.
    let quarter = try #require(Rotation(axisAngle: [0, 0, Double.pi / 2]))
    #expect(largest(quarter * [1, 0, 0] - [0, 1, 0]) < 1e-15)
    for tiny in [0, 1e-12, 1e-5, 9.9e-5, 1.1e-4] {
      let turn = try #require(Rotation(axisAngle: [0, tiny, 0]))
      #expect(largest(turn.axisAngle - [0, tiny, 0]) < 1e-18)
    }
  }

  @Test("A change of camera axes is a half turn about x, and its own inverse, bit by bit")
  func cameraAxes() {
    var random = SeededGenerator(seed: 5)
    let worldFromCamera = RigidTransform(
      rotation: RigidTransformTests.rotation(&random),
      translation: RigidTransformTests.vector(&random))
    let graphics = worldFromCamera.cameraAxes(.computerVision, to: .graphics)
    // One point of the world: 2 right, 3 down, 4 ahead, or 2 right, −3 up, −4 behind.
    #expect(graphics * [2, -3, -4] == worldFromCamera * [2, 3, 4])
    #expect(graphics.cameraAxes(.graphics, to: .computerVision) == worldFromCamera)
    #expect(RigidTransform(rowMajor: worldFromCamera.rowMajor) != nil)
  }

  @Test("Written matrices: rounding is removed, everything else is refused")
  func matrices() throws {
    var random = SeededGenerator(seed: 6)
    let truth = RigidTransform(
      rotation: RigidTransformTests.rotation(&random), translation: [1, 2, 3])
    let rounded = truth.rowMajor.map { ($0 * 1e5).rounded() / 1e5 }
    let read = try #require(RigidTransform(rowMajor: rounded + [0, 0, 0, 1]))
    #expect(read.rotation.orthogonalityError < 1e-14)
    // Five decimals were written.
    #expect(distance(read.rotation, truth.rotation) < 3e-5)
    #expect(read.translation == truth.translation)
    for (index, value) in [(0, Double.nan), (3, .infinity), (5, 7), (11, 1e300)] {
      var damaged = rounded
      damaged[index] = value
      #expect(RigidTransform(rowMajor: damaged) == nil)
    }
    #expect(RigidTransform(rowMajor: rounded + [0, 0, 1, 1]) == nil)
    #expect(RigidTransform(rowMajor: []) == nil)
    // A mirror is orthogonal, too.
    #expect(Rotation(columns: [1, 0, 0], [0, 1, 0], [0, 0, -1]) == nil)
    #expect(Rotation(quaternion: [0, 0, 0, 0]) == nil)
    #expect(Rotation(quaternion: [0, 0, .nan, 1]) == nil)
    #expect(Rotation(axisAngle: [0, .infinity, 0]) == nil)
    #expect(Rotation(axisAngle: [.nan, 0, 0]) == nil)
  }

  private func multiply(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    [
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    ]
  }

  private func largest(_ v: SIMD3<Double>) -> Double { max(abs(v.x), abs(v.y), abs(v.z)) }

  private func largest(_ v: SIMD4<Double>) -> Double {
    max(abs(v.x), abs(v.y), abs(v.z), abs(v.w))
  }

  private func distance(_ a: Rotation, _ b: Rotation) -> Double {
    max(largest(a.x - b.x), largest(a.y - b.y), largest(a.z - b.z))
  }
}
