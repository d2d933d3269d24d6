/// The triangles between the points of a closed line whose areas have the least sum.
enum LeastAreaTriangulation {
  /// Triangulates a line of three points or more.
  ///
  /// - Parameter points: The line; its last point joins the first.
  /// - Returns: Places in the line, two fewer triangles than points, in the line's direction; `nil` for fewer
  ///   than three. Cost: O(*n*³) time, O(*n*²) memory.
  /// - Source: G. Klincsek, *Minimal triangulations of polygonal domains*, 1980.
  static func triangulate(_ points: [SIMD3<Double>]) -> [SIMD3<Int>]? {
    let count = points.count
    guard count > 2 else { return nil }
    // The least sum between two places, and the place in between that it takes.
    var sums = [Double](repeating: 0, count: count * count)
    var middles = [Int](repeating: 0, count: count * count)
    for span in 2..<count {
      for first in 0..<(count - span) {
        let last = first + span
        var (best, middle) = (Double.infinity, first + 1)
        for between in (first + 1)..<last {
          let area = cross(points[between] - points[first], points[last] - points[first]).length
          let sum = area + sums[first * count + between] + sums[between * count + last]
          if sum < best { (best, middle) = (sum, between) }
        }
        sums[first * count + last] = best
        middles[first * count + last] = middle
      }
    }
    var triangles: [SIMD3<Int>] = []
    var open = [(0, count - 1)]
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let middle = middles[first * count + last]
      triangles.append(SIMD3(first, middle, last))
      open.append((middle, last))
      open.append((first, middle))
    }
    return triangles
  }
}
