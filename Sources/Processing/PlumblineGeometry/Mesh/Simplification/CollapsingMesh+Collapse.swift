extension CollapsingMesh {
  /// Collapses an edge if it may be, and appends the edges that thereby changed.
  ///
  /// - Returns: How many triangles went; 0 where it may not be.
  func collapse(_ entry: CollapseQueue.Entry, _ queue: inout CollapseQueue) -> Int {
    let (kept, removed) = (Int(entry.kept), Int(entry.removed))
    guard let keptCount = gather(kept, into: around),
      let removedCount = gather(removed, into: around + Self.mostTriangles)
    else { return 0 }
    let atKept = UnsafeBufferPointer(start: around, count: keptCount)
    let atRemoved = UnsafeBufferPointer(
      start: around + Self.mostTriangles, count: removedCount)
    let shared = atKept.count { has($0, removed) }
    guard shared > 0, keepsTopology(kept, removed, atKept, atRemoved, shared: shared) else {
      return 0
    }
    let place = evaluate(kept, removed).position
    guard keepsSides(kept, removed, atKept, place), keepsSides(removed, kept, atRemoved, place)
    else { return 0 }
    blendAttributes(kept, removed, place)
    positions[kept] = place
    quadrics[kept] = quadrics[kept] + quadrics[removed]
    flags[kept].formUnion(flags[removed].intersection([.border, .invented]))
    flags[removed].insert(.removed)
    changes[kept] &+= 1
    for corner in atRemoved {
      if has(corner, kept) {
        let triangle = Int(corner / 3)
        corners[3 * triangle] = Self.none
      } else {
        corners[Int(corner)] = UInt32(kept)
      }
    }
    following[Int(last[kept])] = first[removed]
    last[kept] = last[removed]
    appendEdges(of: kept, &queue)
    return shared
  }

  /// The corners at a vertex; those of removed triangles leave its list.
  ///
  /// `nil` for too many.
  @inline(__always)
  private func gather(_ vertex: Int, into list: UnsafeMutablePointer<UInt32>) -> Int? {
    var count = 0
    var (previous, corner) = (Self.none, first[vertex])
    while corner != Self.none {
      let next = following[Int(corner)]
      if corners[Int(corner / 3) * 3] == Self.none {
        if previous == Self.none { first[vertex] = next } else { following[Int(previous)] = next }
      } else {
        guard count < Self.mostTriangles else { return nil }
        list[count] = corner
        count += 1
        previous = corner
      }
      corner = next
    }
    last[vertex] = previous
    return count
  }

  /// The other two vertices of a corner's triangle, in its order.
  @inline(__always)
  private func others(_ corner: UInt32) -> (Int, Int) {
    let (base, place) = (Int(corner / 3) * 3, Int(corner % 3))
    return (
      Int(corners[base + (place == 2 ? 0 : place + 1)]),
      Int(corners[base + (place == 0 ? 2 : place - 1)])
    )
  }

  @inline(__always)
  private func has(_ corner: UInt32, _ vertex: Int) -> Bool {
    let (one, other) = others(corner)
    return one == vertex || other == vertex
  }

  /// Whether the surface hangs together as before: the vertices next to both ends are those opposite to the
  /// edge alone, no two borders meet, and more is left than a tetrahedron or a triangle.
  private func keepsTopology(
    _ kept: Int, _ removed: Int, _ atKept: UnsafeBufferPointer<UInt32>,
    _ atRemoved: UnsafeBufferPointer<UInt32>, shared: Int
  ) -> Bool {
    let isBorder = flags[kept].contains(.border) && flags[removed].contains(.border)
    guard shared == (isBorder ? 1 : 2) else { return false }
    let least = isBorder ? 1 : 3
    guard atKept.count > least || atRemoved.count > least else { return false }
    clock[0] &+= 2
    let (met, common) = (clock[0], clock[0] + 1)
    for corner in atKept {
      let (one, other) = others(corner)
      marks[one] = met
      marks[other] = met
    }
    var count = 0
    for corner in atRemoved {
      let (one, other) = others(corner)
      if marks[one] == met { (marks[one], count) = (common, count + 1) }
      if marks[other] == met { (marks[other], count) = (common, count + 1) }
    }
    // The ends are next to each other: `removed` was met at `kept`, and is not next to itself.
    return count == shared
  }

  /// Whether no triangle at a vertex turns by more than about 78° (cosine 0.2) or becomes a needle when it
  /// moves.
  @inline(__always)
  private func keepsSides(
    _ vertex: Int, _ partner: Int, _ list: UnsafeBufferPointer<UInt32>, _ place: SIMD3<Double>
  ) -> Bool {
    let old = positions[vertex]
    for corner in list {
      let (one, other) = others(corner)
      if one == partner || other == partner { continue }
      let (a, b) = (positions[one], positions[other])
      let before = cross(a - old, b - old)
      let after = cross(a - place, b - place)
      let (beforeSquare, afterSquare) = ((before * before).sum(), (after * after).sum())
      let cosine = (before * after).sum()
      if beforeSquare > 0, cosine <= 0 || cosine * cosine < 0.04 * beforeSquare * afterSquare {
        return false
      }
      // Twice the area over the square of the longest side: 0.87 of an equilateral triangle.
      let longest = max(square(a - b), square(a - place), square(b - place))
      let longestBefore = max(square(a - b), square(a - old), square(b - old))
      let isNeedle = afterSquare < 1e-4 * longest * longest
      if isNeedle,
        afterSquare * longestBefore * longestBefore <= 0.25 * beforeSquare * longest * longest
      {
        return false
      }
    }
    return true
  }

  @inline(__always)
  private func square(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum() }

  /// Interpolates attributes at the place on the edge that is nearest to the new position.
  private func blendAttributes(_ kept: Int, _ removed: Int, _ place: SIMD3<Double>) {
    guard attributeCount > 0 else { return }
    let along = positions[removed] - positions[kept]
    let length = square(along)
    let share = length > 0 ? ((place - positions[kept]) * along).sum() / length : 0.5
    let weight = Float(min(1, max(0, share)))
    let (target, source) = (
      attributes + kept * attributeCount, attributes + removed * attributeCount
    )
    for part in 0..<attributeCount where weight > 0 {
      target[part] = weight < 1 ? (1 - weight) * target[part] + weight * source[part] : source[part]
    }
  }

  /// Appends the edges of a vertex that changed, each once.
  private func appendEdges(of vertex: Int, _ queue: inout CollapseQueue) {
    clock[0] &+= 2
    let met = clock[0]
    var (previous, corner) = (Self.none, first[vertex])
    while corner != Self.none {
      let next = following[Int(corner)]
      if corners[Int(corner / 3) * 3] == Self.none {
        if previous == Self.none { first[vertex] = next } else { following[Int(previous)] = next }
      } else {
        let (one, other) = others(corner)
        for neighbor in [one, other] where marks[neighbor] != met {
          marks[neighbor] = met
          let entry = entry(UInt32(vertex), UInt32(neighbor))
          if entry.cost < .infinity { queue.push(entry) }
        }
        previous = corner
      }
      corner = next
    }
    last[vertex] = previous
  }
}
