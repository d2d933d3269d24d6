import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct DepthTriangulationTests {
  static let size = RasterSize(width: 40, height: 30)
  static let camera = CameraCalibration(
    intrinsics: PinholeIntrinsics(focalLength: [50, 50], principalPoint: [19.5, 14.5], size: size))
  static let noise = SigmaCurve(constantMeters: 0.001, perMeterSquared: 0.002)

  static func cloud(_ depth: (Int, Int) -> Float, color: Raster<RGB8>? = nil) -> PointCloud {
    PointCloud(
      depth: DepthMap(meters: Raster(size: size, depth)), rays: camera.rayMap, color: color,
      uncertainty: .curve(noise), isMetric: true)
  }

  static func mesh(_ cloud: PointCloud, noise: SigmaCurve? = noise) throws -> TriangleMesh? {
    try DepthTriangulation().mesh(of: cloud, size: size, noise: noise, hasTexture: true)
  }

  @Test("A plane is one surface of its own area, whose normals look at the camera")
  func plane() throws {
    let found = try #require(try Self.mesh(Self.cloud { _, _ in 2 }))
    #expect(found.vertexCount == Self.size.pixelCount)
    #expect(found.triangles.count == 2 * 39 * 29)
    // 39 by 29 squares of 2/50 m; single precision of 2,262 triangles.
    #expect(abs(found.surfaceArea - 39 * 29 * 0.04 * 0.04) < 1e-4)
    for normal in try #require(found.normals) { #expect(normal.z < -0.9999) }
    // Across the ray the ± along the normal is that of the depth.
    let sigma = Float(Self.noise.sigmaMeters(atDepth: 2))
    for own in try #require(found.sigmaMeters) { #expect(abs(own - sigma) < 1e-6) }
  }

  @Test("The texture's coordinates are the centers of the pixels")
  func texture() throws {
    let found = try #require(try Self.mesh(Self.cloud { _, _ in 1 }))
    let layout = try #require(found.texture)
    #expect(layout.coordinates[0] == SIMD2(0.5 / 40, 0.5 / 30))
    #expect(layout.coordinates[41] == SIMD2(1.5 / 40, 1.5 / 30))
    #expect(layout.triangles == found.triangles)
  }

  @Test("A step is cut, noise and a slope are not", arguments: [UInt64(1), 2, 3])
  func edges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let found = try #require(
      try Self.mesh(
        Self.cloud { x, _ in
          // Left a wall that leans by 45°, right one behind it by 0.5 m.
          let depth = x < 20 ? 1 / (1 - (Double(x) - 19.5) / 50) : 2
          let sigma = Self.noise.sigmaMeters(atDepth: depth)
          return Float(depth + random.gaussian(mean: 0, sigma: sigma))
        }))
    // Two strips of squares: columns 0…19 and 20…39; none of them is cut by 5 σ of noise.
    #expect(found.triangles.count == 2 * 29 * (19 + 19))
    for triangle in found.triangles {
      let depths = (0..<3).map { found.positions[triangle[$0]].z }
      let range = try #require(depths.max()) - #require(depths.min())
      #expect(range < 0.2)
    }
  }

  @Test("Around a hole the squares of three pixels keep one triangle")
  func holes() throws {
    let found = try #require(try Self.mesh(Self.cloud { x, y in x == 10 && y == 10 ? .nan : 1 }))
    // Four squares have the pixel: each loses one of its two triangles.
    #expect(found.triangles.count == 2 * 39 * 29 - 4)
    #expect(found.vertexCount == Self.size.pixelCount - 1)
  }

  @Test("No triangles, no mesh; a vertex that no triangle uses is left out")
  func sparse() throws {
    #expect(try Self.mesh(Self.cloud { x, y in (x + y) % 2 == 0 ? 1 : .nan }) == nil)
    #expect(try Self.mesh(Self.cloud { _, _ in .nan }) == nil)
    let found = try #require(
      try Self.mesh(Self.cloud { x, y in x < 2 && y < 2 || x == 20 && y == 20 ? 1 : .nan }))
    #expect(found.vertexCount == 4 && found.triangles.count == 2)
  }

  @Test("Triangles go round counter-clockwise for the camera, whatever is missing")
  func orientation() throws {
    var random = SeededGenerator(seed: 4)
    let found = try #require(
      try Self.mesh(
        Self.cloud { _, _ in
          random.chance(0.2) ? .nan : Float(1 + random.uniform(in: 0..<0.01))
        }))
    for triangle in found.triangles {
      let corners = (0..<3).map { found.positions[triangle[$0]].vector }
      let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
      let normal = SIMD3(
        u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      #expect((normal * corners[0]).sum() < 0)
    }
  }
}
