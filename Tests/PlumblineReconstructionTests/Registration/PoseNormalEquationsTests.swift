import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineTestSupport
import Testing

/// Sums, derivatives and directions, against differences and closed forms.
@Suite struct PoseNormalEquationsTests {
  private func vector(_ random: inout SeededGenerator) -> SIMD3<Double> {
    SIMD3(random.gaussian(), random.gaussian(), random.gaussian())
  }

  @Test(arguments: 0..<10)
  func theGradientIsThatOfDifferences(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pose = RegistrationScene.pose(vector(&random), vector(&random))
    let (point, other, normal) = (vector(&random), vector(&random), vector(&random))
    func residual(_ pose: RigidTransform) -> Double { (normal * (pose * point - other)).sum() }
    var equations = PoseNormalEquations()
    equations.add(
      point: point, directionInB: pose.rotation.inverse * normal, residual: 1, weight: 1)
    for index in 0..<6 {
      var step = [Double](repeating: 0, count: 6)
      step[index] = 1e-6
      let turn = SIMD3(step[0], step[1], step[2])
      let shift = SIMD3(step[3], step[4], step[5])
      let ahead = residual(pose.moved(rotation: turn, translation: shift))
      let behind = residual(pose.moved(rotation: -turn, translation: -shift))
      // Central differences of 1e-6: rounding of 1e-15 over 2e-6.
      #expect(abs((ahead - behind) / 2e-6 - equations.gradient[index]) < 1e-8)
    }
  }

  @Test(arguments: 0..<10)
  func thePriorsGradientIsThatOfDifferences(seed: Int) throws {
    var random = SeededGenerator(seed: 40 + UInt64(seed))
    var covariance = SymmetricMatrix(count: 6)
    for index in 0..<6 { covariance[index, index] = 0.5 + random.uniform() }
    covariance[0, 4] = 0.2
    covariance[4, 0] = 0.2
    let scale = seed < 3 ? 1e-4 : 0.5
    let prior = PoseEstimate(
      aFromB: RegistrationScene.pose(vector(&random), vector(&random)), covariance: covariance)
    let pose = prior.aFromB.moved(
      rotation: vector(&random) * scale, translation: vector(&random))
    let cost = try #require(PriorEquations.cost(of: prior, at: pose))
    for index in 0..<6 {
      var step = [Double](repeating: 0, count: 6)
      step[index] = 1e-5
      let turn = SIMD3(step[0], step[1], step[2])
      let shift = SIMD3(step[3], step[4], step[5])
      let ahead = PriorEquations.cost(
        of: prior, at: pose.moved(rotation: turn, translation: shift))
      let behind = PriorEquations.cost(
        of: prior, at: pose.moved(rotation: -turn, translation: -shift))
      let slope = ((ahead?.cost ?? 0) - (behind?.cost ?? 0)) / 2e-5 / 2
      // Central differences of 1e-5: third derivatives of some units times 1e-10, rounding 1e-10.
      #expect(abs(slope - cost.gradient[index]) < 1e-8)
    }
  }

  @Test func directionsDoNotDependOnTheOrigin() throws {
    var random = SeededGenerator(seed: 77)
    let rows = (0..<60).map { _ in (vector(&random), vector(&random)) }
    func values(_ offset: SIMD3<Double>) throws -> [Double] {
      var equations = PoseNormalEquations()
      for (point, direction) in rows {
        equations.add(
          point: point + offset, directionInB: direction, residual: 0.1, weight: 2)
      }
      #expect(equations.count == 60)
      return try #require(equations.directions(weakShare: 0.001)).information
    }
    let (near, far) = (try values(.zero), try values([10, -20, 30]))
    // 30² of cancellation in double precision.
    for (a, b) in zip(near, far) { #expect(abs(a - b) < 1e-10 * abs(near[5])) }
  }

  @Test func aStepSolvesTheEquations() throws {
    var random = SeededGenerator(seed: 78)
    var equations = PoseNormalEquations()
    for _ in 0..<50 {
      equations.add(
        point: vector(&random), directionInB: vector(&random), residual: random.gaussian(),
        weight: random.uniform())
    }
    let solution = try #require(equations.solve())
    let (r, t) = (solution.rotation, solution.translation)
    let product = equations.information * [r.x, r.y, r.z, t.x, t.y, t.z]
    for (a, b) in zip(product, equations.gradient) { #expect(abs(a + b) < 1e-11) }
    let inverse = try #require(equations.information.cholesky?.inverse)
    for (a, b) in zip(inverse.values, solution.covariance.values) { #expect(abs(a - b) < 1e-12) }
    #expect(PoseNormalEquations().solve() == nil)
  }

  @Test(arguments: 1..<8)
  func eigenvectorsRestoreTheMatrix(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var matrix = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0...row {
        matrix[row, column] = random.gaussian()
        matrix[column, row] = matrix[row, column]
      }
    }
    let eigen = matrix.eigen
    #expect(eigen.values == eigen.values.sorted())
    for row in 0..<count {
      for column in 0..<count {
        let sum = (0..<count).reduce(0.0) {
          $0 + eigen.values[$1] * eigen.vectors[$1][row] * eigen.vectors[$1][column]
        }
        // Some 40 units in the last place of entries up to 3.
        #expect(abs(sum - matrix[row, column]) < 3e-14)
      }
    }
  }
}
