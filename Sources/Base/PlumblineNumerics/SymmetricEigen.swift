/// The eigenvalues of a symmetric matrix with their unit vectors.
package struct SymmetricEigen: Sendable {
  /// Ascending.
  package let values: [Double]
  /// The unit vector of each value; they are orthogonal to one another.
  package let vectors: [[Double]]

  /// Each value with its vector, ascending.
  package var pairs: [(value: Double, vector: [Double])] {
    zip(values, vectors).map { ($0, $1) }
  }
}

extension SymmetricMatrix {
  /// The eigenvalues and their vectors.
  ///
  /// - Precondition: All entries are finite.
  /// - Returns: Within some 1e-15 of the largest magnitude. The sign of a vector is such that its entry of
  ///   the largest magnitude is positive, the first of equal ones.
  /// - Complexity: O(*n*³) with about six sweeps.
  /// - Source: C. G. J. Jacobi's rotations in cyclic order; Golub and Van Loan, *Matrix Computations*, 4th
  ///   ed., section 8.5. Convergence is quadratic; 30 sweeps are never needed.
  package var eigen: SymmetricEigen {
    var a = values
    var v = [Double](repeating: 0, count: count * count)
    for index in 0..<count { v[index * count + index] = 1 }
    for _ in 0..<30 {
      var rotated = false
      for p in 0..<count {
        for q in (p + 1)..<max(count, p + 1) where rotate(&a, &v, p, q) { rotated = true }
      }
      if !rotated { break }
    }
    let order = (0..<count).sorted {
      (a[$0 * count + $0], $0) < (a[$1 * count + $1], $1)
    }
    let vectors = order.map { column in
      let vector = (0..<count).map { v[$0 * count + column] }
      let largest = vector.max { abs($0) < abs($1) } ?? 0
      return largest < 0 ? vector.map { -$0 } : vector
    }
    return SymmetricEigen(values: order.map { a[$0 * count + $0] }, vectors: vectors)
  }

  /// Makes one entry off the diagonal 0; false where it is lost in the rounding of the diagonal.
  private func rotate(_ a: inout [Double], _ v: inout [Double], _ p: Int, _ q: Int) -> Bool {
    let n = count
    let entry = a[p * n + q]
    let scale = (abs(a[p * n + p]) * abs(a[q * n + q])).squareRoot()
    // Below this the entry changes neither value by a unit in the last place.
    guard abs(entry) > 1e-17 * scale, abs(entry) > 1e-300 else { return false }
    let theta = (a[q * n + q] - a[p * n + p]) / (2 * entry)
    let tangent =
      (theta < 0 ? -1.0 : 1.0) / (abs(theta) + (theta * theta + 1).squareRoot())
    let cosine = 1 / (tangent * tangent + 1).squareRoot()
    let sine = tangent * cosine
    for k in 0..<n {
      let (kp, kq) = (a[k * n + p], a[k * n + q])
      a[k * n + p] = cosine * kp - sine * kq
      a[k * n + q] = sine * kp + cosine * kq
    }
    for k in 0..<n {
      let (pk, qk) = (a[p * n + k], a[q * n + k])
      a[p * n + k] = cosine * pk - sine * qk
      a[q * n + k] = sine * pk + cosine * qk
      let (vp, vq) = (v[k * n + p], v[k * n + q])
      v[k * n + p] = cosine * vp - sine * vq
      v[k * n + q] = sine * vp + cosine * vq
    }
    a[p * n + q] = 0
    a[q * n + p] = 0
    return true
  }
}
