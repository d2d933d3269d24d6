import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshRasterizationTests {
  let camera = PinholeIntrinsics(
    focalLength: [60, 62], principalPoint: [33.3, 24.1], size: RasterSize(width: 64, height: 48))

  /// Where the image of a mesh is certain: all rays around a pixel's meet the same triangle.
  func certainHit(_ mesh: TriangleMesh, _ x: Int, _ y: Int) -> MeshHit?? {
    let pixel = SIMD2(Double(x), Double(y))
    let hit = Oracle.hit(mesh, camera: camera, pixel: pixel)
    // Corners are rounded to 1/512 of a pixel at most.
    let reach = 0.01
    for corner in [[-1, -1], [1, -1], [-1, 1], [1, 1]] as [SIMD2<Double>] {
      let near = Oracle.hit(mesh, camera: camera, pixel: pixel + corner * reach)
      if near?.triangle != hit?.triangle { return nil }
    }
    return .some(hit)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func seesWhatRaysMeet(seed: UInt64) throws {
    let mesh = try RandomMesh.mesh(seed: seed, vertices: 20, triangles: 14)
    let view = MeshRasterization(mesh, camera: camera)
    var certain = 0
    for y in 0..<48 {
      for x in 0..<64 {
        guard let hit = certainHit(mesh, x, y) else { continue }
        certain += 1
        guard let hit else {
          #expect(view.triangles[x, y] == MeshRasterization.nothing)
          #expect(view.depthMeters[x, y].isNaN && view.shares[x, y].x.isNaN)
          continue
        }
        #expect(Int(view.triangles[x, y]) == hit.triangle, "at (\(x), \(y))")
        // 1/512 of a pixel, times a slope of up to 1 m in a pixel for triangles seen from the edge.
        #expect(abs(Double(view.depthMeters[x, y]) - hit.depth) < 0.01)
        let shares = SIMD2<Double>(view.shares[x, y])
        let difference = shares - hit.shares
        #expect(max(abs(difference.x), abs(difference.y)) < 0.02)
      }
    }
    #expect(certain > 2000 && view.droppedTriangleCount == 0)
  }

  @Test func depthOfAPlaneAslantIsExact() throws {
    var mesh = try SampleMeshes.plane(columns: 1, rows: 1, width: 4, height: 4, depth: 2)
    for vertex in mesh.positions.indices {
      mesh.positions[vertex].z += 0.4 * mesh.positions[vertex].x
    }
    let view = MeshRasterization(mesh, camera: camera)
    for y in 0..<48 {
      for x in 0..<64 {
        // z = 2 + 0.4·x with x = z·r gives z = 2 / (1 − 0.4·r).
        let ray = (Double(x) - 33.3) / 60
        let error = Double(view.depthMeters[x, y]) - 2 / (1 - 0.4 * ray)
        // 1/512 of a pixel of 1/60 in slope 0.4 at 2 m is 3e-5 m; corners are far outside.
        #expect(abs(error) < 1e-4)
      }
    }
  }

  @Test func everyPixelOfASharedEdgeHasOneOwner() throws {
    // Vertices on pixel centers: the diagonal and the sides run through centers as well.
    let lens = PinholeIntrinsics(
      focalLength: [1, 1], principalPoint: [0, 0], size: RasterSize(width: 20, height: 20))
    func point(_ x: Float, _ y: Float) -> PackedPoint { PackedPoint(x: x, y: y, z: 1) }
    let points = [point(2, 2), point(2, 14), point(14, 14), point(14, 2), point(9, 7)]
    let fan = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)] as [(UInt32, UInt32, UInt32)]
    var owners = [Int](repeating: 0, count: 400)
    for (a, b, c) in fan {
      for turned in [false, true] {
        let triangle = turned ? TriangleIndices(c, b, a) : TriangleIndices(a, b, c)
        let mesh = try TriangleMesh(positions: points, triangles: [triangle])
        let view = MeshRasterization(mesh, camera: lens)
        for (place, index) in view.triangles.samples.enumerated() where index == 0 {
          owners[place] += 1
        }
      }
    }
    for y in 0..<20 {
      for x in 0..<20 {
        // Left and upper sides are in, right and lower ones out; each fan was drawn twice.
        let isInside = (2..<14).contains(x) && (2..<14).contains(y)
        #expect(owners[y * 20 + x] == (isInside ? 2 : 0), "at (\(x), \(y))")
      }
    }
  }

  @Test func ofEqualDepthsTheFirstIsSeen() throws {
    let plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 4, height: 4, depth: 2)
    let mesh = try TriangleMesh(
      positions: plane.positions + plane.positions,
      triangles: plane.triangles
        + plane.triangles.map { TriangleIndices($0.first + 4, $0.second + 4, $0.third + 4) })
    let seen = Set(MeshRasterization(mesh, camera: camera).triangles.samples)
    #expect(seen == [0, 1])
  }

  @Test func facesAndNearTrianglesAreLeftOutAsSaid() throws {
    let ball = try SampleMeshes.ball(radius: 0.5, center: [0, 0, 2], rings: 10, segments: 20)
    let front = MeshRasterization(ball, camera: camera, faces: .front)
    #expect(front.triangles.samples == MeshRasterization(ball, camera: camera).triangles.samples)
    let turned = try TriangleMesh(
      positions: ball.positions,
      triangles: ball.triangles.map { TriangleIndices($0.third, $0.second, $0.first) })
    let inside = MeshRasterization(turned, camera: camera, faces: .front)
    // From outside one sees the far wall.
    let middle = inside.depthMeters[33, 24]
    #expect(abs(middle - 2.5) < 0.02)
    let near = MeshRasterization(ball, camera: camera, nearMeters: 1.6)
    let dropped = ball.triangles.count { triangle in
      (0..<3).contains { ball.positions[triangle[$0]].z < 1.6 }
    }
    #expect(near.droppedTriangleCount == dropped && dropped > 0)
    #expect(near.depthMeters[33, 24] > 2)
  }

  @Test func trianglesFarBesideTheImageAreDropped() throws {
    let mesh = try TriangleMesh(
      positions: [
        PackedPoint(x: 0, y: 0, z: 0.02), PackedPoint(x: 1e6, y: 0, z: 0.02),
        PackedPoint(x: 0, y: 1e6, z: 0.02),
      ], triangles: [TriangleIndices(0, 1, 2)])
    let view = MeshRasterization(mesh, camera: camera)
    #expect(view.droppedTriangleCount == 1)
    #expect(view.triangles.samples.allSatisfy { $0 == MeshRasterization.nothing })
  }

  @Test func aGivenProjectionIsUsed() throws {
    let ball = try SampleMeshes.ball(radius: 0.5, center: [0, 0, 2], rings: 10, segments: 20)
    let shifted = MeshRasterization(ball, size: camera.size) { [camera] point in
      camera.project(point) + SIMD2(5, 3)
    }
    let straight = MeshRasterization(ball, camera: camera)
    for y in 0..<40 {
      for x in 0..<50 {
        #expect(shifted.triangles[x + 5, y + 3] == straight.triangles[x, y])
      }
    }
  }
}
