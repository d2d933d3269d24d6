import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshTopologyTests {
  @Test func areasHaveTheirFormulas() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 4)
    #expect(abs(box.enclosedVolume - 6) < 1e-6 && abs(box.surfaceArea - 22) < 1e-5)
    let torus = try MeshShapes.torus(around: 200, across: 100, radius: 1, thickness: 0.3)
    // 2π²·R·r² and 4π²·R·r; the mesh lies inside by about (π/100)²/2 of its thickness.
    let pi = Double.pi
    #expect(abs(torus.enclosedVolume / (2 * pi * pi * 0.09) - 1) < 0.002)
    #expect(abs(torus.surfaceArea / (4 * pi * pi * 0.3) - 1) < 0.001)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func edgesAreThoseOfAllTriangles(seed: UInt64) throws {
    let mesh = try RandomMesh.mesh(seed: seed, vertices: 20, triangles: 60)
    var expected: [Set<UInt32>: Int] = [:]
    for triangle in mesh.triangles {
      for corner in 0..<3 {
        let pair: Set<UInt32> = [
          UInt32(triangle[corner]), UInt32(triangle[(corner + 1) % 3]),
        ]
        expected[pair, default: 0] += 1
      }
    }
    let edges = MeshEdges(mesh)
    #expect(edges.count == expected.count)
    for edge in 0..<edges.count {
      for half in edges[edge] {
        #expect(expected[[edges.origin(half), edges.end(half)]] == edges[edge].count)
      }
    }
  }

  @Test func closedSurfacesHaveTheirGenus() throws {
    let ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 6, segments: 8)
    #expect(ball.topology.isWatertight && ball.topology.genus == 0)
    let torus = try MeshShapes.torus(around: 12, across: 8, radius: 1, thickness: 0.3)
    #expect(torus.topology.eulerNumber == 0 && torus.topology.genus == 1)
    let both = try MeshShapes.joined(ball, torus).topology
    #expect(both.genus == 1 && both.componentCount == 2)
    let box = try MeshShapes.box([1, 2, 3], divisions: 3)
    #expect(box.topology.genus == 0 && box.vertexCount == 6 * 9 + 2)
  }

  @Test func faultsAreCounted() throws {
    let plane = try SampleMeshes.plane(columns: 3, rows: 2, width: 1, height: 1, depth: 1)
    let flat = plane.topology
    #expect(flat.eulerNumber == 1 && flat.borderEdgeCount == 10 && !flat.isWatertight)
    #expect(flat.genus == nil && flat.isManifold)
    let points = (0..<7).map { PackedPoint(x: Float($0), y: Float($0 * $0), z: 1) }
    func topology(_ triangles: [TriangleIndices]) throws -> MeshTopology {
      try TriangleMesh(positions: points, triangles: triangles).topology
    }
    let pinched = try topology([TriangleIndices(0, 1, 2), TriangleIndices(2, 3, 4)])
    #expect(pinched.pinchedVertexCount == 1 && pinched.looseVertexCount == 2)
    #expect(pinched.componentCount == 1)
    let turned = try topology([TriangleIndices(0, 1, 2), TriangleIndices(0, 1, 3)])
    #expect(turned.turnedEdgeCount == 1 && turned.isManifold)
    let crowded = try topology([
      TriangleIndices(0, 1, 2), TriangleIndices(1, 0, 3), TriangleIndices(0, 1, 4),
    ])
    #expect(crowded.crowdedEdgeCount == 1 && crowded.pinchedVertexCount == 0)
    let twice = try topology([TriangleIndices(0, 1, 2), TriangleIndices(2, 1, 0)])
    #expect(twice.duplicateTriangleCount == 1)
    let none = try topology([])
    #expect(none.componentCount == 0 && !none.isWatertight)
  }

  @Test func smallPartsGo() throws {
    let large = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 6, segments: 8)
    let small = try SampleMeshes.ball(radius: 0.1, center: [3, 0, 3], rings: 4, segments: 5)
    let both = try MeshShapes.joined(small, large)
    let found = MeshComponents.find(in: both)
    #expect(found.count == 2 && found.largest == 1)
    #expect(found.components[0].vertexCount == small.vertexCount)
    #expect(abs(found.components[0].areaSquareMeters - small.surfaceArea) < 1e-6)
    for left in [
      both.largestComponent, both.removingComponents(below: 1),
      both.removingComponents(vertexCount: small.vertexCount + 1),
    ] {
      #expect(left.positions == large.positions && left.triangles == large.triangles)
    }
    #expect(both.removingComponents().triangles == both.triangles)
  }

  @Test func aSoupOfTrianglesBecomesTheSurface() throws {
    let ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 6, segments: 8)
    let corners = ball.triangles.flatMap { triangle in
      (0..<3).map { ball.positions[triangle[$0]] }
    }
    // One triangle is there twice.
    let triangles = (0...UInt32(ball.triangles.count)).map { index in
      TriangleIndices(3 * index, 3 * index + 1, 3 * index + 2)
    }
    let soup = try TriangleMesh(positions: corners + corners.prefix(3), triangles: triangles)
    #expect(soup.topology.componentCount == ball.triangles.count + 1)
    let clean = MeshCleanup().clean(soup)
    #expect(clean.topology == ball.topology)
    #expect(abs(clean.enclosedVolume - ball.enclosedVolume) < 1e-6)
  }
}
