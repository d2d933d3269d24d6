import PlumblineModel

/// A mesh while its edges are collapsed, in memory of its own, freed by ``deallocate()``.
///
/// The corners at each vertex are a linked list, so that two vertices' lists join in the time of one.
/// Corner `3·t + c` is that of triangle *t*; a removed triangle has ``none`` as its first corner, and
/// leaves the lists when they are next read.
struct CollapsingMesh {
  static let none = UInt32.max
  /// Vertices of more triangles than this never take part, so that room for their neighbors is fixed.
  static let mostTriangles = 64

  let settings: MeshSimplification
  let vertexCount: Int
  let triangleCount: Int
  /// The mean of the box's corners, which positions count from, so that squares stay small.
  let origin: SIMD3<Double>
  let positions: UnsafeMutablePointer<SIMD3<Double>>
  let quadrics: UnsafeMutablePointer<Quadric>
  let corners: UnsafeMutablePointer<UInt32>
  /// The next corner at the same vertex.
  let following: UnsafeMutablePointer<UInt32>
  /// The first corner of each vertex.
  let first: UnsafeMutablePointer<UInt32>
  /// The last corner of each vertex.
  let last: UnsafeMutablePointer<UInt32>
  /// How often each vertex changed.
  let changes: UnsafeMutablePointer<UInt32>
  /// When each vertex was last met, by a count that grows.
  let marks: UnsafeMutablePointer<UInt32>
  /// The count of marks.
  let clock: UnsafeMutablePointer<UInt32>
  let flags: UnsafeMutablePointer<Flags>
  /// Colors (0 to 255), normals, σ, residual: those that the mesh has.
  let attributes: UnsafeMutablePointer<Float>
  let attributeCount: Int
  let hasColors: Bool
  /// The triangles at the two vertices of an edge.
  let around: UnsafeMutablePointer<UInt32>

  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let border = Flags(rawValue: 1)
    /// Never moves.
    static let locked = Flags(rawValue: 2)
    static let removed = Flags(rawValue: 4)
    static let invented = Flags(rawValue: 8)
  }

  init(_ mesh: TriangleMesh, edges: MeshEdges, settings: MeshSimplification) {
    func room<Entry>(_ count: Int, _ value: Entry) -> UnsafeMutablePointer<Entry> {
      let memory = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, count))
      memory.initialize(repeating: value, count: max(1, count))
      return memory
    }
    self.settings = settings
    (vertexCount, triangleCount) = (mesh.vertexCount, mesh.triangles.count)
    var low = SIMD3<Double>(repeating: .infinity)
    var high = -low
    for point in mesh.positions {
      low.replace(with: point.vector, where: point.vector .< low)
      high.replace(with: point.vector, where: point.vector .> high)
    }
    origin = (low + high) / 2
    positions = room(vertexCount, .zero)
    quadrics = room(vertexCount, Quadric())
    corners = room(3 * triangleCount, Self.none)
    following = room(3 * triangleCount, Self.none)
    first = room(vertexCount, Self.none)
    last = room(vertexCount, Self.none)
    changes = room(vertexCount, 0)
    marks = room(vertexCount, 0)
    clock = room(1, 0)
    flags = room(vertexCount, [])
    around = room(2 * Self.mostTriangles, 0)
    hasColors = mesh.colors != nil
    attributeCount = mesh.attributeCount
    attributes = room(vertexCount * attributeCount, 0)
    mesh.storeAttributes(attributes)
    for (vertex, point) in mesh.positions.enumerated() { positions[vertex] = point.vector - origin }
    for (vertex, isInvented) in (mesh.isInvented ?? []).enumerated() where isInvented {
      flags[vertex].insert(.invented)
    }
    link(mesh.triangles)
    addPlanes(mesh.triangles)
    markBorders(edges)
  }

  func deallocate() {
    positions.deallocate()
    quadrics.deallocate()
    corners.deallocate()
    following.deallocate()
    first.deallocate()
    last.deallocate()
    changes.deallocate()
    marks.deallocate()
    clock.deallocate()
    flags.deallocate()
    attributes.deallocate()
    around.deallocate()
  }

  private func link(_ triangles: [TriangleIndices]) {
    for (index, triangle) in triangles.enumerated() {
      for corner in 0..<3 {
        let (vertex, place) = (triangle[corner], UInt32(3 * index + corner))
        corners[Int(place)] = UInt32(vertex)
        if first[vertex] == Self.none {
          first[vertex] = place
        } else {
          following[Int(last[vertex])] = place
        }
        last[vertex] = place
      }
    }
  }

  private func addPlanes(_ triangles: [TriangleIndices]) {
    for triangle in triangles {
      let corner = positions[triangle[0]]
      let normal = cross(positions[triangle[1]] - corner, positions[triangle[2]] - corner)
      let length = (normal * normal).sum().squareRoot()
      guard length > .leastNormalMagnitude else { continue }
      var plane = Quadric()
      // A third of the area to each corner.
      plane.add(normal: normal / length, through: corner, weight: length / 6)
      for place in 0..<3 { quadrics[triangle[place]] = quadrics[triangle[place]] + plane }
    }
  }

  /// Holds borders by planes upright on them, and locks what is no manifold.
  private func markBorders(_ edges: MeshEdges) {
    for (vertex, fans) in edges.fanCounts(vertexCount: vertexCount).enumerated() where fans > 1 {
      flags[vertex].insert(.locked)
    }
    for edge in 0..<edges.count {
      let kind = edges.kind(of: edge)
      guard kind != .inner else { continue }
      let half = edges.halfEdges[Int(edges.starts[edge])]
      let ends = [Int(edges.origin(half)), Int(edges.end(half))]
      for vertex in ends { flags[vertex].insert(kind == .border ? .border : .locked) }
      guard kind == .border else { continue }
      let (start, end) = (positions[ends[0]], positions[ends[1]])
      let along = end - start
      let across = cross(cross(along, positions[Int(edges.opposite(half))] - start), along)
      let length = (across * across).sum().squareRoot()
      guard length > .leastNormalMagnitude else { continue }
      var plane = Quadric()
      let square = (along * along).sum()
      plane.add(
        normal: across / length, through: start, weight: settings.borderWeight * square / 6)
      for vertex in ends { quadrics[vertex] = quadrics[vertex] + plane }
    }
  }
}

extension TriangleMesh {
  /// How many numbers a vertex has beside its position.
  var attributeCount: Int {
    (colors == nil ? 0 : 3) + (normals == nil ? 0 : 3) + (sigmaMeters == nil ? 0 : 1)
      + (residualMeters == nil ? 0 : 1)
  }

  /// Writes these numbers, ``attributeCount`` for each vertex.
  func storeAttributes(_ target: UnsafeMutablePointer<Float>) {
    let stride = attributeCount
    var place = 0
    func store<Entry>(_ list: [Entry]?, width: Int, _ number: (Entry, Int) -> Float) {
      guard let list else { return }
      for (vertex, entry) in list.enumerated() {
        for part in 0..<width { target[vertex * stride + place + part] = number(entry, part) }
      }
      place += width
    }
    store(colors, width: 3) { Float($1 == 0 ? $0.red : $1 == 1 ? $0.green : $0.blue) }
    store(normals, width: 3) { $1 == 0 ? $0.x : $1 == 1 ? $0.y : $0.z }
    store(sigmaMeters, width: 1) { value, _ in value }
    store(residualMeters, width: 1) { value, _ in value }
  }
}
