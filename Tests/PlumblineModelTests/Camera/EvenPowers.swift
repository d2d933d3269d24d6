/// Least squares of a magnification table by eight even powers of the radius.
enum EvenPowers {
  /// The coefficients in percent by even powers of millimeters.
  ///
  /// Powers of the *relative* radius are made orthogonal one after the other, which stays exact
  /// where normal equations would not; then the scale is put back.
  static func fit(_ table: [Float], maximumMillimeters: Double) -> [Double] {
    let count = 8
    let last = Double(table.count - 1)
    var columns = (0..<count).map { power in
      table.indices.map { index in
        (0..<power).reduce(1.0) { product, _ in
          product * (Double(index) / last) * (Double(index) / last)
        }
      }
    }
    var upper = Array(repeating: Array(repeating: 0.0, count: count), count: count)
    var target = table.map { 100 * Double($0) }
    var projections = Array(repeating: 0.0, count: count)
    for k in 0..<count {
      upper[k][k] = dot(columns[k], columns[k]).squareRoot()
      columns[k] = columns[k].map { $0 / upper[k][k] }
      for j in k + 1..<max(count, k + 1) {
        upper[k][j] = dot(columns[k], columns[j])
        columns[j] = zip(columns[j], columns[k]).map { $0 - upper[k][j] * $1 }
      }
      projections[k] = dot(columns[k], target)
      target = zip(target, columns[k]).map { $0 - projections[k] * $1 }
    }
    var coefficients = projections
    for k in (0..<count).reversed() {
      for j in k + 1..<max(count, k + 1) { coefficients[k] -= upper[k][j] * coefficients[j] }
      coefficients[k] /= upper[k][k]
    }
    let square = maximumMillimeters * maximumMillimeters
    var scale = 1.0
    for k in 0..<count {
      coefficients[k] /= scale
      scale *= square
    }
    return coefficients
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
