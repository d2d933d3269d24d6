import PlumblineNumerics

/// The Cholesky factor of a sparse matrix of 6 × 6 blocks.
struct SparseBlockFactor: Sendable {
  private let pattern: SparseBlockPattern
  private let diagonal: [Double]
  private let lower: [Double]

  init(pattern: SparseBlockPattern, diagonal: [Double], lower: [Double]) {
    self.pattern = pattern
    self.diagonal = diagonal
    self.lower = lower
  }

  /// The solution of `A·x = right`, both in the caller's order of rows.
  ///
  /// Linear in the factor's entries.
  func solve(_ right: [Double]) -> [Double] {
    let side = SparseBlockMatrix.side
    let area = SparseBlockMatrix.area
    var x = [Double](repeating: 0, count: right.count)
    for (row, position) in pattern.positions.enumerated() {
      for k in 0..<side { x[position * side + k] = right[row * side + k] }
    }
    for column in 0..<pattern.count {
      for r in 0..<side {
        for k in 0..<r {
          x[column * side + r] -=
            diagonal[column * area + r * side + k] * x[column * side + k]
        }
        x[column * side + r] /= diagonal[column * area + r * (side + 1)]
      }
      for entry in pattern.columnStarts[column]..<pattern.columnStarts[column + 1] {
        for r in 0..<side {
          for k in 0..<side {
            x[pattern.rows[entry] * side + r] -=
              lower[entry * area + r * side + k] * x[column * side + k]
          }
        }
      }
    }
    for column in (0..<pattern.count).reversed() {
      for entry in pattern.columnStarts[column]..<pattern.columnStarts[column + 1] {
        for r in 0..<side {
          for k in 0..<side {
            x[column * side + k] -=
              lower[entry * area + r * side + k] * x[pattern.rows[entry] * side + r]
          }
        }
      }
      for r in (0..<side).reversed() {
        for k in (r + 1)..<max(side, r + 1) {
          x[column * side + r] -= diagonal[column * area + k * side + r] * x[column * side + k]
        }
        x[column * side + r] /= diagonal[column * area + r * (side + 1)]
      }
    }
    return pattern.positions.flatMap { x[($0 * side)..<($0 * side + side)] }
  }

  /// The blocks of the diagonal of the inverse, in the caller's order of rows.
  ///
  /// Only entries of the inverse where the factor has some are computed, from the last column to the first.
  /// - Source: K. Takahashi, J. Fagan, M.-S. Chin, *Formation of a Sparse Bus Impedance Matrix*, PICA 1973.
  func inverseDiagonal() -> [SymmetricMatrix] {
    let side = SparseBlockMatrix.side
    var inverse = BlockInverse(count: pattern.count, entries: pattern.rows.count)
    for column in (0..<pattern.count).reversed() {
      let entries = Array(pattern.columnStarts[column]..<pattern.columnStarts[column + 1])
      let pivotInverse = invertedPivot(column)
      // U = L · L_jj⁻¹ of the entries below the diagonal.
      let units = entries.map { multiplied(lower, $0, pivotInverse) }
      for a in entries {
        var sum = [Double](repeating: 0, count: SparseBlockMatrix.area)
        for (index, b) in entries.enumerated() {
          addProduct(block(inverse, pattern.rows[a], pattern.rows[b]), units[index], -1, to: &sum)
        }
        inverse.set(entry: a, sum)
      }
      var own = [Double](repeating: 0, count: SparseBlockMatrix.area)
      addProduct(transposed(pivotInverse), pivotInverse, 1, to: &own)
      for (index, entry) in entries.enumerated() {
        addProduct(transposed(units[index]), inverse.entry(entry), -1, to: &own)
      }
      inverse.set(diagonal: column, own)
    }
    return pattern.positions.map { position in
      var matrix = SymmetricMatrix(count: side)
      let values = inverse.diagonal(position)
      for r in 0..<side {
        for c in 0..<side { matrix[r, c] = (values[r * side + c] + values[c * side + r]) / 2 }
      }
      return matrix
    }
  }

  private func block(_ inverse: BlockInverse, _ row: Int, _ column: Int) -> [Double] {
    if row == column { return inverse.diagonal(row) }
    guard let entry = pattern.entry(row: max(row, column), column: min(row, column)) else {
      preconditionFailure("rows of one column are neighbors in the factor")
    }
    return row > column ? inverse.entry(entry) : transposed(inverse.entry(entry))
  }

  /// The inverse of a lower triangle of the diagonal.
  private func invertedPivot(_ column: Int) -> [Double] {
    let side = SparseBlockMatrix.side
    let base = column * SparseBlockMatrix.area
    var inverse = [Double](repeating: 0, count: SparseBlockMatrix.area)
    for c in 0..<side {
      for r in c..<side {
        var sum = r == c ? 1.0 : 0
        for k in c..<r { sum -= diagonal[base + r * side + k] * inverse[k * side + c] }
        inverse[r * side + c] = sum / diagonal[base + r * (side + 1)]
      }
    }
    return inverse
  }

  private func multiplied(_ blocks: [Double], _ entry: Int, _ right: [Double]) -> [Double] {
    let base = entry * SparseBlockMatrix.area
    var product = [Double](repeating: 0, count: SparseBlockMatrix.area)
    addProduct(Array(blocks[base..<(base + SparseBlockMatrix.area)]), right, 1, to: &product)
    return product
  }

  private func transposed(_ block: [Double]) -> [Double] {
    let side = SparseBlockMatrix.side
    return (0..<SparseBlockMatrix.area).map { block[$0 % side * side + $0 / side] }
  }

  private func addProduct(_ a: [Double], _ b: [Double], _ sign: Double, to sum: inout [Double]) {
    let side = SparseBlockMatrix.side
    for r in 0..<side {
      for k in 0..<side {
        let factor = sign * a[r * side + k]
        for c in 0..<side { sum[r * side + c] += factor * b[k * side + c] }
      }
    }
  }
}

/// The blocks of an inverse where its factor has entries.
private struct BlockInverse {
  private var onDiagonal: [[Double]]
  private var below: [[Double]]

  init(count: Int, entries: Int) {
    onDiagonal = [[Double]](repeating: [], count: count)
    below = [[Double]](repeating: [], count: entries)
  }

  func diagonal(_ position: Int) -> [Double] { onDiagonal[position] }
  func entry(_ entry: Int) -> [Double] { below[entry] }
  mutating func set(diagonal position: Int, _ block: [Double]) { onDiagonal[position] = block }
  mutating func set(entry: Int, _ block: [Double]) { below[entry] = block }
}
