import PlumblineNumerics

/// One contour point and the edge of the image that it belongs to.
struct EdgeObservation {
  /// What zoom, shift and bias do to the offset: its derivatives.
  var row: SIMD4<Double>
  /// How far the edge lies beside the point along its normal, in pixels.
  var offset: Double
  /// The number of its neighborhood, whose points err together.
  var block: Int
  /// The side of things it lies on, 0 to 3, whose points may err together too.
  var side: Int
  /// 1 for a point that fits, less for one that does not.
  var weight = 1.0
}

/// The normal equations of four parameters when the observations of a block err together.
///
/// The covariance of a block is `scatter²/weight` on the diagonal plus `blockSigma²` everywhere;
/// its inverse follows from Woodbury's identity, so that a block costs one outer product.
struct NormalSystem {
  var matrix = SymmetricMatrix4()
  var right = SIMD4<Double>.zero
  /// The right sides that an error of 1 px of each of the four sides would give.
  var sides = [SIMD4<Double>](repeating: .zero, count: 4)

  /// How far points are from the middle along their normals, root mean square, in pixels.
  var lever = 1.0

  private struct Block {
    var row = SIMD4<Double>.zero
    var offset = 0.0
    var weight = 0.0
    var sides = SIMD4<Double>.zero
  }

  init(_ observations: [EdgeObservation], blocks: Int, scatter: Double, blockSigma: Double) {
    var sums = Array(repeating: Block(), count: blocks)
    var weights = 0.0
    var squares = 0.0
    for observation in observations {
      weights += observation.weight
      squares += observation.weight * observation.row.x * observation.row.x
      let share = observation.weight / (scatter * scatter)
      let row = observation.row * share
      matrix.add(observation.row, times: share)
      right += row * observation.offset
      sides[observation.side] += row
      sums[observation.block].row += row
      sums[observation.block].offset += share * observation.offset
      sums[observation.block].weight += share
      sums[observation.block].sides[observation.side] += share
    }
    if squares > 0 { lever = (squares / weights).squareRoot() }
    let variance = blockSigma * blockSigma
    for sum in sums {
      let factor = variance / (1 + variance * sum.weight)
      matrix.add(sum.row, times: -factor)
      right -= sum.row * (factor * sum.offset)
      for side in 0..<4 { sides[side] -= sum.row * (factor * sum.sides[side]) }
    }
  }
}

/// A symmetric matrix of four rows.
struct SymmetricMatrix4 {
  var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>) = (
    .zero, .zero, .zero, .zero
  )

  subscript(row: Int, column: Int) -> Double {
    get { self[column][row] }
    set {
      switch column {
      case 0: columns.0[row] = newValue
      case 1: columns.1[row] = newValue
      case 2: columns.2[row] = newValue
      default: columns.3[row] = newValue
      }
    }
  }

  private subscript(column: Int) -> SIMD4<Double> {
    switch column {
    case 0: columns.0
    case 1: columns.1
    case 2: columns.2
    default: columns.3
    }
  }

  /// Adds `factor·v·vᵀ`.
  mutating func add(_ v: SIMD4<Double>, times factor: Double) {
    let scaled = v * factor
    columns.0 += scaled * v.x
    columns.1 += scaled * v.y
    columns.2 += scaled * v.z
    columns.3 += scaled * v.w
  }

  static func * (matrix: SymmetricMatrix4, v: SIMD4<Double>) -> SIMD4<Double> {
    matrix.columns.0 * v.x + matrix.columns.1 * v.y + matrix.columns.2 * v.z
      + matrix.columns.3 * v.w
  }

  /// The inverse; `nil` unless positive definite, far from singular.
  var inverse: SymmetricMatrix4? {
    var matrix = SymmetricMatrix(count: 4)
    for row in 0..<4 {
      for column in 0...row { matrix[row, column] = self[row, column] }
    }
    guard let inverse = matrix.cholesky?.inverse else { return nil }
    var result = SymmetricMatrix4()
    for row in 0..<4 {
      for column in 0..<4 { result[row, column] = inverse[row, column] }
    }
    return result
  }
}
