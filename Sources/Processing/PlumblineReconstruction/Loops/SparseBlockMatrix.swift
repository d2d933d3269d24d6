/// A sparse symmetric matrix of 6 × 6 blocks, in the order and with the entries of its factor.
struct SparseBlockMatrix: Sendable {
  /// The rows and columns of a block.
  static let side = 6
  /// The values of a block.
  static let area = side * side

  let pattern: SparseBlockPattern
  /// The blocks of the diagonal by position, row after row.
  private(set) var diagonal: [Double]
  /// The blocks below the diagonal, in the order of the pattern's rows.
  private(set) var lower: [Double]

  /// A matrix of zeros.
  init(pattern: SparseBlockPattern) {
    self.pattern = pattern
    diagonal = [Double](repeating: 0, count: pattern.count * Self.area)
    lower = [Double](repeating: 0, count: pattern.rows.count * Self.area)
  }

  /// Adds a block at a row and a column in the caller's numbers; its mirror is understood.
  ///
  /// - Precondition: The pair was given to the pattern; a block of the diagonal is symmetric.
  mutating func add(_ block: [Double], row: Int, column: Int) {
    let (i, j) = (pattern.positions[row], pattern.positions[column])
    if i == j {
      for index in 0..<Self.area { diagonal[i * Self.area + index] += block[index] }
      return
    }
    guard let entry = pattern.entry(row: max(i, j), column: min(i, j)) else {
      preconditionFailure("no entry for the pair \(row), \(column)")
    }
    for r in 0..<Self.side {
      for c in 0..<Self.side {
        let target = i > j ? r * Self.side + c : c * Self.side + r
        lower[entry * Self.area + target] += block[r * Self.side + c]
      }
    }
  }

  /// The values of the diagonal in the caller's order of rows.
  var diagonalValues: [Double] {
    pattern.positions.flatMap { position in
      (0..<Self.side).map { diagonal[position * Self.area + $0 * (Self.side + 1)] }
    }
  }

  /// The factor of the matrix with its diagonal multiplied by `1 + damping`; `nil` if it is not positive.
  ///
  /// Cost: the sum of the squares of the columns' lengths, in blocks.
  func factored(damping: Double = 0) -> SparseBlockFactor? {
    let area = Self.area
    let side = Self.side
    var diagonal = diagonal
    var lower = lower
    for position in 0..<pattern.count {
      for index in 0..<side { diagonal[position * area + index * (side + 1)] *= 1 + damping }
    }
    let isPositive = diagonal.withUnsafeMutableBufferPointer { diagonal in
      lower.withUnsafeMutableBufferPointer { lower in
        (0..<pattern.count).allSatisfy { eliminate($0, diagonal, lower) }
      }
    }
    return isPositive
      ? SparseBlockFactor(pattern: pattern, diagonal: diagonal, lower: lower) : nil
  }

  /// Finishes a column of the factor and takes its part out of the later ones.
  private func eliminate(
    _ column: Int, _ diagonal: UnsafeMutableBufferPointer<Double>,
    _ lower: UnsafeMutableBufferPointer<Double>
  ) -> Bool {
    let pivot = Self.block(column, diagonal)
    guard SmallBlock.factor(pivot) else { return false }
    let entries = pattern.columnStarts[column]..<pattern.columnStarts[column + 1]
    for entry in entries { SmallBlock.solveRight(pivot, Self.block(entry, lower)) }
    for entry in entries {
      let row = pattern.rows[entry]
      let b = UnsafeBufferPointer(Self.block(entry, lower))
      SmallBlock.subtract(b, b, from: Self.block(row, diagonal))
      // The rest of this column is part of column `row`, both ascending.
      var target = pattern.columnStarts[row]
      for other in (entry + 1)..<max(entries.upperBound, entry + 1) {
        while pattern.rows[target] != pattern.rows[other] { target += 1 }
        let a = UnsafeBufferPointer(Self.block(other, lower))
        SmallBlock.subtract(a, b, from: Self.block(target, lower))
      }
    }
    return true
  }

  private static func block(
    _ index: Int, _ values: UnsafeMutableBufferPointer<Double>
  ) -> UnsafeMutableBufferPointer<Double> {
    UnsafeMutableBufferPointer(rebasing: values[(index * area)..<(index * area + area)])
  }
}

/// Operations on 6 × 6 blocks, row after row.
enum SmallBlock {
  private static let side = SparseBlockMatrix.side

  /// Replaces a symmetric block by its lower factor, zeros above; false if it is not positive.
  static func factor(_ block: UnsafeMutableBufferPointer<Double>) -> Bool {
    for column in 0..<side {
      var pivot = block[column * side + column]
      // A pivot that lost all but 1e-13 of its entry is rounding.
      let least = 1e-13 * pivot
      for k in 0..<column { pivot -= block[column * side + k] * block[column * side + k] }
      guard pivot > least, pivot > 0, pivot.isFinite else { return false }
      let root = pivot.squareRoot()
      block[column * side + column] = root
      for row in (column + 1)..<max(side, column + 1) {
        var sum = block[row * side + column]
        for k in 0..<column { sum -= block[row * side + k] * block[column * side + k] }
        block[row * side + column] = sum / root
        block[column * side + row] = 0
      }
    }
    return true
  }

  /// Replaces `block` by `block · L⁻ᵀ`.
  static func solveRight(
    _ factor: UnsafeMutableBufferPointer<Double>, _ block: UnsafeMutableBufferPointer<Double>
  ) {
    for row in 0..<side {
      for column in 0..<side {
        var sum = block[row * side + column]
        for k in 0..<column { sum -= block[row * side + k] * factor[column * side + k] }
        block[row * side + column] = sum / factor[column * side + column]
      }
    }
  }

  /// Subtracts `a · bᵀ`.
  static func subtract(
    _ a: UnsafeBufferPointer<Double>, _ b: UnsafeBufferPointer<Double>,
    from target: UnsafeMutableBufferPointer<Double>
  ) {
    for row in 0..<side {
      for column in 0..<side {
        var sum = 0.0
        for k in 0..<side { sum += a[row * side + k] * b[column * side + k] }
        target[row * side + column] -= sum
      }
    }
  }
}
