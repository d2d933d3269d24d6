import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing
@testable import PlumblineReconstruction

/// A wall 1.2 m away and parallel to the first image, with a pattern in color.
private struct PaintedWall {
  static let camera = PinholeIntrinsics(
    focalLength: [110, 110], principalPoint: [63.5, 47.5],
    size: RasterSize(width: 128, height: 96))
  var scene = TrackingScene(planes: [.init(normal: [0, 0, -1], offset: -1.2)])
  /// How much the pattern changes the color, 0 to 1.
  var contrast = 1.0

  /// The intensity at a place of the wall: waves of 13 to 70 cm, and no two places alike.
  private func intensity(_ x: Double, _ y: Double) -> Double {
    let wave = { (a: Double, b: Double, phase: Double) in
      portableSineAndCosine(ofTurns: a * x + b * y + phase).sine
    }
    let sum = wave(1.4, 0.6, 0.1) + wave(-0.9, 2.1, 0.4) + wave(4.1, 3.3, 0.7) + wave(-7.3, 2.9, 0)
    return 120 + contrast * 25 * sum
  }

  /// A frame with noise in depth and color; the exposure is a factor of all intensities.
  func frame(
    at pose: RigidTransform, seed: UInt64, sigmaMeters: Double = 0.004, exposure: Double = 1,
    recorded: RigidTransform? = nil
  ) -> ScanFrame {
    var generator = SeededGenerator(seed: seed &+ 1000)
    var frame = scene.frame(
      worldFromCamera: pose, sigmaMeters: sigmaMeters, seed: seed, recorded: recorded,
      camera: Self.camera)
    frame.color = Raster(size: Self.camera.size) { x, y in
      let ray = pose.rotation * Self.camera.unproject([Double(x), Double(y)], depth: 1)
      let t = (1.2 - pose.translation.z) / ray.z
      let place = pose.translation + ray * t
      let value = exposure * intensity(place.x, place.y) + 2 * generator.gaussian()
      let byte = UInt8(min(255, max(0, value.rounded())))
      return RGB8(red: byte, green: byte, blue: byte)
    }
    return frame
  }
}

@Suite struct ColorTrackingTests {
  /// Along the wall, turning about its normal too: 9 mm and 0.3° a step.
  private func truth(_ index: Int) -> RigidTransform {
    let step = Double(index)
    return pose([0.0005 * step, -0.001 * step, 0.005 * step], [0.008 * step, -0.004 * step, 0])
  }

  private func fused(
    _ wall: PaintedWall, count: Int = 16, exposure: (Int) -> Double = { _ in 1 }
  ) throws -> [TrackedFrame] {
    var fuser = ScanFuser { KeyframeModel() }
    for index in 0..<count {
      try fuser.add(
        wall.frame(at: truth(index), seed: UInt64(index + 1), exposure: exposure(index)),
        threads: 2)
    }
    return fuser.trajectory.frames
  }

  @Test("A wall whose normals are noise leaves three directions open, whatever the prior")
  func wall() {
    let wall = PaintedWall()
    for (sigma, seed) in [(0.001, 3), (0.002, 5), (0.004, 4)] as [(Double, UInt64)] {
      let view = wall.frame(at: .identity, seed: seed + 10, sigmaMeters: sigma)
        .surfaceView(worldFromCamera: .identity, threads: 1)
      for prior in [0.005, 0.05, 0.5] {
        let start = pose([0, 0, 0.01], [0.01, -0.01, 0])
        let result = FrameTracker().register(
          wall.frame(at: .identity, seed: seed, sigmaMeters: sigma), to: view,
          prior: PosePrior(worldFromCamera: start, sigmaRadians: prior, sigmaMeters: prior),
          threads: 1)
        #expect(result.quality.keptDirections == 3, "\(sigma), \(prior): \(result.quality)")
        let found = result.estimate.aFromB
        // Nothing moves it along the wall.
        #expect(abs(found.translation.x - 0.01) < 1e-3 && abs(found.translation.y + 0.01) < 1e-3)
      }
    }
  }

  @Test(
    "Less is open behind a frame without open directions",
    arguments: [(0.55, 0, 0), (0.45, 1, 0), (0.35, 1, 1)])
  func continued(confirmed: Double, open: Int, openWhileTracked: Int) {
    var information = SymmetricMatrix(count: 6)
    for index in 0..<6 { information[index, index] = 1e6 }
    var depths = PoseEquations(
      information: information, confirmed: information, gradient: [0, 0, 0, 0, 0, 0])
    depths.confirmed[3, 3] = confirmed * 1e6
    for (isContinued, count) in [(false, open), (true, openWhileTracked)] {
      let found = TrackingInformation.of(
        depths: depths, prior: information.scaled(by: 1e-6), weakShare: 0.05,
        openShare: PoseSearch.openShare(isContinued: isContinued)
      ) { nil }
      #expect(found.openDirections == count)
    }
  }

  @Test("A room leaves nothing open, whatever the noise")
  func room() {
    let at = pose([0.25, 0.35, 0.1], [0.1, -0.2, 0.3])
    for seed in 1...6 as ClosedRange<UInt64> {
      let sigma = 0.002 * Double(seed)
      let view = TrackingScene.room.frame(
        worldFromCamera: at, sigmaMeters: sigma, seed: seed, camera: PaintedWall.camera
      ).surfaceView(worldFromCamera: at, threads: 1)
      let frame = TrackingScene.room.frame(
        worldFromCamera: at, sigmaMeters: sigma, seed: seed + 50, camera: PaintedWall.camera)
      let result = FrameTracker().register(
        frame, to: view,
        prior: PosePrior(worldFromCamera: at, sigmaRadians: 0.02, sigmaMeters: 0.02), threads: 1)
      #expect(result.quality.keptDirections == 0, "\(sigma): \(result.quality)")
    }
  }

  @Test("A wall with a pattern is tracked by it, at changing exposure, in three directions")
  func tracked() throws {
    let frames = try fused(PaintedWall()) { 1 + 0.02 * Double($0 % 3) }
    #expect(frames.dropFirst().allSatisfy { $0.state == .tracked })
    for frame in frames.dropFirst() {
      #expect(frame.quality?.colorDirections == 3 && frame.quality?.keptDirections == 0)
      let error = difference(try #require(frame.estimate).aFromB, truth(frame.index))
      // A pixel is 11 mm on the wall: half of it, most of which is the tilt that the 4 mm of noise of each keyframe leave
      // at 1.2 m.
      #expect(error.meters < 5e-3 && error.radians < 4e-3, "\(frame.index): \(error)")
    }
  }

  @Test("A wall of one color is not followed, and no surface is begun of each frame")
  func plain() throws {
    let frames = try fused(PaintedWall(contrast: 0), count: 14)
    #expect(frames[0].state == .started)
    #expect(frames.dropFirst().allSatisfy { $0.state == .lost(.undetermined) })
    #expect(frames.allSatisfy { $0.fragment == 0 })
  }

  @Test("In a room colors change nothing")
  func colorsOfARoom() throws {
    let at = pose([0.25, 0.35, 0.1], [0.1, -0.2, 0.3])
    var poses: [[RigidTransform?]] = []
    for hasColor in [false, true] {
      var fuser = ScanFuser { KeyframeModel() }
      for index in 0..<4 {
        var frame = TrackingScene.room.frame(
          worldFromCamera: at * truth(index), seed: UInt64(index + 1), camera: PaintedWall.camera)
        if hasColor {
          frame.color = Raster(size: frame.depth.size) { x, y in
            RGB8(red: UInt8(x), green: UInt8(y), blue: 0)
          }
        }
        try fuser.add(frame, threads: 1)
      }
      poses.append(fuser.trajectory.frames.map { $0.estimate?.aFromB })
    }
    #expect(poses[0] == poses[1])
  }

  @Test("Derivatives of intensities are those of differences")
  func derivatives() throws {
    let wall = PaintedWall()
    let settings = TrackingSettings()
    let reference = try #require(
      ColorReference.of(
        wall.frame(at: .identity, seed: 1), worldFromCamera: .identity, levels: settings.levels))
    let image = reference.pyramid.images[2]
    let point = SIMD3<Float>(0.11, -0.07, 1.2)
    let sample = try #require(image.sample(image.project(point)))
    let slope = image.derivatives(sample, at: point)
    for axis in 0..<3 {
      var (more, less) = (point, point)
      // A pixel at this distance, over which a difference is the slope of the samples around.
      more[axis] += 0.011
      less[axis] -= 0.011
      let high = try #require(image.sample(image.project(more))).x
      let low = try #require(image.sample(image.project(less))).x
      let difference = (high - low) / 0.022
      // Noise of 2 levels in 22 mm, and the pattern's bend.
      #expect(abs(difference - slope[axis]) < 200, "\(axis): \(difference), \(slope[axis])")
    }
  }
}
