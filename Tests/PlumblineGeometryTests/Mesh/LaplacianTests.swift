import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct LaplacianTests {
  /// A plane in space whose inner vertices were moved within it, and which of them are inner.
  func shakenPlane(seed: UInt64) throws -> (mesh: TriangleMesh, isInner: [Bool]) {
    var mesh = try SampleMeshes.plane(columns: 9, rows: 7, width: 0.9, height: 0.7, depth: 1)
    var random = SeededGenerator(seed: seed)
    let isInner = mesh.positions.map { abs($0.x) < 0.44 && abs($0.y) < 0.34 }
    for vertex in mesh.positions.indices where isInner[vertex] {
      mesh.positions[vertex].x += Float(random.uniform(in: -0.025..<0.025))
      mesh.positions[vertex].y += Float(random.uniform(in: -0.025..<0.025))
    }
    // Aslant: no axis is special.
    for vertex in mesh.positions.indices {
      mesh.positions[vertex].z = 1 + 0.3 * mesh.positions[vertex].x - 0.7 * mesh.positions[vertex].y
    }
    return (mesh, isInner)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func cotangentsOfAPlaneLeaveItFlat(seed: UInt64) throws {
    let (mesh, isInner) = try shakenPlane(seed: seed)
    // Wide enough that none of these triangles is held back.
    let weights = LaplacianWeights.cotangent(mesh, clampedTo: -1000...1000)
    let laplacian = weights.laplacian(of: mesh.positions.map(\.vector))
    for vertex in laplacian.indices where isInner[vertex] {
      // Rounding of the positions to 6e-8 m, times weights of about 1 at six neighbors.
      #expect((laplacian[vertex] * laplacian[vertex]).sum().squareRoot() < 2e-6)
    }
    let rim = laplacian.indices.filter { !isInner[$0] }.map { laplacian[$0] }
    #expect(rim.contains { ($0 * $0).sum() > 1e-6 })
  }

  @Test func uniformWeightsOfARegularPlaneLeaveItFlat() throws {
    let mesh = try SampleMeshes.plane(columns: 6, rows: 5, width: 0.6, height: 0.5, depth: 1)
    let laplacian = LaplacianWeights.uniform(mesh).laplacian(of: mesh.positions.map(\.vector))
    for (value, point) in zip(laplacian, mesh.positions)
    where abs(point.x) < 0.29 && abs(point.y) < 0.24 {
      #expect((value * value).sum().squareRoot() < 1e-7)
    }
  }

  @Test func cotangentsAreTheSlowAnglesAndTheSameFromBothEnds() throws {
    let mesh = try RandomMesh.mesh(seed: 8, vertices: 14, triangles: 25)
    let weights = LaplacianWeights.cotangent(mesh, clampedTo: -1e9...1e9)
    for vertex in 0..<mesh.vertexCount {
      for place in weights.neighbors.starts[vertex]..<weights.neighbors.starts[vertex + 1] {
        let other = Int(weights.neighbors.indices[place])
        var expected = 0.0
        for triangle in mesh.triangles {
          let corners = (0..<3).map { triangle[$0] }
          guard corners.contains(vertex), corners.contains(other),
            let apex = corners.first(where: { $0 != vertex && $0 != other })
          else { continue }
          // By the law of cosines: cot γ = (a² + b² − c²) / 4A, with the area of Heron.
          func squared(_ p: Int, _ q: Int) -> Double {
            let d = mesh.positions[p].vector - mesh.positions[q].vector
            return (d * d).sum()
          }
          let (a, b, c) = (squared(apex, vertex), squared(apex, other), squared(vertex, other))
          let sixteenfold = 2 * (a * b + b * c + c * a) - (a * a + b * b + c * c)
          expected += (a + b - c) / sixteenfold.squareRoot() / 2
        }
        // Heron's formula loses digits where triangles are thin.
        #expect(abs(weights.weights[place] - expected) < 1e-6 * max(1, abs(expected)))
      }
    }
  }

  @Test func weightsAreHeldWithinTheirRange() throws {
    // An obtuse and very thin triangle: one cotangent is large, one is below 0.
    let mesh = try TriangleMesh(
      positions: [
        PackedPoint(x: 0, y: 0, z: 1), PackedPoint(x: 0.5, y: 0.001, z: 1),
        PackedPoint(x: 1, y: 0, z: 1),
      ], triangles: [TriangleIndices(0, 1, 2)])
    let free = LaplacianWeights.cotangent(mesh, clampedTo: -1e9...1e9).weights
    #expect((free.min() ?? 0) < -100 && (free.max() ?? 0) > 100)
    let held = LaplacianWeights.cotangent(mesh).weights
    #expect(held.min() == 0 && held.max() == 100)
  }
}
