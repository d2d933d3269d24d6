import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MorphTargetTests {
  let points = (0..<4).map { PackedPoint(x: Float($0), y: 0, z: 1) }

  @Test func sparseAndDenseMoveAlike() throws {
    var mesh = try TriangleMesh(positions: points, triangles: [])
    mesh.normals = points
    let delta = PackedPoint(x: 0.5, y: -1, z: 2)
    let sparse = try MorphTarget(name: "jawOpen", indices: [1, 3], deltas: [delta, delta])
    let dense = MorphTarget(name: "jawOpen", deltas: sparse.denseDeltas(vertexCount: 4))
    let moved = mesh.morphed(by: [(sparse, 0.5)])
    #expect(moved.positions == mesh.morphed(by: [(dense, 0.5)]).positions)
    #expect(moved.positions[0] == points[0])
    #expect(moved.positions[3] == PackedPoint(x: 3.25, y: -0.5, z: 2))
    #expect(moved.normals == nil)
    #expect(mesh.morphed(by: [(sparse, 0)]).normals == points)
    #expect(dense.movedVertices.indices == [1, 3])
    #expect(sparse.movedVertices.deltas == [delta, delta])
  }

  @Test func weightsAdd() throws {
    let mesh = try TriangleMesh(positions: points, triangles: [])
    let one = MorphTarget(name: "a", deltas: points)
    let two = try MorphTarget(name: "b", indices: [2], deltas: [PackedPoint(x: 1, y: 1, z: 1)])
    let moved = mesh.morphed(by: [(one, 2), (two, 3)])
    #expect(moved.positions[2] == PackedPoint(x: 9, y: 3, z: 6))
  }

  @Test func badTargetsAreRefused() {
    #expect(throws: MeshError.self) {
      try MorphTarget(name: "a", indices: [2, 2], deltas: [points[0], points[1]])
    }
    #expect(throws: MeshError.self) { try MorphTarget(name: "a", indices: [1], deltas: []) }
    #expect(!MorphTarget(name: "a", deltas: points).fits(vertexCount: 5))
  }
}
