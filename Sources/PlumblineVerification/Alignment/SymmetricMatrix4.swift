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

  /// The inverse by Cholesky's decomposition; `nil` unless positive definite, far from singular.
  var inverse: SymmetricMatrix4? {
    var lower = [[Double]](repeating: [0, 0, 0, 0], count: 4)
    for i in 0..<4 {
      for j in 0...i {
        var sum = self[i, j]
        for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
        if i == j {
          guard sum > 1e-12 * self[i, i], sum > 0 else { return nil }
          lower[i][i] = sum.squareRoot()
        } else {
          lower[i][j] = sum / lower[j][j]
        }
      }
    }
    var result = SymmetricMatrix4()
    for column in 0..<4 {
      var x = [0.0, 0, 0, 0]
      for i in 0..<4 {
        var sum = i == column ? 1.0 : 0
        for k in 0..<i { sum -= lower[i][k] * x[k] }
        x[i] = sum / lower[i][i]
      }
      for i in (0..<4).reversed() {
        var sum = x[i]
        for k in stride(from: i + 1, to: 4, by: 1) { sum -= lower[k][i] * x[k] }
        x[i] = sum / lower[i][i]
      }
      for i in 0..<4 { result[i, column] = x[i] }
    }
    return result
  }
}
