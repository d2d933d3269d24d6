/// Points without order, searched by passes over all of them.
///
/// A pass over a million points takes some milliseconds, less than an index of them would take to build.
/// A point whose coordinates are not finite is never found.
package struct PointList: Sendable {
  /// The first coordinates.
  package let x: [Double]
  /// The second coordinates.
  package let y: [Double]
  /// The third coordinates.
  package let z: [Double]

  /// How many neighbors the spacing of points is taken from: those of a pixel in its row and column.
  private static let neighbors = 4

  /// Creates a list from its columns.
  ///
  /// - Precondition: They are equally long.
  package init(x: [Double], y: [Double], z: [Double]) {
    precondition(
      x.count == y.count && y.count == z.count, "\(x.count), \(y.count), \(z.count) coordinates")
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// The number of points.
  package var count: Int { x.count }

  /// The point of an index.
  package subscript(index: Int) -> SIMD3<Double> { SIMD3(x[index], y[index], z[index]) }

  /// The point nearest to a place, the first of equally near ones; `nil` where none is finite.
  ///
  /// - Parameter place: In the unit and the frame of the points.
  /// - Returns: Its index. Cost: O(*n*).
  package func nearest(to place: SIMD3<Double>) -> Int? {
    var (best, found) = (Double.infinity, -1)
    forEachSquare(from: place) { index, square in
      if square < best { (best, found) = (square, index) }
    }
    return found < 0 ? nil : found
  }

  /// How far points are apart around one of them: the distance to the fourth nearest at another place,
  /// which for the pixels of a surface is that to the next pixel.
  ///
  /// - Parameter index: A point.
  /// - Returns: In the unit of the points; of fewer neighbors that of the last, `nil` without any. Points at
  ///   the very same place do not count. Cost: O(*n*).
  package func spacing(around index: Int) -> Double? {
    // Ascending; few, so that moving them is all the order that is needed.
    var nearest = [Double](repeating: .infinity, count: Self.neighbors)
    let last = nearest.count - 1
    forEachSquare(from: self[index]) { _, square in
      guard square > 0, square < nearest[last] else { return }
      var place = last
      while place > 0, nearest[place - 1] > square {
        nearest[place] = nearest[place - 1]
        place -= 1
      }
      nearest[place] = square
    }
    return nearest.last { $0 < .infinity }?.squareRoot()
  }

  /// How far points are apart mostly: the median of ``spacing(around:)`` of up to 15 points, evenly chosen.
  ///
  /// - Returns: In the unit of the points; `nil` of fewer than two. Cost: O(*n*), 15 passes.
  package var typicalSpacing: Double? {
    let count = min(15, x.count)
    let found = (0..<count).compactMap { spacing(around: $0 * x.count / count) }.sorted()
    return found.isEmpty ? nil : found[found.count / 2]
  }

  /// The points inside a box along the axes, its faces included.
  ///
  /// - Parameters:
  ///   - low: The corner of the least coordinates.
  ///   - high: The opposite one.
  /// - Returns: Their indices, ascending. Cost: O(*n*).
  package func indices(from low: SIMD3<Double>, through high: SIMD3<Double>) -> [Int] {
    var found: [Int] = []
    forEach { index, x, y, z in
      if x >= low.x, x <= high.x, y >= low.y, y <= high.y, z >= low.z, z <= high.z {
        found.append(index)
      }
    }
    return found
  }

  private func forEachSquare(from place: SIMD3<Double>, _ body: (Int, Double) -> Void) {
    let (u, v, w) = (place.x, place.y, place.z)
    forEach { index, x, y, z in
      body(index, (x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w))
    }
  }

  /// Calls a closure with each point.
  @inline(__always)
  private func forEach(_ body: (_ index: Int, Double, Double, Double) -> Void) {
    x.withUnsafeBufferPointer { x in
      y.withUnsafeBufferPointer { y in
        z.withUnsafeBufferPointer { z in
          for index in x.indices { body(index, x[index], y[index], z[index]) }
        }
      }
    }
  }
}
