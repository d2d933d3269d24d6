import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct VoxelGridTests {
  static let size = RasterSize(width: 33, height: 21)
  static let side = 0.05

  static let rays = CameraCalibration(
    intrinsics: PinholeIntrinsics(focalLength: [30, 31], principalPoint: [15.5, 10.2], size: size)
  ).rayMap

  /// A wavy surface with holes, pixels without a ± and one without any noise, from a random pose.
  static func frame(_ random: inout SeededGenerator, hasColor: Bool) -> VoxelFrame {
    let phase = random.uniform(in: 0..<6)
    var noise = Raster<Float>(size: size, repeating: 0)
    let depth = Raster<Float>(size: size) { x, y in
      noise[x, y] = random.chance(0.1) ? .nan : Float(random.uniform(in: 0.001..<0.02))
      return random.chance(0.1)
        ? .nan : Float(1.2 + 0.3 * Double((x + y) % 7) / 7 + 0.1 * phase)
    }
    let turn = SIMD3(random.uniform(in: -0.3..<0.3), random.uniform(in: -0.3..<0.3), 0.2)
    return VoxelFrame(
      depth: DepthMap(meters: depth), noiseMeters: noise,
      shared: SigmaCurve(constantMeters: 0.004, perMeter: 0.01, perMeterSquared: 0.001),
      rays: rays,
      color: hasColor
        ? Raster(size: RasterSize(width: 66, height: 42)) { x, y in
          RGB8(red: UInt8(3 * x), green: UInt8(5 * y), blue: 9)
        } : nil,
      worldFromCamera: RigidTransform(
        rotation: Rotation(axisAngle: turn) ?? .identity,
        translation: [random.uniform(in: -1..<1), random.uniform(in: -1..<1), 0.3]))
  }

  static func frames(seed: UInt64, count: Int, hasColor: Bool = false) -> [VoxelFrame] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in frame(&random, hasColor: hasColor) }
  }

  static func grid(
    _ frames: [VoxelFrame], threads: Int = 1, batch: Int = 4, side: Double = side
  ) throws -> VoxelGrid {
    var grid = VoxelGrid(sideMeters: side, correlation: .lidar, mapWidth: size.width)
    for start in stride(from: 0, to: frames.count, by: batch) {
      let points = frames[start..<min(start + batch, frames.count)].map { grid.points(of: $0) }
      try grid.add(points, threads: threads)
    }
    return grid
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64], [false, true])
  func equalsTheSlowTwin(seed: UInt64, hasColor: Bool) throws {
    let frames = Self.frames(seed: seed, count: 9, hasColor: hasColor)
    let grid = try Self.grid(frames)
    let cloud = grid.cloud(axes: .yUp)
    var slow = SlowVoxelGrid(
      sideMeters: Self.side, correlation: .lidar, mapWidth: Self.size.width)
    for (number, frame) in frames.enumerated() { slow.add(frame, number: number) }
    #expect(cloud.count == slow.voxels.count && grid.count == cloud.count)
    let pixels = slow.voxels.values.reduce(0) {
      $0 + $1.weightsOfFrames.values.reduce(0) { $0 + $1.count }
    }
    #expect(grid.pixelCount == pixels && grid.outsideCount == 0)
    let sigmas = try #require(cloud.sigmaMeters)
    #expect((cloud.colors != nil) == hasColor)
    // The cloud is in the order of the voxels: along x, then y, then z.
    let order = slow.voxels.sorted {
      ($0.key.x, $0.key.y, $0.key.z) < ($1.key.x, $1.key.y, $1.key.z)
    }
    for (index, voxel) in order.map(\.value).enumerated() where index < cloud.count {
      let difference = voxel.mean - cloud.positions[index].vector
      // Single precision of a place in a voxel and of a coordinate below 4 m: half a micrometer.
      #expect((difference * difference).sum().squareRoot() < 1e-6)
      // Sums of some dozens of single-precision numbers.
      #expect(abs(Double(sigmas[index]) / slow.sigma(of: voxel) - 1) < 1e-4)
      guard let color = cloud.colors?[index] else { continue }
      let mean = voxel.color / voxel.weight
      // Half a code of rounding, once for a run of pixels and once for the voxel.
      #expect(abs(Double(color.red) - mean.x) < 1.01 && abs(Double(color.green) - mean.y) < 1.01)
    }
  }

  @Test(arguments: [7, 8] as [UInt64])
  func everyPointLiesInAVoxelOfItsOwn(seed: UInt64) throws {
    let cloud = try Self.grid(Self.frames(seed: seed, count: 6)).cloud(axes: .zUp)
    #expect(cloud.frame == .world(.zUp) && cloud.isMetric)
    var cells = Set<SIMD3<Int>>()
    for position in cloud.positions {
      // Moved to the voxel's middle by a hundredth, which rounding at the border cannot undo.
      let place = position.vector / Self.side
      let cell = place.rounded(.down)
      let inside = (place - cell) * 0.98 + 0.01
      #expect(inside.min() >= 0 && inside.max() <= 1)
      cells.insert(SIMD3(Int(cell.x), Int(cell.y), Int(cell.z)))
    }
    // Of some hundred points one may round onto the border.
    #expect(cells.count >= cloud.count - 1)
  }

  @Test(arguments: [1, 2, 3], [1, 4, 100])
  func bytesDoNotDependOnThreadsOrBatches(threads: Int, batch: Int) throws {
    let frames = Self.frames(seed: 11, count: 13, hasColor: true)
    let plain = try Self.grid(frames, threads: 1, batch: 5).cloud(axes: .yUp)
    let other = try Self.grid(frames, threads: threads, batch: batch).cloud(axes: .yUp)
    #expect(other.positions == plain.positions)
    #expect(other.sigmaMeters == plain.sigmaMeters)
    #expect(other.colors == plain.colors)
  }

  @Test(arguments: [3, 4] as [UInt64])
  func theOrderOfFramesChangesNothingButRounding(seed: UInt64) throws {
    let frames = Self.frames(seed: seed, count: 8)
    let forward = try Self.grid(frames).cloud(axes: .yUp)
    let backward = try Self.grid(frames.reversed()).cloud(axes: .yUp)
    #expect(forward.count == backward.count)
    for (a, b) in zip(forward.positions, backward.positions) {
      let difference = a.vector - b.vector
      // Sums in another order, in single precision: a micrometer.
      #expect((difference * difference).sum().squareRoot() < 1e-6)
    }
    let pairs = zip(forward.sigmaMeters ?? [], backward.sigmaMeters ?? [])
    #expect(pairs.allSatisfy { abs($0 / $1 - 1) < 1e-4 })
  }

  @Test func moreFramesLowerTheNoiseAndNotTheSharedError() throws {
    let depth = DepthMap(meters: Raster(size: Self.size, repeating: 2))
    var frame = VoxelFrame(
      depth: depth, noiseMeters: Raster(size: Self.size, repeating: 0.03),
      shared: SigmaCurve(constantMeters: 0.004), rays: Self.rays, worldFromCamera: .identity)
    func sigma(_ count: Int) throws -> Float {
      let cloud = try Self.grid(Array(repeating: frame, count: count), side: 20).cloud(axes: .yUp)
      // The origin is a corner of eight voxels; all have pixels of the same ±.
      return try #require(cloud.sigmaMeters?.max())
    }
    let (one, hundred) = (try sigma(1), try sigma(100))
    #expect(hundred < one && hundred > 0.004)
    frame.shared = SigmaCurve()
    // Frames count as independent: a hundred have a tenth of the noise, but for rounding.
    #expect(abs(try sigma(100) / (try sigma(1)) - 0.1) < 1e-4)
  }

  @Test func pixelsBeyondTheGridAreCountedAndVoxelsAreLimited() throws {
    var frame = Self.frames(seed: 1, count: 1)[0]
    frame.worldFromCamera.translation = [1e6, 0, 0]
    let far = try Self.grid([frame])
    #expect(far.count == 0 && far.outsideCount > 400 && far.pixelCount == 0)
    var grid = VoxelGrid(sideMeters: Self.side, maximumCount: 10)
    let points = grid.points(of: Self.frames(seed: 1, count: 1)[0])
    #expect(throws: VoxelGrid.LimitError.self) { try grid.add([points], threads: 1) }
  }
}
