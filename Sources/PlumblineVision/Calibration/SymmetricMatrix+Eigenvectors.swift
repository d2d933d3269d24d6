extension SymmetricMatrix {
  /// All eigenvalues with their unit vectors, the smallest first, by Jacobi's rotations.
  ///
  /// - Source: the cyclic method of C. G. J. Jacobi (1846) as in Golub and Van Loan, *Matrix
  ///   Computations*, section 8.5. Sweeps are bounded; a matrix of 9 rows needs about six.
  var eigenvectors: [(value: Double, vector: [Double])] {
    var matrix = self
    var vectors = [Double](repeating: 0, count: count * count)
    for index in 0..<count { vectors[index * count + index] = 1 }
    for _ in 0..<40 {
      var offDiagonal = 0.0
      var diagonal = 0.0
      for row in 0..<count {
        for column in 0..<count {
          let square = matrix[row, column] * matrix[row, column]
          if row == column { diagonal += square } else { offDiagonal += square }
        }
      }
      if offDiagonal <= 1e-30 * diagonal { break }
      for p in 0..<count {
        for q in (p + 1)..<max(count, p + 1) where matrix[p, q] != 0 {
          matrix.rotate(p, q, vectors: &vectors)
        }
      }
    }
    return (0..<count).sorted { matrix[$0, $0] < matrix[$1, $1] }
      .map { column in
        (matrix[column, column], (0..<count).map { vectors[$0 * count + column] })
      }
  }

  private mutating func rotate(_ p: Int, _ q: Int, vectors: inout [Double]) {
    let theta = (self[q, q] - self[p, p]) / (2 * self[p, q])
    let tangent = (theta >= 0 ? 1 : -1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let cosine = 1 / (tangent * tangent + 1).squareRoot()
    let sine = tangent * cosine
    let count = count
    func turn(
      _ values: UnsafeMutableBufferPointer<Double>, _ first: Int, _ second: Int, by step: Int
    ) {
      var (i, j) = (first, second)
      for _ in 0..<count {
        let (a, b) = (values[i], values[j])
        values[i] = cosine * a - sine * b
        values[j] = sine * a + cosine * b
        i += step
        j += step
      }
    }
    values.withUnsafeMutableBufferPointer {
      turn($0, p, q, by: count)
      turn($0, p * count, q * count, by: 1)
    }
    vectors.withUnsafeMutableBufferPointer { turn($0, p, q, by: count) }
  }
}
