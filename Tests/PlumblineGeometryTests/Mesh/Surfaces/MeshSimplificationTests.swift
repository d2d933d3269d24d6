import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshSimplificationTests {
  @Test func aTorusStaysOneAndKeepsItsContent() throws {
    let torus = try MeshShapes.torus(around: 120, across: 60, radius: 1, thickness: 0.3)
    let simple = MeshSimplification(triangleCount: 1_440).simplify(torus)
    #expect(simple.triangles.count == 1_440)
    #expect(simple.topology.genus == 1 && simple.topology.componentCount == 1)
    #expect(simple.topology.flatTriangleCount == 0)
    #expect(abs(simple.enclosedVolume / torus.enclosedVolume - 1) < 0.005)
    #expect(abs(simple.surfaceArea / torus.surfaceArea - 1) < 0.01)
    let worst = simple.positions.map {
      abs(MeshShapes.height($0.vector, radius: 1, thickness: 0.3))
    }.max()
    // Triangles of 0.1 m on a curvature of 1/0.3 m lie within 0.1²/8/0.3 = 4 mm of it.
    #expect(worst ?? 1 < 0.005)
  }

  @Test func theErrorIsLimited() throws {
    let torus = try MeshShapes.torus(around: 90, across: 45, radius: 1, thickness: 0.3)
    var counts: [Int] = []
    for limit in [0.000_3, 0.001, 0.003] {
      let simple = MeshSimplification(errorMeters: limit).simplify(torus)
      let worst = simple.positions.map {
        abs(MeshShapes.height($0.vector, radius: 1, thickness: 0.3))
      }.max()
      // The limit is of the mean square; single planes may be farther.
      #expect(worst ?? 1 < 4 * limit)
      #expect(simple.topology.genus == 1)
      counts.append(simple.triangles.count)
    }
    #expect(counts == counts.sorted(by: >) && counts[0] < torus.triangles.count)
  }

  @Test func aBoxKeepsItsCorners() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 12)
    let simple = MeshSimplification(errorMeters: 1e-4).simplify(box)
    #expect(simple.triangles.count < 40 && simple.topology.genus == 0)
    #expect(abs(simple.enclosedVolume - 6) < 0.001)
    for corner in 0..<8 {
      let place = SIMD3<Double>(
        Double(corner & 1), Double(corner >> 1 & 1) * 2, Double(corner >> 2) * 3)
      #expect(simple.positions.contains { near($0.vector, place, within: 1e-3) })
    }
  }

  @Test func aBorderKeepsItsCourse() throws {
    let plane = try SampleMeshes.plane(columns: 20, rows: 10, width: 2, height: 1, depth: 1)
    let simple = MeshSimplification(triangleCount: 2).simplify(plane)
    #expect(simple.triangles.count == 2 && simple.topology.eulerNumber == 1)
    #expect(abs(simple.surfaceArea - 2) < 1e-4)
  }

  @Test(arguments: [2, 7])
  func threadsDoNotMatter(threads: Int) throws {
    let torus = try MeshShapes.torus(around: 120, across: 80, radius: 1, thickness: 0.3)
    let one = MeshSimplification(triangleCount: 3_000).simplify(torus)
    let many = MeshSimplification(triangleCount: 3_000).simplify(torus, threads: threads)
    #expect(one.positions == many.positions && one.triangles == many.triangles)
  }

  @Test func attributesAreInterpolated() throws {
    var plane = try SampleMeshes.plane(columns: 20, rows: 20, width: 1, height: 1, depth: 1)
    func red(_ x: Float) -> Float { 127.5 + 200 * x }
    plane.colors = plane.positions.map {
      RGB8(red: UInt8(red($0.x)), green: 7, blue: 9)
    }
    plane.sigmaMeters = plane.positions.map { 0.01 + 0.01 * $0.x }
    plane.normals = plane.areaWeightedNormals
    plane.isInvented = plane.positions.map { $0.x < -0.45 }
    let simple = MeshSimplification(triangleCount: 200).simplify(plane)
    for (vertex, point) in simple.positions.enumerated() {
      let color = try #require(simple.colors?[vertex])
      // Off the line between two vertices the nearest place on it counts: up to an edge of 0.05 m.
      #expect(abs(Float(color.red) - red(point.x)) < 12 && color.green == 7 && color.blue == 9)
      let sigma = try #require(simple.sigmaMeters?[vertex])
      #expect(abs(sigma - (0.01 + 0.01 * point.x)) < 0.000_6)
      #expect(simple.normals?[vertex] == PackedPoint(x: 0, y: 0, z: -1))
      if point.x < -0.45 { #expect(simple.isInvented?[vertex] == true) }
      if point.x > 0 { #expect(simple.isInvented?[vertex] == false) }
    }
  }

  @Test func whatIsNoManifoldStays() throws {
    let ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 12, segments: 16)
    // A fin on one edge: three triangles share it.
    let tip = PackedPoint(x: 0, y: 0, z: 9)
    let mesh = try TriangleMesh(
      positions: ball.positions + [tip],
      triangles: ball.triangles + [TriangleIndices(40, 41, UInt32(ball.vertexCount))])
    let simple = MeshSimplification(triangleCount: 60).simplify(mesh)
    #expect(simple.triangles.count <= 60 && simple.topology.crowdedEdgeCount == 1)
    for vertex in [40, 41] { #expect(simple.positions.contains(ball.positions[vertex])) }
    #expect(MeshSimplification(triangleCount: 10).simplify(try empty()).triangles.isEmpty)
  }

  @Test func aTetrahedronIsTheLeast() throws {
    let ball = try SampleMeshes.ball(radius: 1, center: [0, 0, 3], rings: 8, segments: 10)
    let least = MeshSimplification().simplify(ball)
    #expect(least.topology.genus == 0 && least.triangles.count >= 4)
    #expect(least.enclosedVolume > 0.1)
  }

  private func empty() throws -> TriangleMesh {
    try TriangleMesh(positions: [], triangles: [])
  }

  private func near(
    _ one: SIMD3<Double>, _ other: SIMD3<Double>, within distance: Double
  ) -> Bool {
    ((one - other) * (one - other)).sum() < distance * distance
  }
}
