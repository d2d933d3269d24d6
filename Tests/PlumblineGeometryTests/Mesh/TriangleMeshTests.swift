import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct TriangleMeshTests {
  let corners = [
    PackedPoint(x: 0, y: 0, z: 1), PackedPoint(x: 0, y: 1, z: 1), PackedPoint(x: 1, y: 0, z: 1),
  ]

  @Test func badListsAreNamed() {
    func error(_ make: () throws(MeshError) -> Void) -> MeshError? {
      do throws(MeshError) { try make() } catch { return error }
      return nil
    }
    let one = [TriangleIndices(0, 1, 2)]
    let beyond = error { () throws(MeshError) in
      _ = try TriangleMesh(positions: corners, triangles: one + [TriangleIndices(0, 1, 3)])
    }
    #expect(beyond?.reason == .outOfRange && beyond?.place == "triangles[1]")
    #expect(beyond?.description == "triangles[1]: expected places below 3, found 3")
    let twice = error { () throws(MeshError) in
      _ = try TriangleMesh(positions: corners, triangles: [TriangleIndices(0, 1, 0)])
    }
    #expect(twice?.reason == .degenerate && twice?.place == "triangles[0]")
    let endless = error { () throws(MeshError) in
      _ = try TriangleMesh(
        positions: corners + [PackedPoint(x: 0, y: .infinity, z: 1)], triangles: one)
    }
    #expect(endless?.reason == .outOfRange && endless?.place == "positions[3]")
    let short = error { () throws(MeshError) in
      _ = try TriangleMesh(positions: corners, triangles: one, sigmaMeters: [0, 1])
    }
    #expect(short?.reason == .mismatch && short?.place == "sigmaMeters")
    let layout = error { () throws(MeshError) in
      let texture = try TextureLayout(coordinates: [[0, 0]], triangles: [])
      _ = try TriangleMesh(positions: corners, triangles: one, texture: texture)
    }
    #expect(layout?.reason == .mismatch && layout?.place == "texture.triangles")
    let coordinate = error { () throws(MeshError) in
      _ = try TextureLayout(coordinates: [[0, .nan]], triangles: [])
    }
    #expect(coordinate?.reason == .outOfRange && coordinate?.place == "texture.coordinates[0]")
    let place = error { () throws(MeshError) in
      _ = try TextureLayout(coordinates: [[0, 0]], triangles: [TriangleIndices(0, 0, 1)])
    }
    #expect(place?.reason == .outOfRange && place?.place == "texture.triangles[0]")
  }

  @Test func missingSigmasMayBeMissing() throws {
    let mesh = try TriangleMesh(
      positions: corners, triangles: [], sigmaMeters: [.nan, 1, 2],
      residualMeters: [.nan, .nan, 0])
    #expect(mesh.sigmaMeters?[0].isNaN == true)
  }

  @Test func areaOfAPlaneIsItsSides() throws {
    let mesh = try SampleMeshes.plane(columns: 7, rows: 3, width: 0.4, height: 0.3, depth: 1.1)
    // Single precision of the positions: 6e-8 of a meter on each side.
    #expect(abs(mesh.surfaceArea - 0.12) < 1e-7)
    #expect(mesh.areaWeightedNormals.allSatisfy { $0 == PackedPoint(x: 0, y: 0, z: -1) })
  }

  @Test func areaOfABallComesNearFourPiSquares() throws {
    for rings in [8, 16, 32] {
      let mesh = try SampleMeshes.ball(
        radius: 0.5, center: [0.1, -0.2, 2], rings: rings, segments: 2 * rings)
      // Inside the ball, so less; the sides of the polyhedron lie within 1 − cos(π/2n) of it.
      let share = mesh.surfaceArea / (4 * .pi * 0.25)
      let angle = Double.pi / Double(rings)
      #expect(share < 1 && share > 1 - angle * angle / 3, "\(rings) rings: \(share)")
    }
  }

  @Test func normalsOfABallPointOut() throws {
    let center = SIMD3<Double>(0.1, -0.2, 2)
    let mesh = try SampleMeshes.ball(radius: 0.5, center: [0.1, -0.2, 2], rings: 24, segments: 48)
    for (point, normal) in zip(mesh.positions, mesh.areaWeightedNormals) {
      let outward = (point.vector - center) / 0.5
      let cosine = (outward * normal.vector).sum()
      // Beside a pole triangles of 7.5° are many above a vertex and few below it: 1.27° are left.
      #expect(cosine > 0.9997)
      let length = (normal.vector * normal.vector).sum()
      #expect(abs(length - 1) < 1e-6)
    }
  }

  @Test func normalsAreTheSlowSum() throws {
    let mesh = try RandomMesh.mesh(seed: 5, vertices: 30, triangles: 80)
    let normals = mesh.areaWeightedNormals
    for vertex in 0..<mesh.vertexCount {
      var sum = SIMD3<Double>.zero
      for triangle in mesh.triangles where (0..<3).contains(where: { triangle[$0] == vertex }) {
        // Newell's sum over the edges: another formula for the same vector.
        for corner in 0..<3 {
          let p = mesh.positions[triangle[corner]].vector
          let q = mesh.positions[triangle[(corner + 1) % 3]].vector
          sum += SIMD3(
            (p.y - q.y) * (p.z + q.z), (p.z - q.z) * (p.x + q.x), (p.x - q.x) * (p.y + q.y))
        }
      }
      let length = (sum * sum).sum().squareRoot()
      let expected = length > 0 ? sum / length : .zero
      let difference = normals[vertex].vector - expected
      // Rounding to single precision.
      #expect((difference * difference).sum().squareRoot() < 2e-7)
    }
  }

  @Test func aVertexOfNoTriangleHasNoNormal() throws {
    let mesh = try TriangleMesh(positions: corners, triangles: [])
    #expect(mesh.areaWeightedNormals == Array(repeating: PackedPoint(x: 0, y: 0, z: 0), count: 3))
    #expect(mesh.surfaceArea == 0)
  }
}

/// Triangles between random points, edges with three and more of them included.
enum RandomMesh {
  static func mesh(seed: UInt64, vertices: Int, triangles: Int) throws(MeshError) -> TriangleMesh {
    var random = SeededGenerator(seed: seed)
    let positions = (0..<vertices).map { _ in
      PackedPoint(
        x: Float(random.uniform(in: -1..<1)), y: Float(random.uniform(in: -1..<1)),
        z: Float(random.uniform(in: 1..<3)))
    }
    var list: [TriangleIndices] = []
    while list.count < triangles {
      let triangle = TriangleIndices(
        UInt32(random.integer(below: vertices)), UInt32(random.integer(below: vertices)),
        UInt32(random.integer(below: vertices)))
      if !triangle.repeatsCorner { list.append(triangle) }
    }
    return try TriangleMesh(positions: positions, triangles: list)
  }
}
