internal import CKernels
import PlumblineNumerics

extension CholeskyFactor {
  /// The inverse of L in single precision, row after row, for many variances.
  var inverseRows: InverseRows {
    let side = count
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
