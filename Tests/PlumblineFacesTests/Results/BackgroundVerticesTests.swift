import PlumblineFaces
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Which vertices the photo does not show, by the depth map.
@Suite struct BackgroundVerticesTests {
  private let size = RasterSize(width: 160, height: 120)
  private var camera: CameraCalibration {
    CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [200, 200], principalPoint: [79.5, 59.5], size: size))
  }

  private func ball(_ radius: Float) throws -> TriangleMesh {
    var ball = try SampleMeshes.ball(radius: radius, center: [0, 0, 0.5], rings: 40, segments: 80)
    ball.normals = ball.areaWeightedNormals
    return ball
  }

  /// A ball of 8 cm before a wall; without one, nothing behind it.
  private func surface(wallMeters: Float?, hole: Bool = false) throws -> MeasuredSurface {
    let drawn = MeshRasterization(try ball(0.08), camera: camera.intrinsics, faces: .front)
    let depth = Raster(size: size) { x, y -> Float in
      if hole, abs(x - 80) < 4, abs(y - 60) < 4 { return .nan }
      let own = drawn.depthMeters[x, y]
      return own > 0 && own < .infinity ? own : wallMeters ?? .nan
    }
    return MeasuredSurface(
      DepthMap(meters: depth), sigmas: SigmaCurve(perMeterSquared: 0.002), camera: camera,
      isFiltered: false)
  }

  /// The cosine between a vertex's normal and its line of sight.
  private func facing(_ mesh: TriangleMesh, _ vertex: Int) throws -> Double {
    let place = mesh.positions[vertex].vector
    let normal = try #require(mesh.normals)[vertex].vector
    return -(normal * place).sum() / (place * place).sum().squareRoot()
  }

  @Test(arguments: [0.7, nil] as [Float?])
  func whatReachesBeyondTheHeadIsBackground(wall: Float?) throws {
    let surface = try surface(wallMeters: wall)
    // A model whose outline lies 12 mm, or 5 pixels, outside of the measured one.
    let large = try ball(0.092)
    let hidden = surface.backgroundVertices(of: large)
    for vertex in large.positions.indices {
      let facing = try facing(large, vertex)
      if (0.02...0.15).contains(facing) { #expect(hidden[vertex], "\(facing)") }
      // There the measured ball, two pixels farther out, lies 20 mm behind the large one; from 0.7 on 26 mm.
      if facing > 0.8 { #expect(!hidden[vertex], "\(facing)") }
    }
  }

  @Test func aHoleInTheMiddleSaysNothing() throws {
    let hidden = try surface(wallMeters: 0.7, hole: true).backgroundVertices(of: ball(0.08))
    let mesh = try ball(0.08)
    for vertex in mesh.positions.indices where try facing(mesh, vertex) > 0.9 {
      #expect(!hidden[vertex])
    }
  }

  @Test func whatTheMapDoesNotCoverIsNotJudged() throws {
    var mesh = try ball(0.08)
    mesh.positions = mesh.positions.map { PackedPoint(x: $0.x + 2, y: $0.y, z: $0.z) }
    #expect(try surface(wallMeters: 0.7).backgroundVertices(of: mesh).allSatisfy { !$0 })
    mesh.positions = mesh.positions.map { PackedPoint(x: $0.x, y: $0.y, z: -$0.z) }
    #expect(try surface(wallMeters: 0.7).backgroundVertices(of: mesh).allSatisfy { $0 })
  }
}
