/// The rim of a mesh: the edges that only one triangle has.
public struct MeshBoundary: Sendable, Hashable {
  /// One edge in the direction in which its triangle has it.
  public struct Edge: Sendable, Hashable {
    /// The vertex where it starts.
    public let start: UInt32
    /// The vertex where it ends.
    public let end: UInt32
  }

  /// The edges, in the order of the triangles.
  public let edges: [Edge]
  /// The closed loops of edges, each from its least vertex, in the order of those.
  ///
  /// Seen from outside, the surface lies to the left of a loop. Where two holes meet in
  /// one vertex the loop takes its edges in the order of the triangles, so that every edge is in
  /// one loop; edges that close no loop, which needs triangles turned over or three at one edge,
  /// are in none.
  public let loops: [[UInt32]]

  /// Finds the rim of a mesh; O(*n* log *n*).
  public init(_ mesh: TriangleMesh) {
    edges = Self.singleEdges(mesh)
    loops = Self.loops(of: edges)
  }

  private static func singleEdges(_ mesh: TriangleMesh) -> [Edge] {
    // Both directions of an edge get the same key; sorted, equal ones stand side by side.
    var keys: [(key: UInt64, place: Int)] = []
    keys.reserveCapacity(3 * mesh.triangles.count)
    for (index, triangle) in mesh.triangles.enumerated() {
      for corner in 0..<3 {
        let (a, b) = (UInt64(triangle[corner]), UInt64(triangle[(corner + 1) % 3]))
        keys.append((min(a, b) << 32 | max(a, b), 3 * index + corner))
      }
    }
    keys.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    var single: [Int] = []
    for (index, entry) in keys.enumerated()
    where (index == 0 || keys[index - 1].key != entry.key)
      && (index + 1 == keys.count || keys[index + 1].key != entry.key)
    {
      single.append(entry.place)
    }
    return single.sorted().map { place in
      let triangle = mesh.triangles[place / 3]
      return Edge(
        start: UInt32(triangle[place % 3]), end: UInt32(triangle[(place % 3 + 1) % 3]))
    }
  }

  private static func loops(of edges: [Edge]) -> [[UInt32]] {
    var leaving: [UInt32: [Int]] = [:]
    for (index, edge) in edges.enumerated().reversed() {
      leaving[edge.start, default: []].append(index)
    }
    var loops: [[UInt32]] = []
    for start in leaving.keys.sorted() {
      while leaving[start]?.isEmpty == false {
        var walk: [UInt32] = []
        var vertex = start
        while let index = leaving[vertex]?.popLast() {
          walk.append(vertex)
          vertex = edges[index].end
          if vertex == start { break }
        }
        if vertex == start { loops.append(walk) }
      }
    }
    return loops
  }
}
