import PlumblineModel
import PlumblineReconstruction
import Testing

/// A model whose surface is known: what is seen of it does not depend on what was fused.
struct KnownModel: FusedModel {
  var scene: TrackingScene
  var fused: [RigidTransform] = []

  mutating func integrate(_ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int) {
    fused.append(worldFromCamera)
  }

  func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    scene.view(worldFromCamera: worldFromCamera, camera: camera)
  }
}

private struct MemoryIsFull: Error {}

private struct FullModel: FusedModel {
  mutating func integrate(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int
  ) throws { throw MemoryIsFull() }

  func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    TrackingScene.room.view(worldFromCamera: worldFromCamera, camera: camera)
  }
}

@Suite struct ScanFuserTests {
  private let room = TrackingScene.room

  /// A camera that turns and moves: 12 mm and 0.7° a step.
  private func truth(_ index: Int) -> RigidTransform {
    let step = Double(index)
    return pose([0.25, 0.35 + 0.012 * step, 0.1], [0.1 + 0.01 * step, -0.2, 0.3 - 0.006 * step])
  }

  private func fuser(_ scene: TrackingScene = .room) -> ScanFuser<KnownModel> {
    ScanFuser { KnownModel(scene: scene) }
  }

  @Test("Without poses each frame is tracked in the world of the first one")
  func withoutPoses() throws {
    var fuser = ScanFuser { KeyframeModel() }
    for index in 0..<12 {
      let frame = room.frame(worldFromCamera: truth(index), seed: UInt64(index + 1))
      try fuser.add(frame, threads: 2)
    }
    let frames = fuser.trajectory.frames
    #expect(frames.map(\.state) == [.started] + Array(repeating: .tracked, count: 11))
    #expect(fuser.fragments.count == 1 && fuser.trajectory.recordedPathLengthMeters == nil)
    for frame in frames {
      let found = try #require(frame.estimate).aFromB
      let error = difference(found, truth(0).inverse * truth(frame.index))
      // Four keyframes of 1 mm noise each, 64 × 48 pixels, normals of neighbors.
      #expect(error.meters < 4e-3 && error.radians < 3e-3, "\(frame.index): \(error)")
    }
    let path = (0..<11).reduce(0) { $0 + difference(truth($1), truth($1 + 1)).meters }
    #expect(abs(fuser.trajectory.pathLengthMeters / path - 1) < 0.1)
  }

  @Test("Of 60 frames a second every second one is fused, of 30 or in quick motion all")
  func pace() throws {
    var limits = FusionLimits()
    limits.fusionSeconds = 0.03
    func fusedCount(rate: Double?, step: Int) throws -> Int {
      var fuser = ScanFuser(limits: limits) { KnownModel(scene: .room) }
      for index in 0..<10 {
        let pose = truth(step * index)
        let frame = room.frame(
          worldFromCamera: pose, seed: UInt64(index + 1), recorded: pose,
          seconds: rate.map { Double(index) / $0 })
        #expect(try fuser.add(frame, threads: 1).isFused)
      }
      #expect(fuser.trajectory.frames.count == 10)
      return fuser.fragments[0].fused.count
    }
    #expect(try fusedCount(rate: 60, step: 1) == 5)
    #expect(try fusedCount(rate: 30, step: 1) == 10)
    #expect(try fusedCount(rate: nil, step: 1) == 10)
    // Six steps of 13 mm and 0.7° are beyond ``FusionLimits/viewMeters``.
    #expect(try fusedCount(rate: 60, step: 6) == 10)
  }

  @Test("Recorded poses with drift are refined to the surface", arguments: [1, 4])
  func refinesDrift(viewFrames: Int) throws {
    var limits = FusionLimits()
    limits.viewFrames = viewFrames
    var fuser = ScanFuser(limits: limits) { KnownModel(scene: .room) }
    // 2 % too long and 0.2 mrad a step about the vertical.
    var recorded = truth(0)
    for index in 0..<30 {
      if index > 0 {
        var motion = truth(index - 1).inverse * truth(index)
        motion.translation *= 1.02
        recorded = (recorded * motion).moved(rotation: [0, 0.0002, 0], translation: .zero)
      }
      let frame = room.frame(
        worldFromCamera: truth(index), seed: UInt64(index + 1), recorded: recorded,
        seconds: Double(index) / 30)
      try fuser.add(frame, threads: 1)
    }
    let last = try #require(fuser.trajectory.frames.last)
    #expect(last.state == .tracked)
    let found = difference(try #require(last.estimate).aFromB, truth(29))
    let before = difference(recorded, truth(29))
    // The drift is 7 mm and 6 mrad; 1 mm of noise in patches of 2 pixels leaves a tenth of a millimeter, the
    // pull of the prior of each step some of them.
    #expect(before.meters > 6e-3 && before.radians > 5e-3, "\(before)")
    #expect(found.meters < 1.5e-3 && found.radians < 1e-3, "\(found)")
    let ratio =
      fuser.trajectory.pathLengthMeters
      / (try #require(fuser.trajectory.recordedPathLengthMeters))
    #expect(abs(ratio - 1 / 1.02) < 0.01, "\(ratio)")
  }

  @Test("Rotations stay orthogonal over 60 predictions from the motion before")
  func staysOrthogonal() throws {
    var fuser = fuser()
    // There and back again, 12 steps each way.
    let steps = (0..<60).map { $0 % 24 < 12 ? $0 % 24 : 24 - $0 % 24 }
    for (index, step) in steps.enumerated() {
      try fuser.add(
        room.frame(worldFromCamera: truth(step), recorded: index == 0 ? truth(0) : nil),
        threads: 1)
    }
    let frames = fuser.trajectory.frames
    #expect(frames.dropFirst().allSatisfy { $0.state == .tracked })
    let last = try #require(frames.last?.estimate).aFromB
    // A few units in the last place; without correction the error is 1e-16 · 2.4⁴⁰ after 40 frames.
    #expect(last.rotation.orthogonalityError < 1e-14)
    let error = difference(last, truth(steps[59]))
    #expect(error.meters < 1e-4 && error.radians < 1e-4, "\(error)")
  }

  @Test("A frame of holes is left out, and the frame after it is tracked")
  func holes() throws {
    var fuser = fuser()
    for index in 0..<6 {
      let scene = index == 0 || index == 3 ? TrackingScene() : room
      try fuser.add(
        scene.frame(worldFromCamera: truth(index), recorded: truth(index)), threads: 1)
    }
    #expect(
      fuser.trajectory.frames.map(\.state)
        == [.skipped, .started, .tracked, .skipped, .tracked, .tracked])
    #expect(fuser.fragments[0].fused.count == 4)
    #expect(fuser.trajectory.frames[3].estimate == nil)
  }

  @Test("A camera that was covered is found again from an earlier pose")
  func relocalizes() throws {
    var fuser = fuser()
    let blocked = TrackingScene(planes: [.init(normal: [0, 0, -1], offset: -0.3)])
    // Only the first pose is recorded: it places the camera in the room's axes.
    for index in 0..<5 {
      try fuser.add(
        room.frame(worldFromCamera: truth(index), recorded: index == 0 ? truth(0) : nil),
        threads: 1)
    }
    for _ in 0..<3 {
      try fuser.add(blocked.frame(worldFromCamera: .identity), threads: 1)
    }
    try fuser.add(room.frame(worldFromCamera: truth(9)), threads: 1)
    let states = fuser.trajectory.frames.map(\.state)
    for state in states[5..<8] {
      guard case .lost = state else {
        Issue.record("\(state) of a covered camera")
        continue
      }
    }
    let last = try #require(fuser.trajectory.frames.last)
    #expect(last.isFused, "\(last)")
    let error = difference(try #require(last.estimate).aFromB, truth(9))
    #expect(error.meters < 2e-3 && error.radians < 2e-3, "\(error)")
  }

  @Test("In another room a fragment begins, and the first surface gets nothing of it")
  func fragments() throws {
    var fuser = ScanFuser { KeyframeModel() }
    for index in 0..<3 {
      try fuser.add(room.frame(worldFromCamera: truth(index)), threads: 1)
    }
    let other = TrackingScene.sphereOnPlane
    for _ in 0..<14 {
      try fuser.add(other.frame(worldFromCamera: .identity), threads: 1)
    }
    let frames = fuser.trajectory.frames
    #expect(frames[3..<13].allSatisfy { !$0.isFused && $0.estimate == nil })
    #expect(frames[13].state == .started && frames[13].fragment == 1)
    #expect(frames[0..<13].allSatisfy { $0.fragment == 0 })
    #expect(frames[14..<17].allSatisfy { $0.fragment == 1 })
    #expect(fuser.fragments.count == 2)
  }

  @Test(
    "After frames that an earlier run decided, all others get the same poses", arguments: [1, 5, 9])
  func goesOn(knownCount: Int) throws {
    let blocked = TrackingScene(planes: [.init(normal: [0, 0, -1], offset: -0.3)])
    // Holes at 3, covered at 5 to 7, found again at 8.
    let frames = (0..<12).map { index in
      let scene = index == 3 ? TrackingScene() : (5..<8).contains(index) ? blocked : room
      return scene.frame(
        worldFromCamera: (5..<8).contains(index) ? .identity : truth(index),
        seed: UInt64(index + 1), recorded: index == 0 ? truth(0) : nil)
    }
    // Views that serve several frames are part of what goes on.
    var limits = FusionLimits()
    limits.viewFrames = 4
    var whole = ScanFuser(limits: limits) { KeyframeModel() }
    for frame in frames { try whole.add(frame, threads: 1) }
    let expected = whole.trajectory.frames
    #expect(expected.contains { !$0.isFused } && expected[8...].allSatisfy(\.isFused))
    var resumed = ScanFuser(limits: limits) { KeyframeModel() }
    for (index, frame) in frames.enumerated() {
      if index < knownCount {
        #expect(resumed.isNext(expected[index]) && !resumed.isNext(expected[index + 1]))
        try resumed.add(frame, known: expected[index], threads: 1)
      } else {
        try resumed.add(frame, threads: 1)
      }
    }
    for (found, known) in zip(resumed.trajectory.frames, expected) {
      #expect(found.state == known.state && found.fragment == known.fragment)
      #expect(found.estimate?.aFromB == known.estimate?.aFromB)
      #expect(found.estimate?.covariance == known.estimate?.covariance)
    }
    #expect(resumed.fragments.count == whole.fragments.count)
  }

  @Test("A recorded pose that jumps is not believed")
  func recordedJump() throws {
    var fuser = fuser()
    for index in 0..<4 {
      var recorded = truth(index)
      if index == 2 { recorded.translation += [0.8, 0, 0] }
      try fuser.add(
        room.frame(
          worldFromCamera: truth(index), recorded: recorded, seconds: Double(index) / 30),
        threads: 1)
    }
    for frame in fuser.trajectory.frames {
      #expect(frame.isFused)
      let error = difference(try #require(frame.estimate).aFromB, truth(frame.index))
      #expect(error.meters < 2e-3 && error.radians < 2e-3, "\(frame.index): \(error)")
    }
  }

  @Test("Depth of another scale does not agree with the surface")
  func wrongScale() throws {
    var fuser = fuser()
    try fuser.add(room.frame(worldFromCamera: truth(0), recorded: truth(0)), threads: 1)
    var frame = room.frame(worldFromCamera: truth(1), recorded: truth(1))
    frame.depth = DepthMap(meters: frame.depth.meters.map { $0 * 1.15 })
    #expect(try fuser.add(frame, threads: 1).state == .lost(.disagreement))
  }

  @Test("An error of the model leaves the trajectory as it was")
  func modelError() {
    var fuser = ScanFuser { FullModel() }
    #expect(throws: MemoryIsFull.self) {
      try fuser.add(TrackingScene.room.frame(worldFromCamera: .identity), threads: 1)
    }
    #expect(fuser.trajectory.frames.isEmpty)
  }

  @Test("Any number of threads gives the same poses")
  func threads() throws {
    var poses: [[RigidTransform?]] = []
    for threads in [1, 2, 7] {
      var fuser = ScanFuser { KeyframeModel() }
      for index in 0..<4 {
        try fuser.add(
          room.frame(worldFromCamera: truth(index), seed: UInt64(index + 1)), threads: threads)
      }
      poses.append(fuser.trajectory.frames.map { $0.estimate?.aFromB })
    }
    #expect(poses[0] == poses[1] && poses[0] == poses[2])
  }
}
