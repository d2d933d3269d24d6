import PlumblineModel

/// A rule by which points without enough neighbors are left out.
package enum OutlierRemoval: Hashable, Sendable {
  /// Points whose mean distance to their `neighbors` nearest others is above the mean of all by `ratio`
  /// standard deviations.
  ///
  /// - Source: R. B. Rusu et al., *Towards 3D point cloud based object maps for household environments*,
  ///   Robotics and Autonomous Systems 56 (2008) 927, section 4.1.
  case statistical(neighbors: Int, ratio: Double)
  /// Points with fewer than `neighbors` others within a radius in the unit of the points.
  case radius(Float, neighbors: Int)

  /// The indices of the points that stay, ascending.
  ///
  /// - Parameters:
  ///   - tree: The points; those that are not finite never stay.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: A point without any other stays by no rule.
  /// - Precondition: At least one neighbor.
  /// - Complexity: O(*n*(log *n* + *k*)).
  package func kept(of tree: KDTree, threads: Int) -> [Int] {
    switch self {
    case .statistical(let neighbors, let ratio):
      precondition(neighbors >= 1, "a mean of \(neighbors) distances")
      return Self.usual(
        Self.meanDistances(of: tree, neighbors: neighbors, threads: threads), ratio: ratio)
    case .radius(let radius, let neighbors):
      precondition(neighbors >= 1, "\(neighbors) neighbors are always there")
      var crowded = [Bool](repeating: false, count: tree.points.count)
      crowded.withUnsafeMutableBufferPointer { crowded in
        tree.forEachOwnBatch(neighbors: neighbors + 1, within: radius, threads: threads) {
          indices, _, found in
          for (place, index) in indices.enumerated() {
            crowded[Int(index)] = found[(place + 1) * (neighbors + 1) - 1] != .max
          }
        }
      }
      return crowded.indices.filter { crowded[$0] }
    }
  }

  /// The mean distance of each point to its nearest others; NaN for a point that has none.
  static func meanDistances(of tree: KDTree, neighbors: Int, threads: Int) -> [Double] {
    var means = [Double](repeating: .nan, count: tree.points.count)
    let length = neighbors + 1
    means.withUnsafeMutableBufferPointer { means in
      tree.forEachOwnBatch(neighbors: length, threads: threads) { indices, _, found in
        for (place, index) in indices.enumerated() {
          var (sum, number) = (0.0, 0)
          for key in found[place * length..<(place + 1) * length] where key != .max {
            sum += Double(Float(bitPattern: UInt32(truncatingIfNeeded: key >> 32))).squareRoot()
            number += 1
          }
          // The point itself, or another at its very place, is one of them at distance 0.
          if number > 1 { means[Int(index)] = sum / Double(number - 1) }
        }
      }
    }
    return means
  }

  /// What is at most `ratio` standard deviations above the mean of all finite numbers.
  private static func usual(_ values: [Double], ratio: Double) -> [Int] {
    var (sum, number) = (0.0, 0)
    for value in values where value.isFinite {
      sum += value
      number += 1
    }
    let mean = sum / Double(max(1, number))
    let squares = values.reduce(0.0) {
      $1.isFinite ? $0 + ($1 - mean) * ($1 - mean) : $0
    }
    let sigma = number > 1 ? (squares / Double(number - 1)).squareRoot() : 0
    return values.indices.filter { values[$0] <= mean + ratio * sigma }
  }
}
