import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct SurfaceTreeTests {
  /// The distance of a point from a triangle, found by halving the steps of a search over its shares.
  private func slowDistance(_ point: SIMD3<Double>, _ mesh: TriangleMesh, _ index: Int) -> Double {
    let corners = mesh.triangles[index]
    let a = mesh.positions[corners[0]].vector
    let b = mesh.positions[corners[1]].vector - a
    let c = mesh.positions[corners[2]].vector - a
    func square(_ u: Double, _ v: Double) -> Double {
      let offset = a + u * b + v * c - point
      return (offset * offset).sum()
    }
    // For each u the best v in closed form; the square is convex in u.
    func best(_ u: Double) -> Double {
      let length = (c * c).sum()
      let v = length > 0 ? ((point - a - u * b) * c).sum() / length : 0
      return square(u, min(max(0, v), 1 - u))
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
      let (one, other) = (low + (high - low) / 3, high - (high - low) / 3)
      if best(one) < best(other) { high = other } else { low = one }
    }
    return min(best(low), best(0), best(1)).squareRoot()
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func nearestIsThatOfAllTriangles(seed: UInt64) throws {
    let mesh = try RandomMesh.mesh(seed: seed, vertices: 40, triangles: 75)
    let tree = try #require(SurfaceTree.build(for: mesh))
    var random = SeededGenerator(seed: seed + 100)
    let points = (0..<40).map { _ in
      SIMD3(
        random.uniform(in: -2..<2), random.uniform(in: -2..<2), random.uniform(in: 0..<4))
    }
    for (point, found) in zip(points, tree.nearest(to: points)) {
      let slow = mesh.triangles.indices.map { slowDistance(point, mesh, $0) }.min() ?? 0
      // The search compares in single precision of coordinates up to 4 m.
      #expect(abs(found.distance - slow) < 2e-6)
      let offset = found.position - point
      #expect(abs((offset * offset).sum().squareRoot() - found.distance) < 1e-12)
    }
  }

  @Test func theSignTellsInsideFromOutside() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 2)
    let torus = try MeshShapes.torus(around: 48, across: 24, radius: 1, thickness: 0.3)
    let boxTree = try #require(SurfaceTree.build(for: box))
    let torusTree = try #require(SurfaceTree.build(for: torus))
    var random = SeededGenerator(seed: 4)
    let points = (0..<2_000).map { _ in
      SIMD3(
        random.uniform(in: -2..<3), random.uniform(in: -2..<3), random.uniform(in: -1..<4))
    }
    for (point, found) in zip(points, boxTree.nearest(to: points)) {
      let isInside = (0..<3).allSatisfy { point[$0] > 0 && point[$0] < Double($0 + 1) }
      #expect((found.signedDistance < 0) == isInside && !found.isOnBorder)
    }
    for (point, found) in zip(points, torusTree.nearest(to: points)) {
      let height = MeshShapes.height(point, radius: 1, thickness: 0.3)
      // The sides of the mesh lie up to 0.3·(1 − cos 7.5°) + 1.3·(1 − cos 3.75°) = 5.4 mm inside of the
      // torus, and in its hole 0.7·(1 − cos 3.75°) = 1.5 mm outside.
      #expect(found.signedDistance > height - 0.002 && found.signedDistance < height + 0.006)
    }
  }

  @Test func raysMeetWhatTheyMeet() throws {
    let mesh = try RandomMesh.mesh(seed: 9, vertices: 60, triangles: 150)
    let tree = try #require(SurfaceTree.build(for: mesh))
    let camera = PinholeIntrinsics(
      focalLength: [20, 20], principalPoint: [15.5, 11.5], size: RasterSize(width: 32, height: 24))
    var rays: [(origin: SIMD3<Double>, direction: SIMD3<Double>)] = []
    var slow: [MeshHit?] = []
    for y in 0..<24 {
      for x in 0..<32 {
        let pixel = SIMD2(Double(x), Double(y))
        rays.append((.zero, camera.unproject(pixel, depth: 1)))
        slow.append(Oracle.hit(mesh, camera: camera, pixel: pixel))
      }
    }
    var differ = 0
    for (hit, expected) in zip(tree.firstHits(of: rays, threads: 2), slow) {
      guard let hit, let expected, hit.triangle == expected.triangle else {
        if hit != nil || expected != nil { differ += 1 }
        continue
      }
      #expect(abs(hit.length - expected.depth) < 2e-5)
    }
    // Rays that graze an edge.
    #expect(differ <= 2)
  }

  @Test func whatLiesBeyondABorderIsSaid() throws {
    let plane = try SampleMeshes.plane(columns: 4, rows: 4, width: 1, height: 1, depth: 1)
    let tree = try #require(SurfaceTree.build(for: plane))
    let found = tree.nearest(to: [[0.1, 0.2, 0.5], [0.8, 0, 1], [0.7, 0.7, 2], [0.1, 0.2, 1.5]])
    #expect(found.map(\.isOnBorder) == [false, true, true, false])
    #expect(found[0].signedDistance == 0.5 && found[3].signedDistance == -0.5)
    #expect(abs(found[1].distance - 0.3) < 1e-7)
    #expect(SurfaceTree.build(for: try TriangleMesh(positions: [], triangles: [])) == nil)
  }

  @Test(arguments: [2, 7])
  func threadsDoNotMatter(threads: Int) throws {
    let torus = try MeshShapes.torus(around: 40, across: 20, radius: 1, thickness: 0.3)
    let tree = try #require(SurfaceTree.build(for: torus))
    var random = SeededGenerator(seed: 5)
    let points = (0..<5_000).map { _ in
      SIMD3(
        random.uniform(in: -1.0..<1), random.uniform(in: -1.0..<1), random.uniform(in: -1.0..<1))
    }
    #expect(tree.nearest(to: points) == tree.nearest(to: points, threads: threads))
  }
}
