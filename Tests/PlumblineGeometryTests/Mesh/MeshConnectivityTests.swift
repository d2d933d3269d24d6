import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshConnectivityTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func neighborsAreThoseOfAllTriangles(seed: UInt64) throws {
    let mesh = try RandomMesh.mesh(seed: seed, vertices: 25, triangles: 40)
    let neighbors = VertexNeighbors(mesh)
    for vertex in 0..<mesh.vertexCount {
      var expected: Set<UInt32> = []
      for triangle in mesh.triangles {
        let corners = [triangle.first, triangle.second, triangle.third]
        if corners.contains(UInt32(vertex)) { expected.formUnion(corners) }
      }
      expected.remove(UInt32(vertex))
      #expect(Array(neighbors[vertex]) == expected.sorted())
    }
    #expect(neighbors.starts.count == mesh.vertexCount + 1)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func boundaryEdgesAreThoseOfOneTriangle(seed: UInt64) throws {
    let mesh = try RandomMesh.mesh(seed: seed, vertices: 12, triangles: 20)
    var expected: [[UInt32]] = []
    func edges(_ triangle: TriangleIndices) -> [[UInt32]] {
      [
        [triangle.first, triangle.second], [triangle.second, triangle.third],
        [triangle.third, triangle.first],
      ]
    }
    for triangle in mesh.triangles {
      for edge in edges(triangle) {
        let count = mesh.triangles.flatMap(edges).count { $0.sorted() == edge.sorted() }
        if count == 1 { expected.append(edge) }
      }
    }
    #expect(MeshBoundary(mesh).edges.map { [$0.start, $0.end] } == expected)
  }

  @Test func aClosedSurfaceHasNoRim() throws {
    let ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 6, segments: 9)
    let boundary = MeshBoundary(ball)
    #expect(boundary.edges.isEmpty && boundary.loops.isEmpty)
  }

  @Test func theRimOfAPlaneIsWalkedCounterclockwise() throws {
    // Vertices: 0 1 2 / 3 4 5; the surface lies to the left of a loop that goes down first.
    let mesh = try SampleMeshes.plane(columns: 2, rows: 1, width: 1, height: 1, depth: 1)
    #expect(MeshBoundary(mesh).loops == [[0, 3, 4, 5, 2, 1]])
  }

  @Test func holesThatMeetInAVertexAreLoopsWithoutAnEdgeTwice() throws {
    // A plane of 4 × 4 with two holes that touch in the middle vertex.
    let whole = try SampleMeshes.plane(columns: 4, rows: 4, width: 1, height: 1, depth: 1)
    let gone: Set<Int> = [2 * 5, 2 * 5 + 1, 2 * 10, 2 * 10 + 1]
    let mesh = try TriangleMesh(
      positions: whole.positions,
      triangles: whole.triangles.indices.filter { !gone.contains($0) }.map { whole.triangles[$0] })
    let boundary = MeshBoundary(mesh)
    #expect(boundary.edges.count == 16 + 8)
    #expect(boundary.loops.map(\.count).reduce(0, +) == 24)
    #expect(boundary.loops.first?.count == 16)
    let edges = Set(boundary.edges.map { [$0.start, $0.end] })
    for loop in boundary.loops {
      for (index, vertex) in loop.enumerated() {
        #expect(edges.contains([vertex, loop[(index + 1) % loop.count]]))
      }
    }
  }

  @Test func aSubsetKeepsWhatIsWhole() throws {
    var whole = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 8, segments: 10)
    whole.sigmaMeters = whole.positions.map(\.x)
    whole.colors = whole.positions.indices.map { RGB8(red: UInt8($0), green: 0, blue: 1) }
    var random = SeededGenerator(seed: 3)
    let flags = whole.positions.map { _ in random.chance(0.8) }
    let part = try whole.subset(keeping: flags)
    #expect(part.sourceVertices.map(Int.init) == flags.indices.filter { flags[$0] })
    let expected = whole.triangles.indices.filter { index in
      (0..<3).allSatisfy { flags[whole.triangles[index][$0]] }
    }
    #expect(part.sourceTriangles.map(Int.init) == expected && !expected.isEmpty)
    let layout = try #require(part.mesh.texture)
    let wholeLayout = try #require(whole.texture)
    #expect(layout.coordinates.count < wholeLayout.coordinates.count)
    for (index, source) in expected.enumerated() {
      for corner in 0..<3 {
        let vertex = part.mesh.triangles[index][corner]
        let from = whole.triangles[source][corner]
        #expect(part.mesh.positions[vertex] == whole.positions[from])
        #expect(part.mesh.sigmaMeters?[vertex] == whole.positions[from].x)
        #expect(part.mesh.colors?[vertex].red == UInt8(from))
        #expect(
          layout.coordinates[layout.triangles[index][corner]]
            == wholeLayout.coordinates[wholeLayout.triangles[source][corner]])
      }
    }
    let target = MorphTarget(name: "a", deltas: whole.positions)
    #expect(
      part.morphTarget(target, vertexCount: whole.vertexCount).deltas == part.mesh.positions)
  }

  @Test func oneIndexKeepsEveryCornerAndSplitsOnlySeams() throws {
    let (rings, segments) = (6, 9)
    let mesh = try SampleMeshes.ball(
      radius: 1, center: [0, 0, 3], rings: rings, segments: segments)
    let layout = try #require(mesh.texture)
    let single = SingleIndexMesh(mesh)
    let coordinates = try #require(single.coordinates)
    #expect(single.triangles.count == mesh.triangles.count)
    for (index, triangle) in single.triangles.enumerated() {
      for corner in 0..<3 {
        #expect(Int(single.sourceVertices[triangle[corner]]) == mesh.triangles[index][corner])
        #expect(
          coordinates[triangle[corner]] == layout.coordinates[layout.triangles[index][corner]])
      }
    }
    // Every ring once more on the seam; a pole once for each of its triangles.
    #expect(single.vertexCount == (rings - 1) * (segments + 1) + 2 * segments)
    #expect(Set(single.sourceVertices).count == mesh.vertexCount)
  }

  @Test func verticesOfNoTriangleComeLast() throws {
    let texture = try TextureLayout(
      coordinates: [[0, 0], [1, 0], [1, 1]], triangles: [TriangleIndices(0, 1, 2)])
    let points = (0..<4).map { PackedPoint(x: Float($0), y: Float($0 * $0), z: 1) }
    let mesh = try TriangleMesh(
      positions: points, triangles: [TriangleIndices(3, 1, 2)], texture: texture)
    let single = SingleIndexMesh(mesh)
    #expect(single.sourceVertices == [3, 1, 2, 0])
    #expect(single.coordinates == [[0, 0], [1, 0], [1, 1], [0, 0]])
    let target = MorphTarget(name: "a", deltas: points)
    let moved = single.movedVertices(by: target, sourceVertexCount: 4)
    #expect(moved.indices == [0, 1, 2, 3] && moved.deltas == [3, 1, 2, 0].map { points[$0] })
  }
}
