internal import CKernels

/// A square matrix in double precision, row after row.
struct SquareMatrix: Sendable {
  let side: Int
  var values: [Double]

  init(side: Int) {
    self.side = side
    values = [Double](repeating: 0, count: side * side)
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[row * side + column] }
    set { values[row * side + column] = newValue }
  }

  /// The part that belongs to some of the unknowns.
  func part(_ indices: [Int]) -> SquareMatrix {
    var part = SquareMatrix(side: indices.count)
    for (a, i) in indices.enumerated() {
      for (b, j) in indices.enumerated() { part[a, b] = self[i, j] }
    }
    return part
  }
}

/// The lower triangle L of a positive definite matrix L·Lᵀ.
///
/// - Source: G. Golub, C. Van Loan, *Matrix Computations*, 4th edition 2013, algorithm 4.2.1.
struct CholeskyFactor: Sendable {
  let side: Int
  private var lower: [Double]

  /// Factors a matrix, of which the lower triangle is read; `nil` unless it is positive definite.
  init?(_ matrix: SquareMatrix) {
    let n = matrix.side
    side = n
    lower = matrix.values
    var isPositive = true
    lower.withUnsafeMutableBufferPointer { l in
      for j in 0..<n {
        let row = j * n
        var sum = l[row + j]
        for k in 0..<j { sum -= l[row + k] * l[row + k] }
        guard sum > 0, sum.isFinite else {
          isPositive = false
          return
        }
        let diagonal = sum.squareRoot()
        l[row + j] = diagonal
        for i in (j + 1)..<max(j + 1, n) {
          var sum = l[i * n + j]
          for k in 0..<j { sum -= l[i * n + k] * l[row + k] }
          l[i * n + j] = sum / diagonal
        }
      }
    }
    if !isPositive { return nil }
  }

  /// The solution of L·Lᵀ·x = b.
  func solved(_ right: [Double]) -> [Double] {
    var x = halfSolved(right)
    for i in stride(from: side - 1, through: 0, by: -1) {
      for k in (i + 1)..<max(i + 1, side) { x[i] -= lower[k * side + i] * x[k] }
      x[i] /= lower[i * side + i]
    }
    return x
  }

  /// The solution of L·y = b; |y|² is the variance of bᵀx where the matrix is the inverse covariance of x.
  func halfSolved(_ right: [Double]) -> [Double] {
    var y = right
    for i in 0..<side {
      for k in 0..<i { y[i] -= lower[i * side + k] * y[k] }
      y[i] /= lower[i * side + i]
    }
    return y
  }

  /// The inverse of L in single precision, row after row, for many variances.
  var inverseRows: InverseRows {
    let stride = (side + 7) / 8 * 8
    var rows = [Float](repeating: 0, count: side * stride)
    for column in 0..<side {
      var unit = [Double](repeating: 0, count: side)
      unit[column] = 1
      for i in column..<side {
        var sum = unit[i]
        for k in column..<i { sum -= lower[i * side + k] * unit[k] }
        unit[i] = sum / lower[i * side + i]
        rows[i * stride + column] = Float(unit[i])
      }
    }
    return InverseRows(side: side, stride: stride, rows: rows)
  }
}

/// The inverse of a Cholesky factor: |L⁻¹·x|² is the variance of xᵀy where L·Lᵀ is the inverse covariance
/// of y.
struct InverseRows: Sendable {
  let side: Int
  /// The length of a row with its padding, and of what ``variance(of:)`` takes.
  let stride: Int
  fileprivate let rows: [Float]

  /// The variance of a row's product.
  ///
  /// - Precondition: The row has ``stride`` numbers, 0 beyond ``side``.
  func variance(of row: [Float]) -> Double {
    precondition(row.count == stride, "a row of \(row.count) for \(stride)")
    return plb_face_variance(rows, Int32(side), Int32(stride), row)
  }
}
