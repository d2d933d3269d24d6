import PlumblineModel

extension CollapsingMesh {
  /// Edges in chunks of this many are evaluated on one thread.
  private static let chunk = 16_384

  /// The edges that may be collapsed, with their costs.
  func entries(of edges: MeshEdges, threads: Int) -> [CollapseQueue.Entry] {
    let chunks = (edges.count + Self.chunk - 1) / Self.chunk
    return [CollapseQueue.Entry](unsafeUninitializedCapacity: edges.count) { buffer, count in
      // Each edge has its own place; those that may not go are marked by an infinite cost.
      nonisolated(unsafe) let target = buffer
      nonisolated(unsafe) let state = self
      forEachConcurrently(chunks, threads: threads) { chunk in
        for edge in (chunk * Self.chunk)..<min((chunk + 1) * Self.chunk, edges.count) {
          let half = edges.halfEdges[Int(edges.starts[edge])]
          target.initializeElement(
            at: edge, to: state.entry(edges.origin(half), edges.end(half)))
        }
      }
      for edge in 0..<edges.count where buffer[edge].cost < .infinity {
        buffer[count] = buffer[edge]
        count += 1
      }
    }
  }

  /// The edges of the triangles that are left.
  func entries() -> [CollapseQueue.Entry] {
    var list: [CollapseQueue.Entry] = []
    for triangle in 0..<triangleCount where corners[3 * triangle] != Self.none {
      for corner in 0..<3 {
        let one = corners[3 * triangle + corner]
        let other = corners[3 * triangle + (corner + 1) % 3]
        // From the lower to the higher vertex; an edge of two triangles is met in both directions, and of a
        // border that runs down only so.
        guard
          one < other || flags[Int(one)].contains(.border) && flags[Int(other)].contains(.border)
        else { continue }
        let entry = entry(one, other)
        if entry.cost < .infinity { list.append(entry) }
      }
    }
    return list
  }

  /// The entry of an edge; its cost is infinite where it may not be collapsed.
  @inline(__always)
  func entry(_ one: UInt32, _ other: UInt32) -> CollapseQueue.Entry {
    let (kept, removed) = (min(one, other), max(one, other))
    return CollapseQueue.Entry(
      cost: evaluate(Int(kept), Int(removed)).cost, kept: kept, removed: removed,
      changes: changes[Int(kept)] &+ changes[Int(removed)])
  }

  /// Whether neither vertex changed since the cost was computed.
  func isCurrent(_ entry: CollapseQueue.Entry) -> Bool {
    let (kept, removed) = (Int(entry.kept), Int(entry.removed))
    return !flags[kept].contains(.removed) && !flags[removed].contains(.removed)
      && changes[kept] &+ changes[removed] == entry.changes
  }

  /// Where the vertex of a collapsed edge comes to lie, and what that costs.
  @inline(__always)
  func evaluate(_ kept: Int, _ removed: Int) -> (cost: Float, position: SIMD3<Double>) {
    let both = flags[kept].union(flags[removed])
    let (start, end) = (positions[kept], positions[removed])
    if both.contains(.locked) { return (.infinity, start) }
    let sum = quadrics[kept] + quadrics[removed]
    let along = end - start
    let square = (along * along).sum()
    let middle = (start + end) / 2
    var place: SIMD3<Double>
    if flags[kept].contains(.border) != flags[removed].contains(.border) {
      // The border stays where it is.
      place = flags[kept].contains(.border) ? start : end
    } else {
      place = sum.minimum(near: middle)
      let moved = place - middle
      // Far away the planes say nothing of the surface.
      if !((moved * moved).sum() <= square) { place = middle }
    }
    let error = sum.value(place)
    if let limit = settings.errorMeters, error > limit * limit * sum.weight {
      return (.infinity, place)
    }
    var cost = error + MeshSimplification.lengthShare * square * sum.weight
    if settings.colorMeters > 0, hasColors { cost += colorCost(kept, removed) }
    // A cost that is no number would have no place in the order.
    let single = Float(cost)
    return (single.isFinite ? single : .infinity, place)
  }

  /// The sum of the squares by which two vertices' colors differ from their mean, weighted by area.
  ///
  /// - Source: J. Ward, *Hierarchical grouping to optimize an objective function*, 1963.
  private func colorCost(_ kept: Int, _ removed: Int) -> Double {
    let (one, other) = (quadrics[kept].weight, quadrics[removed].weight)
    guard one + other > 0 else { return 0 }
    var square = 0.0
    for part in 0..<3 {
      let step = Double(
        attributes[kept * attributeCount + part] - attributes[removed * attributeCount + part])
      square += step * step
    }
    // Black and white differ by 255 in three colors.
    let scale = settings.colorMeters * settings.colorMeters / (3 * 255 * 255)
    return one * other / (one + other) * square * scale
  }
}
