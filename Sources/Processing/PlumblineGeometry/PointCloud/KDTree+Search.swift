internal import CKernels
package import PlumblineModel

/// One point that a search found.
package struct PointNeighbor: Hashable, Sendable {
  /// Its index among the points of the tree.
  package let index: Int
  /// Its squared distance, in the squared unit of the points.
  package let squaredDistance: Float

  /// Unpacks what a search wrote; `nil` for a place in its list that stayed empty.
  package init?(key: UInt64) {
    guard key != .max else { return nil }
    index = Int(key & 0xffff_ffff)
    squaredDistance = Float(bitPattern: UInt32(truncatingIfNeeded: key >> 32))
  }
}

extension KDTree {
  /// The nearest points of a place, nearest first, equally near ones by index.
  ///
  /// - Parameters:
  ///   - place: In the frame and the unit of the points.
  ///   - count: At most how many.
  ///   - radius: Points farther away are not found; squared it is rounded to single precision.
  /// - Returns: Fewer where there are not so many; none for a place that is not finite.
  /// - Precondition: The count is at least 0.
  /// - Complexity: O(log *n* + *k*) for usual points, O(*n*·*k*) at worst.
  package func nearest(
    to place: PackedPoint, count: Int, within radius: Float = .infinity
  ) -> [PointNeighbor] {
    precondition(count >= 0, "a search for \(count) neighbors")
    let length = min(count, points.count)
    guard length > 0 else { return [] }
    var keys = [UInt64](repeating: .max, count: length)
    withUnsafeTemporaryAllocation(of: PackedPoint.self, capacity: 1) { places in
      places.initialize(repeating: place)
      keys.withUnsafeMutableBufferPointer { keys in
        search(UnsafeBufferPointer(places), neighbors: length, within: radius, found: keys)
      }
    }
    return keys.compactMap { PointNeighbor(key: $0) }
  }

  /// All points within a radius of a place, nearest first, equally near ones by index.
  ///
  /// - Returns: Their neighbors. Cost: the search is repeated with twice the number until all fit.
  package func neighbors(of place: PackedPoint, within radius: Float) -> [PointNeighbor] {
    var length = 32
    while true {
      let found = nearest(to: place, count: length, within: radius)
      if found.count < length || length >= points.count { return found }
      length *= 2
    }
  }

  /// Searches for several places into lists of equal length.
  ///
  /// - Parameters:
  ///   - places: What to search for.
  ///   - neighbors: The length of a list.
  ///   - radius: Points farther away are not found.
  ///   - found: A list for each place: the bits of the squared distance in the upper half, the index in the
  ///     lower, ascending; `UInt64.max` at the end where there are fewer.
  /// - Precondition: `found` has `places.count · neighbors` elements; there is at least one neighbor.
  package func search(
    _ places: UnsafeBufferPointer<PackedPoint>, neighbors: Int, within radius: Float = .infinity,
    found: UnsafeMutableBufferPointer<UInt64>
  ) {
    precondition(
      neighbors > 0 && found.count == places.count * neighbors,
      "\(found.count) places for \(neighbors) neighbors of \(places.count) points")
    withTree(places) { nodes, leaves, coordinates in
      guard let found = found.baseAddress else { return }
      plb_tree_nearest(
        nodes, leaves, Int32(depth), coordinates, places.count, Int32(neighbors), radius * radius,
        found)
    }
  }

  /// Searches for the nearest point of several places, beginning with candidates.
  ///
  /// A good candidate, such as the neighbor before a small motion, bounds the search, and what is known of the
  /// distances of all other points may make it needless; neither changes the result.
  /// - Parameters:
  ///   - places: What to search for.
  ///   - radius: Points farther away are not found.
  ///   - found: On entry any index of a point in the lower half, or `UInt64.max` without candidate; then the
  ///     neighbor as ``search(_:neighbors:within:found:)`` writes it.
  ///   - known: On entry zeros, or what the search wrote here that found the candidate: its place, and within
  ///     which distance no other point lies.
  /// - Precondition: As many elements as places; the candidates are points of the tree.
  package func searchNearest(
    _ places: UnsafeBufferPointer<PackedPoint>, within radius: Float,
    found: UnsafeMutableBufferPointer<UInt64>, known: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    precondition(
      found.count == places.count && known.count == places.count,
      "\(found.count) and \(known.count) for \(places.count) points")
    for index in places.indices where found[index] != .max {
      let candidate = Int(found[index] & 0xffff_ffff)
      let point = points[candidate]
      let (x, y, z) = (
        point.x - places[index].x, point.y - places[index].y, point.z - places[index].z
      )
      let square = (x * x + y * y) + z * z
      found[index] =
        square.isFinite ? UInt64(square.bitPattern) << 32 | UInt64(candidate) : .max
    }
    withTree(places) { nodes, leaves, coordinates in
      guard let found = found.baseAddress,
        let known = UnsafeMutableRawBufferPointer(known).baseAddress
      else { return }
      plb_tree_nearest_from(
        nodes, leaves, Int32(depth), coordinates, places.count, radius * radius, found,
        known.assumingMemoryBound(to: Float.self))
    }
  }

  private func withTree(
    _ places: UnsafeBufferPointer<PackedPoint>,
    _ body: (UnsafePointer<plb_tree_node>, UnsafePointer<plb_tree_leaf>, UnsafePointer<Float>) ->
      Void
  ) {
    nodes.withUnsafeBufferPointer { nodes in
      leaves.withUnsafeBufferPointer { leaves in
        guard let nodes = nodes.baseAddress, let leaves = leaves.baseAddress,
          let places = UnsafeRawBufferPointer(places).baseAddress
        else { return }
        body(nodes, leaves, places.assumingMemoryBound(to: Float.self))
      }
    }
  }

  /// Searches for the neighbors of the points of some leaves, those of one leaf together.
  private func searchOwn(
    leaves range: Range<Int>, neighbors: Int, within radius: Float,
    found: UnsafeMutableBufferPointer<UInt64>
  ) {
    nodes.withUnsafeBufferPointer { nodes in
      leaves.withUnsafeBufferPointer { leaves in
        guard let nodes = nodes.baseAddress, let leaves = leaves.baseAddress,
          let found = found.baseAddress
        else { return }
        plb_tree_own_nearest(
          nodes, leaves, Int32(depth), range.lowerBound, range.upperBound, Int32(neighbors),
          radius * radius, found)
      }
    }
  }

  /// Searches for the neighbors of every finite point of the tree itself, leaf after leaf: near points follow
  /// one another, so that what a search touches is in the cache.
  ///
  /// - Parameters:
  ///   - neighbors: The length of a list; the point itself is one of its neighbors.
  ///   - radius: Points farther away are not found.
  ///   - threads: The maximum number of threads.
  ///   - body: Takes a batch of the points' indices, their places and their lists; called on any thread,
  ///     once for each point.
  package func forEachOwnBatch(
    neighbors: Int, within radius: Float = .infinity, threads: Int,
    _ body: (
      _ indices: UnsafeBufferPointer<UInt32>, _ places: UnsafeBufferPointer<PackedPoint>,
      _ found: UnsafeMutableBufferPointer<UInt64>
    ) -> Void
  ) {
    // 512 points: their lists of 20 stay in a second-level cache.
    let batch = 32
    let leafSize = PLB_TREE_LEAF
    forEachConcurrently((leaves.count + batch - 1) / batch, threads: threads) { number in
      let range = number * batch..<min(leaves.count, (number + 1) * batch)
      var indices: [UInt32] = []
      indices.reserveCapacity(batch * leafSize)
      for leaf in leaves[range] {
        withUnsafeBytes(of: leaf.index) { bytes in
          for index in bytes.assumingMemoryBound(to: UInt32.self) where index != .max {
            indices.append(index)
          }
        }
      }
      let places = indices.map { points[Int($0)] }
      var found = [UInt64](repeating: .max, count: indices.count * neighbors)
      indices.withUnsafeBufferPointer { indices in
        places.withUnsafeBufferPointer { places in
          found.withUnsafeMutableBufferPointer { found in
            if neighbors <= PLB_TREE_OWN {
              searchOwn(leaves: range, neighbors: neighbors, within: radius, found: found)
            } else {
              search(places, neighbors: neighbors, within: radius, found: found)
            }
            body(indices, places, found)
          }
        }
      }
    }
  }
}
