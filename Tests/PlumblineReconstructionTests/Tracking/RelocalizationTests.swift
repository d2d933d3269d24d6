import PlumblineModel
import PlumblineReconstruction
import Testing

/// Two rooms that look alike, 10 meters apart along x.
private struct TwoRooms: FusedModel {
  static let shift = pose([0, 0, 0], [10, 0, 0])
  let scene: TrackingScene

  mutating func integrate(_ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int) {}

  func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    let isSecond = worldFromCamera.translation.x > 5
    var view = scene.view(
      worldFromCamera: isSecond ? Self.shift.inverse * worldFromCamera : worldFromCamera,
      camera: camera)
    view.worldFromCamera = worldFromCamera
    return view
  }
}

@Suite struct RelocalizationTests {
  private let model = TwoRooms(scene: .room)
  private let truth = pose([0.25, 0.35, 0.1], [0.1, -0.2, 0.3])
  private let near = pose([0.27, 0.32, 0.1], [0.12, -0.18, 0.29])

  private func search(_ tracked: [TrackingQuality] = []) -> Relocalization {
    var tracker = FrameTracker()
    tracker.settings.levels = TrackingSettings.wideLevels
    return Relocalization(tracker: tracker, limits: FusionLimits(), tracked: tracked)
  }

  /// The quality of frames of the scene, tracked from near their poses.
  private func usual() -> [TrackingQuality] {
    (1...5).map { seed in
      let prior = PosePrior(worldFromCamera: near, sigmaRadians: 0.2, sigmaMeters: 0.1)
      let frame = TrackingScene.room.frame(worldFromCamera: truth, seed: UInt64(seed))
      let view = model.view(
        camera: frame.camera, worldFromCamera: near, threads: 1)
      return FrameTracker().register(frame, to: view, prior: prior, threads: 1).quality
    }
  }

  @Test("A frame is found from a pose near its own, in either room")
  func finds() throws {
    let frame = TrackingScene.room.frame(worldFromCamera: truth, seed: 3)
    for shift in [RigidTransform.identity, TwoRooms.shift] {
      let result = search(usual()).result(of: frame, on: model, from: [shift * near], threads: 1)
      let found = try #require(result).estimate.aFromB
      let error = difference(found, shift * truth)
      // The noise of 1 mm of 3,000 pixels gives 0.1 mm; the patches that count as independent are fewer.
      #expect(error.meters < 2e-3 && error.radians < 2e-3, "\(error)")
    }
  }

  @Test("Where two places look alike neither is taken")
  func refusesTwoPlaces() {
    let frame = TrackingScene.room.frame(worldFromCamera: truth, seed: 3)
    let poses = [near, TwoRooms.shift * near]
    #expect(search(usual()).result(of: frame, on: model, from: poses, threads: 1) == nil)
    #expect(
      search(usual()).result(of: frame, on: model, from: poses.reversed(), threads: 1) == nil)
  }

  @Test("A frame that fits worse than those that were tracked is not found")
  func refusesWorseFits() throws {
    // Errors of 2.5 times the ± that the frame states, as where another surface lies near by chance.
    let noisy = TrackingScene.room.frame(worldFromCamera: truth, sigmaMeters: 0.0025, seed: 3)
    let frame = ScanFrame(
      depth: noisy.depth,
      noiseMeters: Raster(size: noisy.depth.size, repeating: 0.001), shared: SigmaCurve(),
      camera: noisy.camera, worldFromCamera: nil, timestampSeconds: nil)
    let tracked = usual()
    let lone = search().result(of: frame, on: model, from: [near], threads: 1)
    let quality = try #require(lone).quality
    #expect(quality.medianSigmas > 1.5 * (tracked.map(\.medianSigmas).max() ?? 0))
    #expect(search(tracked).result(of: frame, on: model, from: [near], threads: 1) == nil)
  }
}
