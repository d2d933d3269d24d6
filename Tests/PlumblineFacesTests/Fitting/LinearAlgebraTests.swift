import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineFaces

/// Positive definite matrices whose eigenvalues are known to lie in 0.1…: B·Bᵀ + 0.1.
enum DrawnMatrix {
  static func positive(_ side: Int, _ generator: inout SeededGenerator) -> SymmetricMatrix {
    let b = (0..<side * side).map { _ in generator.gaussian() }
    var matrix = SymmetricMatrix(count: side)
    for i in 0..<side {
      for j in 0..<side {
        matrix[i, j] = (0..<side).reduce(i == j ? 0.1 : 0) {
          $0 + b[i * side + $1] * b[j * side + $1]
        }
      }
    }
    return matrix
  }

  static func product(_ matrix: SymmetricMatrix, _ x: [Double]) -> [Double] {
    (0..<matrix.count).map { i in (0..<matrix.count).reduce(0) { $0 + matrix[i, $1] * x[$1] } }
  }
}

@Suite struct LinearAlgebraTests {
  @Test(arguments: [1, 2, 7, 20], [1, 2, 3] as [UInt64])
  func aSolutionSolves(side: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let matrix = DrawnMatrix.positive(side, &generator)
    let right = (0..<side).map { _ in generator.gaussian() }
    let factor = try #require(matrix.cholesky)
    let solution = factor.solve(right)
    // Condition numbers stay below 10⁴ and numbers below 100.
    for (a, b) in zip(DrawnMatrix.product(matrix, solution), right) { #expect(abs(a - b) < 1e-9) }
    // |L⁻¹b|² is bᵀA⁻¹b.
    let half = factor.solveLower(right).reduce(0) { $0 + $1 * $1 }
    let whole = zip(right, solution).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(half - whole) < 1e-9 * (1 + whole))
    // The same by the inverse in single precision.
    let rows = factor.inverseRows
    var row = [Float](repeating: 0, count: rows.stride)
    for (k, value) in right.enumerated() { row[k] = Float(value) }
    #expect(abs(rows.variance(of: row) - whole) < 1e-4 * (1 + whole))
  }

  @Test func onlyPositiveDefiniteMatricesHaveAFactor() {
    func factor(_ values: [Double]) -> CholeskyFactor? {
      var matrix = SymmetricMatrix(count: 2)
      matrix.values = values
      return matrix.cholesky
    }
    #expect(factor([2, 1, 1, 2]) != nil)
    for values in [
      [1, 2, 2, 1], [0, 0, 0, 1], [1, 1, 1, 1], [-1, 0, 0, 1], [.nan, 0, 0, 1],
      [.infinity, 0, 0, 1], [1, .nan, .nan, 1],
    ] as [[Double]] { #expect(factor(values) == nil, "\(values)") }
    #expect(SymmetricMatrix(count: 0).cholesky != nil)
  }

  @Test func aPartIsThatOfItsUnknowns() {
    var generator = SeededGenerator(seed: 8)
    let matrix = DrawnMatrix.positive(5, &generator)
    let part = matrix.part([4, 1])
    #expect(part.values == [matrix[4, 4], matrix[4, 1], matrix[1, 4], matrix[1, 1]])
  }
}

@Suite struct BoxedStepTests {
  @Test func withoutLimitsItIsTheSolution() throws {
    var generator = SeededGenerator(seed: 1)
    let matrix = DrawnMatrix.positive(8, &generator)
    let right = (0..<8).map { _ in generator.gaussian() }
    let step = try #require(
      BoxedStep.solved(
        matrix, right, damping: 0, limits: Array(repeating: nil, count: 8),
        fixed: Array(repeating: false, count: 8))
    ).step
    let solution = try #require(matrix.cholesky).solve(right)
    for (a, b) in zip(step, solution) { #expect(abs(a - b) < 1e-12) }
  }

  /// What is free has no gradient left; what stands at a limit is inside of it.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func limitsHoldAndWhatIsFreeIsBest(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let side = 18
    let matrix = DrawnMatrix.positive(side, &generator)
    let right = (0..<side).map { _ in 10 * generator.gaussian() }
    let limits = (0..<side).map { index -> ClosedRange<Double>? in
      let (low, high) = (-0.3 * generator.uniform(), 0.3 * generator.uniform())
      return index < 6 ? nil : low...high
    }
    var fixed = [Bool](repeating: false, count: side)
    fixed[10] = true
    let damping = 0.01
    let step = try #require(
      BoxedStep.solved(matrix, right, damping: damping, limits: limits, fixed: fixed)
    ).step
    var damped = matrix
    for i in 0..<side { damped[i, i] *= 1 + damping }
    let left = zip(right, DrawnMatrix.product(damped, step)).map { $0.0 - $0.1 }
    var bound = 0
    for i in 0..<side {
      if fixed[i] {
        #expect(step[i] == 0)
        continue
      }
      guard let limit = limits[i], step[i] == limit.lowerBound || step[i] == limit.upperBound
      else {
        #expect(limits[i]?.contains(step[i]) ?? true)
        // Rounding of a solution of numbers of order 100.
        #expect(abs(left[i]) < 1e-8, "\(i): \(left[i])")
        continue
      }
      bound += 1
    }
    #expect(bound > 0)
  }

  /// A limit that one round has met is left again where the gradient points inward, as in equations whose
  /// unknowns explain each other away.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func gradientsAtLimitsPushOutward(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let side = 30
    var matrix = DrawnMatrix.positive(side, &generator)
    for i in 0..<side { matrix[i, i] += 15 }
    let right = (0..<side).map { _ in 20 * generator.gaussian() }
    // As expressions: at 0, at 1 and between.
    let limits = (0..<side).map { i -> ClosedRange<Double>? in
      let value = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : generator.uniform()
      return i < 6 ? nil : -value...(1 - value)
    }
    let step = try #require(
      BoxedStep.solved(
        matrix, right, damping: 0, limits: limits, fixed: Array(repeating: false, count: side))
    ).step
    let left = zip(right, DrawnMatrix.product(matrix, step)).map { $0.0 - $0.1 }
    for i in 0..<side {
      // Rounding of sums of numbers of order 100.
      if let limit = limits[i], step[i] == limit.upperBound {
        #expect(left[i] > -1e-8)
      } else if let limit = limits[i], step[i] == limit.lowerBound {
        #expect(left[i] < 1e-8)
      } else {
        #expect(abs(left[i]) < 1e-8)
      }
    }
  }

  @Test func aMatrixThatIsNotPositiveHasNoStep() {
    let matrix = SymmetricMatrix(count: 2)
    #expect(
      BoxedStep.solved(matrix, [1, 1], damping: 0.1, limits: [nil, nil], fixed: [false, false])
        == nil)
  }
}
