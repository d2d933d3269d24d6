internal import PlumblineNumerics

extension SymmetricMatrix {
  /// The eigenvalues, ascending, and the unit eigenvector of each, by cyclic Jacobi rotations.
  ///
  /// Cost: O(n³) for each of about six sweeps; meant for a few rows. Entries are finite.
  ///
  /// - Source: C. G. J. Jacobi 1846; G. Golub and C. Van Loan, *Matrix Computations*, 8.5.
  func eigenvectors() -> [(value: Double, vector: [Double])] {
    var matrix = self
    var vectors = SymmetricMatrix(count: count)
    for index in 0..<count { vectors[index, index] = 1 }
    // Convergence is quadratic; 30 sweeps are never reached.
    for _ in 0..<30 {
      var off = 0.0
      var diagonal = 0.0
      for i in 0..<count {
        diagonal += matrix[i, i] * matrix[i, i]
        for j in 0..<i { off += matrix[i, j] * matrix[i, j] }
      }
      guard off > 1e-30 * diagonal else { break }
      for p in 0..<count {
        for q in (p + 1)..<max(count, p + 1) { matrix.rotate(p, q, vectors: &vectors) }
      }
    }
    return (0..<count).map { column in
      (matrix[column, column], (0..<count).map { vectors[$0, column] })
    }.sorted { $0.0 < $1.0 }
  }

  /// Removes the entry (p, q) by a rotation, and applies it to the columns of the vectors.
  private mutating func rotate(_ p: Int, _ q: Int, vectors: inout SymmetricMatrix) {
    guard self[p, q] != 0 else { return }
    let theta = (self[q, q] - self[p, p]) / (2 * self[p, q])
    let tangent = (theta < 0 ? -1.0 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let cosine = 1 / (tangent * tangent + 1).squareRoot()
    let sine = tangent * cosine
    for k in 0..<count {
      (self[k, p], self[k, q]) = (
        cosine * self[k, p] - sine * self[k, q], sine * self[k, p] + cosine * self[k, q]
      )
    }
    for k in 0..<count {
      (self[p, k], self[q, k]) = (
        cosine * self[p, k] - sine * self[q, k], sine * self[p, k] + cosine * self[q, k]
      )
    }
    for k in 0..<count {
      (vectors[k, p], vectors[k, q]) = (
        cosine * vectors[k, p] - sine * vectors[k, q], sine * vectors[k, p] + cosine * vectors[k, q]
      )
    }
  }
}
