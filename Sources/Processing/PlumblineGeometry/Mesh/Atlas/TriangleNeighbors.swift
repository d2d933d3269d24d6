/// For each edge of each triangle the triangle on its other side.
struct TriangleNeighbors: Sendable {
  /// The value for an edge with no other triangle, or with more than one.
  static let none: Int32 = -1
  /// Three for each triangle: beyond the edges from corner 0 to 1, 1 to 2 and 2 to 0.
  let across: [Int32]

  /// Finds the neighbors by sorting the edges; O(*n* log *n*).
  init(_ triangles: [TriangleIndices]) {
    var edges: [(key: UInt64, place: Int32)] = []
    edges.reserveCapacity(3 * triangles.count)
    for (index, triangle) in triangles.enumerated() {
      for corner in 0..<3 {
        let (a, b) = (UInt64(triangle[corner]), UInt64(triangle[(corner + 1) % 3]))
        edges.append((min(a, b) << 32 | max(a, b), Int32(3 * index + corner)))
      }
    }
    edges.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    var across = [Int32](repeating: Self.none, count: edges.count)
    var start = 0
    while start < edges.count {
      var end = start + 1
      while end < edges.count, edges[end].key == edges[start].key { end += 1 }
      if end - start == 2 {
        let (a, b) = (Int(edges[start].place), Int(edges[start + 1].place))
        across[a] = Int32(b / 3)
        across[b] = Int32(a / 3)
      }
      start = end
    }
    self.across = across
  }

  /// The triangle beyond an edge; `nil` where there is none.
  func across(_ triangle: Int, edge: Int) -> Int? {
    let other = across[3 * triangle + edge]
    return other == Self.none ? nil : Int(other)
  }
}
