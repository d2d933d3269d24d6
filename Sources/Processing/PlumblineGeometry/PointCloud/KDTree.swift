internal import CKernels
package import PlumblineModel

/// A k-d tree of points for exact searches of nearest neighbors.
///
/// Points whose coordinates are not finite are never found. Distances are computed in single precision, each
/// step rounded; equally near points come in the order of their indices, so that neither the number of
/// threads nor the tree's own order shows in a result.
/// - Source: J. L. Bentley, CACM 18 (1975) 509; bounds by axis after S. Arya and D. M. Mount, *Algorithms for
///   fast vector quantization*, DCC 1993.
package struct KDTree: Sendable {
  /// The points, in the order given.
  package let points: [PackedPoint]
  /// Node 1 is the root, node 0 is not used; `2^depth` in all.
  let nodes: [plb_tree_node]
  /// `2^depth` leaves, each with at most 16 points.
  let leaves: [plb_tree_leaf]
  /// Levels of inner nodes.
  let depth: Int

  /// Builds the tree of points.
  ///
  /// - Parameters:
  ///   - points: In any unit.
  ///   - threads: The maximum number of threads; the tree does not depend on it.
  /// - Returns: The tree with a copy of the points.
  /// - Precondition: At most 2³¹ points.
  /// - Complexity: O(*n* log *n*); memory 20 to 32 bytes a point besides the points.
  package static func build(_ points: [PackedPoint], threads: Int) -> KDTree {
    precondition(points.count <= 1 << 31, "\(points.count) points cannot be counted in 32 bits")
    var order: [UInt64] = []
    order.reserveCapacity(points.count)
    for (index, point) in points.enumerated()
    where point.x.isFinite && point.y.isFinite && point.z.isFinite {
      order.append(UInt64(index))
    }
    let count = order.count
    var depth = 0
    while (count + (1 << depth) - 1) >> depth > PLB_TREE_LEAF { depth += 1 }
    var nodes = [plb_tree_node](repeating: plb_tree_node(), count: 1 << depth)
    var leaves = [plb_tree_leaf](repeating: plb_tree_leaf(), count: 1 << depth)
    withCoordinates(points) { coordinates in
      order.withUnsafeMutableBufferPointer { order in
        // An empty array has no address; it has one empty leaf, for which none is read.
        var none: UInt64 = 0
        withUnsafeMutablePointer(to: &none) { none in
          let order = order.baseAddress ?? none
          grow(depth: depth, threads: threads, nodes: &nodes, leaves: &leaves) {
            level, place, nodes in
            plb_tree_split(coordinates, order, count, level, place, nodes)
          } subtree: { level, place, nodes, leaves in
            plb_tree_grow(
              coordinates, order, count, level, place, Int32(depth), nodes, leaves)
          }
        }
      }
    }
    return KDTree(points: points, nodes: nodes, leaves: leaves, depth: depth)
  }

  /// Splits the upper levels one after another, then each subtree below them as a whole.
  private static func grow(
    depth: Int, threads: Int, nodes: inout [plb_tree_node], leaves: inout [plb_tree_leaf],
    split: (Int32, Int, UnsafeMutablePointer<plb_tree_node>) -> Void,
    subtree: (
      Int32, Int, UnsafeMutablePointer<plb_tree_node>, UnsafeMutablePointer<plb_tree_leaf>
    ) -> Void
  ) {
    // 64 subtrees: enough for the threads of one machine, each as large as a second-level cache.
    let upper = min(depth, 6)
    nodes.withUnsafeMutableBufferPointer { nodes in
      leaves.withUnsafeMutableBufferPointer { leaves in
        guard let nodes = nodes.baseAddress, let leaves = leaves.baseAddress else { return }
        for level in 0..<upper {
          forEachConcurrently(1 << level, threads: threads) { split(Int32(level), $0, nodes) }
        }
        forEachConcurrently(1 << upper, threads: threads) {
          subtree(Int32(upper), $0, nodes, leaves)
        }
      }
    }
  }

  /// Hands the coordinates of points to a closure, three for each.
  static func withCoordinates<Result>(
    _ points: [PackedPoint], _ body: (UnsafePointer<Float>) -> Result
  ) -> Result {
    points.withUnsafeBytes { bytes in
      var none: Float = 0
      return withUnsafePointer(to: &none) { none in
        body(bytes.baseAddress?.assumingMemoryBound(to: Float.self) ?? none)
      }
    }
  }
}
