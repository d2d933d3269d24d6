/// Triangles in a tree of boxes along the axes: the nearest one in about log *n* steps.
///
/// Points without area, as triangles with one corner three times, are found as well.
package struct TriangleTree: SurfaceDistances {
  /// No more triangles than these are in one leaf.
  private static let leafSize = 4
  /// Squares of distances that differ less than this share are the same.
  private static let tie = 1e-9

  private struct Node {
    var low: SIMD3<Double>
    var high: SIMD3<Double>
    /// Of a leaf the first of its places in ``order``, else the second child; the first child is next.
    var start: Int32
    /// The number of triangles of a leaf; 0 for others.
    var count: Int32

    /// The square of the distance of a point from the box.
    func square(to point: SIMD3<Double>) -> Double {
      let outside = pointwiseMax(pointwiseMax(low - point, point - high), .zero)
      return (outside * outside).sum()
    }
  }

  private let surface: MeasurableMesh
  private let order: [Int32]
  private let nodes: [Node]

  private init(surface: MeasurableMesh, order: [Int32], nodes: [Node]) {
    self.surface = surface
    self.order = order
    self.nodes = nodes
  }

  /// Builds the tree by splitting at the median of the longest side.
  ///
  /// Cost: O(*n* log² *n*), 70 bytes of memory for a triangle.
  package static func build(_ surface: MeasurableMesh) -> TriangleTree {
    let centers = surface.triangles.indices.map { index -> SIMD3<Double> in
      let (a, b, c) = surface.corners(index)
      return a + b + c
    }
    var order = surface.triangles.indices.map { Int32($0) }
    var nodes: [Node] = []
    func bounds(_ range: Range<Int>) -> (SIMD3<Double>, SIMD3<Double>) {
      var (low, high) = (SIMD3(repeating: Double.infinity), SIMD3(repeating: -Double.infinity))
      for place in range {
        let (a, b, c) = surface.corners(Int(order[place]))
        low = pointwiseMin(low, pointwiseMin(a, pointwiseMin(b, c)))
        high = pointwiseMax(high, pointwiseMax(a, pointwiseMax(b, c)))
      }
      return (low, high)
    }
    func add(_ range: Range<Int>) {
      let (low, high) = bounds(range)
      let at = nodes.count
      nodes.append(
        Node(low: low, high: high, start: Int32(range.lowerBound), count: Int32(range.count)))
      guard range.count > leafSize else { return }
      let size = high - low
      let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
      order[range].sort {
        (centers[Int($0)][axis], $0) < (centers[Int($1)][axis], $1)
      }
      let middle = (range.lowerBound + range.upperBound) / 2
      nodes[at].count = 0
      add(range.lowerBound..<middle)
      nodes[at].start = Int32(nodes.count)
      add(middle..<range.upperBound)
    }
    if !order.isEmpty { add(order.indices) }
    return TriangleTree(surface: surface, order: order, nodes: nodes)
  }

  package func nearest(to point: SIMD3<Double>) -> NearestPlace? {
    guard !nodes.isEmpty else { return nil }
    var best: (square: Double, above: Double, place: NearestPlace)?
    var stack: [(node: Int, square: Double)] = [(0, nodes[0].square(to: point))]
    stack.reserveCapacity(64)
    while let (index, square) = stack.popLast() {
      if let best, square > best.square * (1 + Self.tie) { continue }
      let node = nodes[index]
      guard node.count == 0 else {
        for at in Int(node.start)..<Int(node.start + node.count) {
          consider(Int(order[at]), point, &best)
        }
        continue
      }
      let (first, second) = (index + 1, Int(node.start))
      let near = (nodes[first].square(to: point), nodes[second].square(to: point))
      if near.0 <= near.1 {
        stack += [(second, near.1), (first, near.0)]
      } else {
        stack += [(first, near.0), (second, near.1)]
      }
    }
    return best?.place
  }

  private func consider(
    _ triangle: Int, _ point: SIMD3<Double>,
    _ best: inout (square: Double, above: Double, place: NearestPlace)?
  ) {
    let (a, b, c) = surface.corners(triangle)
    let normal = surface.doubledArea(triangle).unit
    let place =
      normal == .zero
      ? Self.nearestOfSides(to: point, a, b, c) : Self.nearest(to: point, a, b, c)
    let line = point - place
    let square = line.dot(line)
    let above = abs(line.dot(normal))
    if let found = best {
      let isTie = abs(square - found.square) <= Self.tie * found.square
      if isTie {
        guard (above, -triangle) > (found.above, -found.place.triangle) else { return }
      } else if square > found.square {
        return
      }
    }
    best = (square, above, NearestPlace(point: place, triangle: triangle))
  }

  /// The nearest point of the sides of a triangle, which may have no length.
  private static func nearestOfSides(
    to p: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
  ) -> SIMD3<Double> {
    var best = (square: Double.infinity, place: a)
    for (start, end) in [(a, b), (b, c), (c, a)] {
      let line = end - start
      let length = line.dot(line)
      let share = length > 0 ? max(0, min(1, (p - start).dot(line) / length)) : 0
      let place = start + line * share
      let square = (p - place).dot(p - place)
      if square < best.square { best = (square, place) }
    }
    return best.place
  }

  /// The nearest point of a triangle with an area, by the region of its plane that a point is over.
  ///
  /// - Source: C. Ericson, *Real-Time Collision Detection*, 2005, 5.1.5.
  static func nearest(
    to p: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
  ) -> SIMD3<Double> {
    let (ab, ac, ap) = (b - a, c - a, p - a)
    let (d1, d2) = (ab.dot(ap), ac.dot(ap))
    if d1 <= 0, d2 <= 0 { return a }
    let bp = p - b
    let (d3, d4) = (ab.dot(bp), ac.dot(bp))
    if d3 >= 0, d4 <= d3 { return b }
    let vc = d1 * d4 - d3 * d2
    if vc <= 0, d1 >= 0, d3 <= 0 { return a + ab * (d1 / (d1 - d3)) }
    let cp = p - c
    let (d5, d6) = (ab.dot(cp), ac.dot(cp))
    if d6 >= 0, d5 <= d6 { return c }
    let vb = d5 * d2 - d1 * d6
    if vb <= 0, d2 >= 0, d6 <= 0 { return a + ac * (d2 / (d2 - d6)) }
    let va = d3 * d6 - d5 * d4
    if va <= 0, d4 - d3 >= 0, d5 - d6 >= 0 {
      return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    }
    let scale = 1 / (va + vb + vc)
    return a + ab * (vb * scale) + ac * (vc * scale)
  }
}
