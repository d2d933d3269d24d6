internal import CKernels

/// A small symmetric positive matrix, row after row, and its Cholesky factor.
///
/// Its entries are read and written in the innermost loops of other modules, so it is inlinable; called, its subscript
/// takes 5 % of a calibration by a board. For that the type itself must be usable from inlined code.
@usableFromInline package struct SymmetricMatrix: Hashable, Sendable {
  /// The number of rows.
  @usableFromInline package let count: Int
  /// All entries, row after row.
  @usableFromInline package var values: [Double]

  @inlinable package init(count: Int) {
    self.count = count
    values = [Double](repeating: 0, count: count * count)
  }

  @inlinable package subscript(row: Int, column: Int) -> Double {
    get { values[row * count + column] }
    set { values[row * count + column] = newValue }
  }

  /// The submatrix of the given rows and columns.
  @inlinable package func part(_ indices: [Int]) -> SymmetricMatrix {
    var part = SymmetricMatrix(count: indices.count)
    for (a, i) in indices.enumerated() {
      for (b, j) in indices.enumerated() { part[a, b] = self[i, j] }
    }
    return part
  }

  @inlinable package static func += (sum: inout SymmetricMatrix, other: SymmetricMatrix) {
    for index in sum.values.indices { sum.values[index] += other.values[index] }
  }

  @inlinable package static func -= (sum: inout SymmetricMatrix, other: SymmetricMatrix) {
    for index in sum.values.indices { sum.values[index] -= other.values[index] }
  }

  @inlinable package func scaled(by factor: Double) -> SymmetricMatrix {
    var copy = self
    for index in values.indices { copy.values[index] *= factor }
    return copy
  }

  /// The same matrix with its diagonal multiplied by `1 + share`.
  ///
  /// - Source: D. W. Marquardt, J. SIAM 11 (1963) 431–441: damping by the diagonal makes steps
  ///   independent of the parameters' units.
  @inlinable package func damped(by share: Double) -> SymmetricMatrix {
    var copy = self
    for index in 0..<count { copy[index, index] *= 1 + share }
    return copy
  }

  @inlinable package static func * (matrix: SymmetricMatrix, vector: [Double]) -> [Double] {
    (0..<matrix.count).map { row in
      (0..<matrix.count).reduce(0) { $0 + matrix[row, $1] * vector[$1] }
    }
  }

  /// The factor `L` of `L·Lᵀ`, computed from the lower triangle; `nil` if a pivot falls below 1e-12
  /// of its diagonal entry.
  package var cholesky: CholeskyFactor? {
    var lower = values
    let isPositive = lower.withUnsafeMutableBufferPointer { lower in
      // An empty matrix has an empty factor.
      lower.baseAddress.map { plb_factor_cholesky($0, count) != 0 } ?? true
    }
    return isPositive ? CholeskyFactor(count: count, lower: lower) : nil
  }
}

/// The lower triangular factor of a symmetric positive matrix.
package struct CholeskyFactor: Sendable {
  package let count: Int
  /// Its entries, row after row; those above the diagonal are undefined.
  package let lower: [Double]

  fileprivate init(count: Int, lower: [Double]) {
    self.count = count
    self.lower = lower
  }

  /// The solution `x` of `A·x = right`.
  package func solve(_ right: [Double]) -> [Double] { solveTransposed(solveLower(right)) }

  /// The solution `y` of `L·y = right`.
  package func solveLower(_ right: [Double]) -> [Double] {
    var solution = right
    for row in 0..<count {
      for index in 0..<row { solution[row] -= lower[row * count + index] * solution[index] }
      solution[row] /= lower[row * count + row]
    }
    return solution
  }

  /// Solves `L·Y = right` in place for a matrix of `width` columns, row after row.
  package func solveLower(_ right: inout [Double], width: Int) {
    right.withUnsafeMutableBufferPointer { right in
      for row in 0..<count {
        for index in 0..<row {
          let factor = lower[row * count + index]
          for column in 0..<width {
            right[row * width + column] -= factor * right[index * width + column]
          }
        }
        let pivot = lower[row * count + row]
        for column in 0..<width { right[row * width + column] /= pivot }
      }
    }
  }

  /// The solution `x` of `Lᵀ·x = right`.
  package func solveTransposed(_ right: [Double]) -> [Double] {
    var solution = right
    for row in (0..<count).reversed() {
      for index in (row + 1)..<max(count, row + 1) {
        solution[row] -= lower[index * count + row] * solution[index]
      }
      solution[row] /= lower[row * count + row]
    }
    return solution
  }

  /// The inverse of the factored matrix.
  package var inverse: SymmetricMatrix {
    var inverse = SymmetricMatrix(count: count)
    for column in 0..<count {
      var unit = [Double](repeating: 0, count: count)
      unit[column] = 1
      let solution = solve(unit)
      for row in 0..<count { inverse[row, column] = solution[row] }
    }
    return inverse
  }
}
