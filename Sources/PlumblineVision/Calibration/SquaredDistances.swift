/// A sum of squared distances.
struct SquaredDistances {
  var sum = 0.0
  var count = 0

  mutating func add(_ residual: SIMD2<Double>) {
    sum += (residual * residual).sum()
    count += 1
  }

  var root: Double { count == 0 ? 0 : (sum / Double(count)).squareRoot() }

  mutating func add(_ other: SquaredDistances) {
    sum += other.sum
    count += other.count
  }
}
