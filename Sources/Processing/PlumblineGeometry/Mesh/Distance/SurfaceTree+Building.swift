import PlumblineModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension SurfaceTree {
  /// Builds the tree of a mesh.
  ///
  /// - Parameter mesh: Its triangles may be without area.
  /// - Returns: The tree; `nil` for a mesh without triangles. Cost: O(*n*).
  package static func build(for mesh: TriangleMesh) -> SurfaceTree? {
    guard !mesh.triangles.isEmpty else { return nil }
    let order = HilbertOrder.sorted(
      mesh.triangles.map { triangle in
        let sum =
          mesh.positions[triangle[0]].single + mesh.positions[triangle[1]].single
          + mesh.positions[triangle[2]].single
        return sum / 3
      })
    let leafCount = (order.count + 7) / 8
    var leaves = [Float](repeating: 0, count: 72 * leafCount)
    var low = [SIMD3<Float>](repeating: SIMD3(repeating: .infinity), count: leafCount)
    var high = low.map { -$0 }
    for place in 0..<(8 * leafCount) {
      // The last leaf is filled up with its last triangle.
      let triangle = mesh.triangles[Int(order[min(place, order.count - 1)])]
      let (leaf, lane) = (place / 8, place % 8)
      for corner in 0..<3 {
        let point = mesh.positions[triangle[corner]].single
        for axis in 0..<3 { leaves[72 * leaf + 24 * corner + 8 * axis + lane] = point[axis] }
        low[leaf] = pointwiseMin(low[leaf], point)
        high[leaf] = pointwiseMax(high[leaf], point)
      }
    }
    let (boxes, levels) = nodes(low: low, high: high)
    let edges = MeshEdges(mesh)
    let (twins, isBorder) = edges.twins(vertexCount: mesh.vertexCount)
    let padded =
      order + Array(repeating: order[order.count - 1], count: 8 * leafCount - order.count)
    return SurfaceTree(
      mesh: mesh, order: padded, boxes: boxes, leaves: leaves, levels: levels, twins: twins,
      isBorder: isBorder, vertexNormals: mesh.angleWeightedSums)
  }

  /// The boxes of all levels, from those of the leaves to the one node at the top.
  private static func nodes(
    low: [SIMD3<Float>], high: [SIMD3<Float>]
  ) -> (boxes: [Float], levels: [Int32]) {
    var (low, high) = (low, high)
    var boxes: [Float] = []
    var levels: [Int32] = []
    repeat {
      levels.append(Int32(boxes.count / 48))
      let count = (low.count + 7) / 8
      let start = boxes.count
      boxes.append(contentsOf: repeatElement(0, count: 48 * count))
      var above = [SIMD3<Float>](repeating: SIMD3(repeating: .infinity), count: count)
      var below = above.map { -$0 }
      for child in 0..<(8 * count) {
        let isThere = child < low.count
        let least = isThere ? low[child] : SIMD3(repeating: .infinity)
        let most = isThere ? high[child] : SIMD3(repeating: -.infinity)
        let place = start + 48 * (child / 8) + child % 8
        for axis in 0..<3 {
          boxes[place + 8 * axis] = least[axis]
          boxes[place + 24 + 8 * axis] = most[axis]
        }
        above[child / 8] = pointwiseMin(above[child / 8], least)
        below[child / 8] = pointwiseMax(below[child / 8], most)
      }
      (low, high) = (above, below)
    } while low.count > 1
    return (boxes, levels)
  }
}

extension PackedPoint {
  /// The point as a vector of single precision.
  var single: SIMD3<Float> { SIMD3(x, y, z) }
}

extension MeshEdges {
  /// For each half-edge the one of the other triangle, −1 without exactly one; and the vertices at borders.
  func twins(vertexCount: Int) -> (twins: [Int32], isBorder: [Bool]) {
    var twins = [Int32](repeating: -1, count: corners.count)
    var isBorder = [Bool](repeating: false, count: vertexCount)
    for edge in 0..<count {
      let first = Int(starts[edge])
      let length = Int(starts[edge + 1]) - first
      if length == 2 {
        let (one, other) = (halfEdges[first], halfEdges[first + 1])
        twins[Int(one)] = Int32(other)
        twins[Int(other)] = Int32(one)
      } else if length == 1 {
        isBorder[Int(origin(halfEdges[first]))] = true
        isBorder[Int(end(halfEdges[first]))] = true
      }
    }
    return (twins, isBorder)
  }
}

extension TriangleMesh {
  /// The sum of the unit normals of the triangles around each vertex, each times its angle there; O(*n*).
  ///
  /// - Source: J. Bærentzen, H. Aanæs, *Signed distance computation using the angle weighted pseudonormal*,
  ///   2005: its sign tells inside from outside wherever a vertex is nearest.
  package var angleWeightedSums: [SIMD3<Double>] {
    var sums = [SIMD3<Double>](repeating: .zero, count: vertexCount)
    for triangle in triangles {
      let area = doubledAreaVector(of: triangle)
      let length = (area * area).sum().squareRoot()
      guard length > .leastNormalMagnitude else { continue }
      for corner in 0..<3 {
        let point = positions[triangle[corner]].vector
        let one = positions[triangle[(corner + 1) % 3]].vector - point
        let other = positions[triangle[(corner + 2) % 3]].vector - point
        sums[triangle[corner]] += area * (atan2(length, (one * other).sum()) / length)
      }
    }
    return sums
  }
}
