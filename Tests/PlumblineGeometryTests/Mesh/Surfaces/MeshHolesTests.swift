import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshHolesTests {
  /// A ball of 1 m without the triangles near some directions.
  private func ball(without count: Int) throws -> TriangleMesh {
    var ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 0], rings: 16, segments: 24)
    ball.colors = ball.positions.map { _ in RGB8(red: 10, green: 20, blue: 30) }
    ball.sigmaMeters = ball.positions.map { _ in 0.001 }
    let directions: [SIMD3<Double>] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    let left = ball.triangles.indices.filter { index in
      let triangle = ball.triangles[index]
      let middle = (0..<3).reduce(SIMD3<Double>.zero) {
        $0 + ball.positions[triangle[$1]].vector / 3
      }
      return directions[0..<count].allSatisfy { ($0 * middle).sum() < 0.95 }
    }
    return ball.keeping(triangles: left)
  }

  @Test(arguments: [1, 2, 3])
  func holesAreClosedAndMarked(count: Int) throws {
    let open = try ball(without: count)
    #expect(!open.topology.isWatertight)
    let closed = MeshHoles().close(open)
    #expect(closed.closedCount == count && closed.openCount == 0)
    let mesh = closed.mesh
    #expect(mesh.topology.isWatertight && mesh.topology.genus == 0)
    #expect(Array(mesh.positions[0..<open.vertexCount]) == open.positions)
    #expect(Array(mesh.triangles[0..<open.triangles.count]) == open.triangles)
    let marks = try #require(mesh.isInvented)
    #expect(marks.indices.allSatisfy { marks[$0] == ($0 >= open.vertexCount) })
    // No triangle of the filling is without a mark.
    for triangle in mesh.triangles[open.triangles.count...] {
      #expect((0..<3).contains { marks[triangle[$0]] })
    }
    #expect(mesh.sigmaMeters?.last?.isNaN == true && mesh.sigmaMeters?.first == 0.001)
    #expect(mesh.colors?.last == RGB8(red: 10, green: 20, blue: 30))
    // A cap that reaches 5° beyond the cosine of 0.95 is 0.08 m high: π·0.08²·(1 − 0.08/3) = 0.02 m³.
    let whole = try ball(without: 0).enclosedVolume
    #expect(mesh.enclosedVolume < whole && mesh.enclosedVolume > whole - 0.02 * Double(count))
  }

  @Test func largeHolesStayOpen() throws {
    let open = try ball(without: 2)
    let few = MeshHoles(mostEdges: 4).close(open)
    #expect(few.closedCount == 0 && few.openCount == 2 && few.mesh.triangles == open.triangles)
    let plane = try SampleMeshes.plane(columns: 6, rows: 6, width: 1, height: 1, depth: 1)
    let holed = plane.keeping(triangles: plane.triangles.indices.filter { $0 / 2 != 14 })
    let inner = MeshHoles(longestPerimeterMeters: 1).close(holed)
    #expect(inner.closedCount == 1 && inner.openCount == 1)
    #expect(abs(inner.mesh.surfaceArea - 1) < 1e-6 && inner.mesh.topology.borderEdgeCount == 24)
  }

  @Test func theLeastAreaOfAPolygonIsItsOwn() throws {
    // A flat star of one triangle less: any triangulation inside has its area, others more.
    let plane = try SampleMeshes.plane(columns: 7, rows: 7, width: 1, height: 1, depth: 1)
    let removed: Set<Int> = [24, 23, 25, 17, 31, 32]
    let holed = plane.keeping(
      triangles: plane.triangles.indices.filter { !removed.contains($0 / 2) })
    let closed = MeshHoles(longestPerimeterMeters: 3).close(holed).mesh
    #expect(abs(closed.surfaceArea - 1) < 1e-5)
  }
}
