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
