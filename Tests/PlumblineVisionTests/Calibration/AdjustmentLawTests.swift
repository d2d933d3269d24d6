import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineVision

/// Laws of what the adjustment is made of.
@Suite struct AdjustmentLawTests {
  /// Printed tables: t at 97.5 % for 4 and 10 degrees of freedom is 2.776 and 2.228.
  @Test(arguments: [(4.0, 2.776), (10.0, 2.228), (30.0, 2.042)])
  func quantiles(freedom: Double, expected: Double) {
    // 1.959964 standard deviations hold 95 % of a normal distribution.
    let width = StudentQuantile.width(normal: 1.959964, freedom: freedom)
    #expect(abs(width - expected) < 0.001)
  }

  @Test("With infinite freedom the width is the normal one, with less it is larger")
  func limits() {
    #expect(StudentQuantile.width(normal: 2, freedom: .infinity) == 2)
    var last = 2.0
    for freedom in [1000.0, 100, 30, 10, 4, 2, 1] {
      let width = StudentQuantile.width(normal: 2, freedom: freedom)
      #expect(width > last)
      last = width
    }
  }

  /// The slow twin of the kernel, sum by sum in its order.
  @Test func productsAreThoseOfTheTwin() {
    var generator = SeededGenerator(seed: 4)
    let (count, columns) = (9, [0, 1, 3, 4, 8])
    let rows = (0..<6 * columns.count).map { _ in generator.gaussian() }
    let start = (0..<count * count).map { _ in generator.gaussian() }
    var expected = start
    for i in columns.indices {
      for j in 0...i {
        var sum = 0.0
        for row in 0..<6 { sum += rows[row * columns.count + i] * rows[row * columns.count + j] }
        expected[columns[i] * count + columns[j]] -= sum
      }
    }
    var found = ReducedSystem(count: count)
    found.matrix.values = start
    found.subtract(rows, [Double](repeating: 0, count: 6), columns)
    #expect(found.matrix.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("Cholesky's factor solves, and refuses a matrix that is not positive")
  func cholesky() throws {
    var generator = SeededGenerator(seed: 5)
    let count = 12
    let factor = (0..<count * count).map { _ in generator.gaussian() }
    var matrix = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0..<count {
        matrix[row, column] = (0..<count).reduce(row == column ? 1 : 0) {
          $0 + factor[row * count + $1] * factor[column * count + $1]
        }
      }
    }
    let truth = (0..<count).map { _ in generator.gaussian() }
    let solution = try #require(matrix.cholesky).solve(matrix * truth)
    for (found, expected) in zip(solution, truth) { #expect(abs(found - expected) < 1e-9) }
    matrix[3, 3] = -1
    #expect(matrix.cholesky == nil)
    matrix[3, 3] = .nan
    #expect(matrix.cholesky == nil)
  }

  /// A spline adds nothing in the middle of the image, and follows its tangent beyond its end.
  @Test func splinesAreZeroInTheMiddleAndSmooth() {
    let basis = RadialBasis.spline(intervals: 4, end: 0.6)
    func values(_ s: Double) -> (values: [Double], slopes: [Double]) {
      var values = [Double](repeating: 0, count: basis.count)
      var slopes = values
      values.withUnsafeMutableBufferPointer { values in
        slopes.withUnsafeMutableBufferPointer {
          basis.evaluate(at: s, values: values, slopes: $0)
        }
      }
      return (values, slopes)
    }
    #expect(values(0).values.allSatisfy { abs($0) < 1e-15 })
    for s in [0.1, 0.15, 0.3, 0.45, 0.599, 0.65] {
      let (here, there) = (values(s), values(s + 1e-6))
      for index in 0..<basis.count {
        let slope = (there.values[index] - here.values[index]) / 1e-6
        #expect(abs(slope - here.slopes[index]) < 1e-3)
      }
    }
  }
}
