import PlumblineModel
import PlumblineSimulation
import Testing
@testable import PlumblineReconstruction

/// The kernel against the law, one voxel at a time.
struct IntegrationTwinTests {
  /// Three frames of bumps, steps, holes and noise without a number, from poses of their own.
  private static func frames(
    _ generator: inout SeededGenerator
  ) -> [(frame: ScanFrame, worldFromCamera: RigidTransform)] {
    (0..<3).map { _ in
      var frame = SceneFrames.frame(
        shared: SigmaCurve(constantMeters: 0.001, perMeter: 0.004, perMeterSquared: 0.001)
      ) { ray in 0.9 + 0.1 * ray.x + (ray.y > 0.1 ? 0.2 : 0) }
      for i in frame.depth.meters.samples.indices {
        frame.depth.meters.samples[i] += Float.random(in: -0.01...0.01, using: &generator)
        frame.noiseMeters.samples[i] = Float.random(in: 0.001...0.01, using: &generator)
        if i % 11 == 0 { frame.depth.meters.samples[i] = .nan }
        if i % 13 == 0 { frame.noiseMeters.samples[i] = .infinity }
      }
      let turn = (0..<3).map { _ in Double.random(in: -0.2...0.2, using: &generator) }
      let pose = RigidTransform.identity.moved(
        rotation: SIMD3(turn[0], turn[1], turn[2]), translation: SIMD3(turn[1], turn[2], turn[0]))
      return (frame, pose)
    }
  }

  @Test("A view so narrow that the pixels of a block are beyond any integer is fused")
  func narrowestView() throws {
    var frame = SceneFrames.frame { _ in 1 }
    frame.camera = PinholeIntrinsics(
      focalLength: [1, 1e12], principalPoint: frame.camera.principalPoint,
      size: frame.camera.size)
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    for _ in 0..<2 { try volume.integrate(frame, worldFromCamera: .identity, threads: 1) }
    // Each of the 64 columns sees a few blocks at one height.
    #expect((64...1024).contains(volume.blockCount))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func voxelsFollowTheLaw(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let frames = Self.frames(&generator)
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    // All blocks exist from the start, so that each frame reaches each voxel.
    for (frame, pose) in frames {
      try volume.integrate(frame, worldFromCamera: pose, threads: 2)
    }
    var again = SurfaceVolume(volume.settings)
    try again.reserve(as: volume)
    for (frame, pose) in frames {
      try again.integrate(frame, worldFromCamera: pose, threads: 2)
    }
    var checked = 0
    for _ in 0..<4000 {
      let (x, y) = (
        Int.random(in: -30...30, using: &generator), Int.random(in: -20...20, using: &generator)
      )
      let z = Int.random(in: 70...120, using: &generator)
      guard let found = again.voxel(x, y, z) else { continue }
      var slow = SlowVolume(voxelMeters: 0.01)
      for (frame, pose) in frames {
        slow.add(
          frame, cameraFromWorld: pose.inverse,
          at: SIMD3(Double(x), Double(y), Double(z)) * 0.01)
      }
      guard !slow.isUndecided else { continue }
      // 0.02 mm: single precision of slopes and of differences near 0, and three times 1/4096 of a voxel. A weight is
      // stored to a thousandth, three times.
      #expect(abs(Double(found.distance) - slow.distance) < 2e-5)
      #expect(abs(Double(found.weight) / slow.weight - 1) < 4e-3)
      checked += 1
    }
    #expect(checked > 500)
  }

  @Test func solidRowsAreThoseWithAVoxelBehindASurface() throws {
    var generator = SeededGenerator(seed: 4)
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    var (solid, free, wrong) = (0, 0, 0)
    for (frame, pose) in Self.frames(&generator) {
      try volume.integrate(frame, worldFromCamera: pose, threads: 2)
      // As exact as a bit: a row that is not marked is not carved and has no surface.
      for place in stride(from: 0, to: volume.keys.count, by: 5) {
        let (key, state) = (volume.keys[place], volume.states[place])
        for row in 0..<64 {
          let isSolid = (0..<8).contains { x in
            volume.voxel(key.x * 8 + x, key.y * 8 + row % 8, key.z * 8 + row / 8)
              .map { $0.distance < 0 } ?? false
          }
          if isSolid != (state.solidRows >> UInt64(row) & 1 == 1) { wrong += 1 }
          if isSolid { solid += 1 } else { free += 1 }
        }
      }
    }
    #expect(wrong == 0 && solid > 1000 && free > 1000)
  }
}
