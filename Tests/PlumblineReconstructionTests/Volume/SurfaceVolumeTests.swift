import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineSimulation
import Testing

/// What a volume holds of surfaces in closed form.
struct SurfaceVolumeTests {
  /// A plane at 1 m, slanted: depth where ray · normal = offset.
  private static let normal = SIMD3(0.28, 0, 0.96)

  private static func slanted(_ ray: SIMD3<Double>) -> Double { 0.96 / (ray * normal).sum() }

  /// A ball of 0.2 m seen from all sides.
  private static func ball(
    voxel: Double = 0.01, shift: SIMD3<Double> = .zero, turn: Rotation = .identity,
    threads: Int = 2
  ) throws -> SurfaceVolume {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: voxel))
    for pose in SceneFrames.poses(distance: 0.6) {
      let frame = SceneFrames.frame(
        shared: SigmaCurve(constantMeters: 0.001), color: RGB8(red: 200, green: 100, blue: 7)
      ) { SceneFrames.ball($0, center: [0, 0, 0.6], radius: 0.2) }
      let turned = RigidTransform(rotation: turn, translation: .zero) * pose
      try volume.integrate(
        frame,
        worldFromCamera: RigidTransform(
          rotation: turned.rotation, translation: turned.translation + shift), threads: threads)
    }
    return volume
  }

  @Test func planeHasItsDistanceAndWeightInClosedForm() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    for _ in 0..<3 {
      try volume.integrate(
        SceneFrames.frame(depth: Self.slanted), worldFromCamera: .identity, threads: 2)
    }
    var checked = 0
    for x in -20...20 {
      for z in 85...115 {
        let point = SIMD3(Double(x), 3, Double(z)) * 0.01
        let expected = 0.96 - (point * Self.normal).sum()
        guard abs(expected) < 0.008 else { continue }
        let voxel = try #require(volume.voxel(x, 3, z))
        // A hundredth of a millimeter: three times 1/4096 of a voxel, and single precision of 1/z and its slopes.
        #expect(abs(Double(voxel.distance) - expected) < 1e-5)
        // The law says cos² at the pixel; half a pixel beside, it differs by less than 2 %.
        let cosine2 =
          (point * Self.normal).sum() * (point * Self.normal).sum() / (point * point).sum()
        #expect(abs(Double(voxel.weight) / (3 * cosine2 / 4e-6) - 1) < 0.02)
        checked += 1
      }
    }
    #expect(checked > 50)
  }

  @Test func ballIsWatertightAndOfItsSize() throws {
    let surface = try Self.ball().surface(threads: 2)
    let mesh = surface.mesh
    var uses: [SIMD2<UInt32>: Int] = [:]
    for t in mesh.triangles {
      for (a, b) in [(t.first, t.second), (t.second, t.third), (t.third, t.first)] {
        uses[SIMD2(a, b), default: 0] += 1
      }
    }
    // Each edge once in each direction: closed, and turned the same way everywhere.
    #expect(uses.values.allSatisfy { $0 == 1 })
    #expect(uses.keys.allSatisfy { uses[SIMD2($0.y, $0.x)] == 1 })
    let edges = uses.count / 2
    #expect(mesh.vertexCount - edges + mesh.triangles.count == 2)
    // Measured: 0.83 mm at worst, with pixels of 8 mm: the tangent plane of a curved surface is too near at a slant.
    for point in mesh.positions {
      let radius = Double(point.x * point.x + point.y * point.y + point.z * point.z).squareRoot()
      #expect(abs(radius - 0.2) < 0.0012)
    }
    for (normal, point) in zip(mesh.areaWeightedNormals, mesh.positions) {
      #expect(normal.x * point.x + normal.y * point.y + normal.z * point.z > 0)
    }
    #expect(mesh.colors?.allSatisfy { $0 == RGB8(red: 200, green: 100, blue: 7) } == true)
    let sigmas = try #require(mesh.sigmaMeters)
    // From one view with both errors, 2.2 mm at a grazing angle more, down to many views.
    #expect(sigmas.allSatisfy { $0 > 1e-4 && $0 < 0.005 })
    #expect(surface.errors.views.allSatisfy { $0 > 1 })
  }

  /// Voxels of 25 mm, three to four pixels: only every second or fourth pixel is examined for blocks.
  @Test func pixelsPassedOverLeaveNoHole() throws {
    let topology = try Self.ball(voxel: 0.025).surface(threads: 2).mesh.topology
    #expect(topology.isWatertight && topology.componentCount == 1)
  }

  @Test func shiftByWholeVoxelsMovesTheMesh() throws {
    let plain = try Self.ball().surface(threads: 2).mesh
    let moved = try Self.ball(shift: [0.08, -0.16, 0.24]).surface(threads: 2).mesh
    #expect(plain.triangles == moved.triangles)
    for (a, b) in zip(plain.positions, moved.positions) {
      // 0.01 mm: single precision at half a meter, and pixels that round to another side.
      #expect(abs(a.x + 0.08 - b.x) < 2e-4 && abs(a.y - 0.16 - b.y) < 2e-4)
    }
  }

  @Test func turnByNinetyDegreesTurnsTheMesh() throws {
    let plain = try Self.ball().surface(threads: 2).mesh
    let turn = Rotation(x: [0, 1, 0], y: [-1, 0, 0], z: [0, 0, 1])
    let turned = try Self.ball(turn: turn).surface(threads: 2).mesh
    #expect(abs(plain.vertexCount - turned.vertexCount) <= plain.vertexCount / 200)
    // A part of a thousand: diagonals of quadrilaterals turn with the axes.
    #expect(abs(plain.surfaceArea / turned.surfaceArea - 1) < 1e-3)
  }

  @Test func threadsGiveTheSameBytes() throws {
    let expected = try Self.ball(threads: 1).surface(threads: 1)
    for threads in [2, 7] {
      let volume = try Self.ball(threads: threads)
      let found = try volume.surface(threads: threads)
      #expect(found.mesh.triangles == expected.mesh.triangles)
      #expect(
        found.mesh.positions.map(\.x.bitPattern) == expected.mesh.positions.map(\.x.bitPattern))
      #expect(
        found.mesh.positions.map(\.z.bitPattern) == expected.mesh.positions.map(\.z.bitPattern))
      #expect(found.errors.noiseMeters == expected.errors.noiseMeters)
    }
  }

  @Test func flyingPointsDieByCarving() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    let flying = SceneFrames.frame { ray in abs(ray.x) < 0.05 && abs(ray.y) < 0.05 ? 0.6 : 1 }
    let clean = SceneFrames.frame { _ in 1 }
    try volume.integrate(flying, worldFromCamera: .identity, threads: 2)
    let before = try volume.surface(threads: 2).mesh
    #expect(before.positions.contains { $0.z < 0.8 })
    for _ in 0..<3 { try volume.integrate(clean, worldFromCamera: .identity, threads: 2) }
    let after = try volume.surface(threads: 2).mesh
    #expect(!after.positions.contains { $0.z < 0.8 })
    #expect(after.vertexCount > 1000)
  }

  @Test func freeSpaceLeavesWhatIsInFrontOfASurface() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    try volume.integrate(SceneFrames.frame { _ in 1 }, worldFromCamera: .identity, threads: 1)
    let before = try #require(volume.voxel(0, 0, 99))
    // The same place seen as free: a voxel in front keeps what it has, a solid one does not.
    try volume.integrate(SceneFrames.frame { _ in 2 }, worldFromCamera: .identity, threads: 1)
    let front = try #require(volume.voxel(0, 0, 99))
    let solid = try #require(volume.voxel(0, 0, 101))
    #expect(front.distance == before.distance && front.weight == before.weight)
    #expect(solid.distance > 0)
  }

  @Test func noiseOfAPlaneLiesWithinItsPlusMinus() throws {
    // Seen at 16° and, turned, at 60°: independent noise of 2 mm in one frame.
    for normal in [SIMD3(0.28, 0, 0.96), SIMD3(0.866, 0, 0.5)] {
      var generator = SeededGenerator(seed: 7)
      var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.02))
      for _ in 0..<4 {
        var frame = SceneFrames.frame { ray in normal.z / (ray * normal).sum() }
        for i in frame.depth.meters.samples.indices {
          frame.depth.meters.samples[i] += 0.002 * Float(generator.gaussian())
        }
        try volume.integrate(frame, worldFromCamera: .identity, threads: 2)
      }
      let mesh = try volume.surface(threads: 2)
      let points = zip(mesh.mesh.positions, mesh.errors.noiseMeters).filter { $0.0.z < 1.5 }
      let within = points.count { point, sigma in
        let place = SIMD3(Double(point.x), Double(point.y), Double(point.z))
        return abs((place * normal).sum() - normal.z) < Double(sigma)
      }
      // 68 % of a normal distribution; the mean of an edge's two voxels makes it up to 78 %, slopes of noise less.
      let share = Double(within) / Double(points.count)
      #expect(points.count > 300 && share > 0.6 && share < 0.84, "\(share) of \(points.count)")
    }
  }

  @Test func pixelsWithoutNoiseAreNoSurface() throws {
    for noise in [Float.nan, .infinity, 0, -1, 1e-30] {
      var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
      try volume.integrate(
        SceneFrames.frame(noise: noise) { _ in 1 }, worldFromCamera: .identity, threads: 2)
      #expect(volume.blockCount == 0)
      #expect(try volume.surface(threads: 2).mesh.vertexCount == 0)
    }
  }

  @Test func limitRefusesAFrameAndKeepsTheVolume() throws {
    var settings = VolumeSettings(voxelMeters: 0.01)
    settings.blockLimit = 10
    var volume = SurfaceVolume(settings)
    let error = #expect(throws: VolumeLimitError.self) {
      try volume.integrate(
        SceneFrames.frame { _ in 1 }, worldFromCamera: .identity, threads: 2)
    }
    #expect((error?.neededBlocks ?? 0) > 10 && volume.blockCount == 0 && volume.frameCount == 0)
  }

  @Test func framesThatShareErrorsCountForLess() throws {
    func weight(gap: Double) throws -> Float {
      var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
      for i in 0..<2 {
        try volume.integrate(
          SceneFrames.frame(seconds: Double(i) * gap) { _ in 1 }, worldFromCamera: .identity,
          threads: 1)
      }
      return try #require(volume.voxel(0, 0, 100)).weight
    }
    let (near, apart) = (try weight(gap: 0.05), try weight(gap: 1))
    // One frame and half of one, against two; each is stored to a thousandth.
    #expect(abs(near / apart - 0.75) < 3e-3)
  }

  @Test func surfaceNeedsTwoFramesOfMany() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    // Fifty frames of a wall; one of them sees a plate in front of it, where all others see nothing.
    for number in 0..<50 {
      let frame = SceneFrames.frame(seconds: Double(number)) { ray in
        ray.x < 0 ? 1 : number == 10 ? 0.6 : .nan
      }
      try volume.integrate(frame, worldFromCamera: .identity, threads: 2)
    }
    #expect(try #require(volume.voxel(12, 0, 60)).weight > 0)
    let mesh = try volume.surface(threads: 2).mesh
    #expect(mesh.vertexCount > 1000)
    #expect(!mesh.positions.contains { $0.z < 0.8 })
    // Of a single frame a twentieth is enough.
    var few = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    try few.integrate(SceneFrames.frame { _ in 1 }, worldFromCamera: .identity, threads: 1)
    #expect(try few.surface(threads: 1).mesh.vertexCount > 1000)
  }

  @Test func noiseOfSlopesIsKeptBelowThatOfTheSurface() throws {
    // 7 mm of noise at 0.4 m, pixels 6.7 mm apart: over two pixels it turns a plane by 37°, over four by 20°.
    var generator = SeededGenerator(seed: 3)
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    for _ in 0..<8 {
      var frame = SceneFrames.frame(noise: 0.007) { _ in 0.4 }
      for i in frame.depth.meters.samples.indices {
        frame.depth.meters.samples[i] += 0.007 * Float(generator.gaussian())
      }
      try volume.integrate(frame, worldFromCamera: .identity, threads: 2)
    }
    var (weight, count) = (0.0, 0)
    for x in -8...8 {
      for y in -6...6 {
        weight += Double(try #require(volume.voxel(x, y, 40)).weight)
        count += 1
      }
    }
    // Of 8/σ² for frontal planes the mean of cos² is left, 0.8 over four pixels and 0.55 over two; the fall of weights
    // behind the surface takes 3 %.
    let share = weight / Double(count) / (8 / (0.007 * 0.007))
    #expect(share > 0.66 && share < 0.95, "\(share)")
  }

  @Test func viewShowsThePlane() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    try volume.integrate(
      SceneFrames.frame(depth: Self.slanted), worldFromCamera: .identity, threads: 2)
    let view = volume.view(
      camera: SceneFrames.camera, worldFromCamera: .identity, threads: 2)
    for y in stride(from: 6, to: 42, by: 5) {
      for x in stride(from: 6, to: 58, by: 5) {
        let ray = SceneFrames.camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        // The distance is linear between voxels: single precision and 1/4096 of a voxel remain.
        #expect(abs(Double(view.depth.meters[x, y]) - Self.slanted(ray)) < 2e-4)
        let normal = view.normals[x, y]
        #expect(abs(Double(normal.x) + 0.28) < 0.02 && abs(Double(normal.z) + 0.96) < 0.02)
        #expect(abs(view.sigmaMeters[x, y] - 0.002) < 0.001)
      }
    }
    let other = volume.view(camera: SceneFrames.camera, worldFromCamera: .identity, threads: 7)
    #expect(
      other.depth.meters.samples.map(\.bitPattern) == view.depth.meters.samples.map(\.bitPattern))
  }

  @Test func forecastCountsWhatIsTaken() throws {
    let settings = VolumeSettings(voxelMeters: 0.01)
    let frame = SceneFrames.frame(depth: Self.slanted)
    let forecast = VolumeForecast.foresee([frame], settings: settings, threads: 2)
    var volume = SurfaceVolume(settings)
    try volume.integrate(frame, worldFromCamera: .identity, threads: 2)
    // Every fourth pixel, 67 mm apart at 1 m, in blocks of 80 mm.
    let ratio = Double(forecast.blockCount) / Double(volume.blockCount)
    #expect(ratio > 0.7 && ratio <= 1)
    #expect(forecast.bytes > 0 && volume.memoryBytes > volume.blockCount * 2048)
  }

  @Test func voxelSizeFollowsFromTheData() throws {
    let coarse = try #require(VoxelSizeChoice.choose([SceneFrames.frame { _ in 1 }]))
    // Pixels 16.7 mm apart.
    #expect(abs(coarse.voxelMeters - 0.015) < 1e-9 && coarse.reason == .pixelDistance)
    let noisy = try #require(VoxelSizeChoice.choose([SceneFrames.frame(noise: 0.012) { _ in 1 }]))
    #expect(abs(noisy.voxelMeters - 0.02) < 1e-9 && noisy.reason == .noise)
    #expect(VoxelSizeChoice.choose([SceneFrames.frame { _ in .nan }]) == nil)
  }
}
