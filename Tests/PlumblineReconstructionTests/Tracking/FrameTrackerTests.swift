import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import Testing

@Suite struct FrameTrackerTests {
  private let looking = pose([0.25, 0.35, 0.1], [0.1, -0.2, 0.3])

  /// Settings for pixels whose errors are independent.
  private var independent: FrameTracker {
    var settings = TrackingSettings()
    settings.patchShare = 0
    return FrameTracker(settings: settings)
  }

  private func wide(_ pose: RigidTransform) -> PosePrior {
    PosePrior(worldFromCamera: pose, sigmaRadians: 0.2, sigmaMeters: 0.2)
  }

  @Test(
    "A frame without noise comes to its own pose from 40 mm and 2° away",
    arguments: [TrackingScene.room, .sphereOnPlane])
  func exactFrame(scene: TrackingScene) {
    let truth = scene.spheres.isEmpty ? looking : pose([0.02, -0.03, 0], [0.01, 0, 0.05])
    let start = truth.moved(rotation: [0.02, -0.02, 0.015], translation: [0.02, 0.025, -0.02])
    let result = independent.register(
      scene.frame(worldFromCamera: truth), to: scene.view(worldFromCamera: start),
      prior: wide(start), threads: 1)
    let error = difference(result.estimate.aFromB, truth)
    // Depths and normals are single-precision numbers. The sphere's nearest pixel has another normal than the
    // point itself; a turn about the normal of the wall through its center changes nothing, so that of
    // 15 mrad stays in part.
    let isRoom = scene.spheres.isEmpty
    #expect(error.meters < (isRoom ? 2e-5 : 1e-3), "\(error)")
    #expect(error.radians < (isRoom ? 2e-5 : 0.015), "\(error)")
    #expect(result.quality.overlap > 0.8 && result.quality.inlierShare > 0.95)
    #expect(result.quality.keptDirections == 0 || !scene.spheres.isEmpty)
  }

  @Test("In a tunnel the pose along it stays at the prior, and so does its ±")
  func tunnel() {
    let scene = TrackingScene.tunnel
    let truth = pose([0.03, 0.02, 0], [0.1, 0.05, 0])
    // 30 mm along the tunnel, in the world's axes, and 5 mm across it.
    var start = truth
    start.translation += [0.005, 0.003, 0.03]
    let prior = PosePrior(worldFromCamera: start, sigmaRadians: 0.01, sigmaMeters: 0.05)
    let result = FrameTracker().register(
      scene.frame(worldFromCamera: truth, seed: 5), to: scene.view(worldFromCamera: truth),
      prior: prior, threads: 1)
    let moved = result.estimate.aFromB.translation - start.translation
    let missed = result.estimate.aFromB.translation - truth.translation
    // Along: the part of 5 mm that the turned axes mix in. Across: 30 mm times the turn of the direction that is
    // found to be open, from some thousand normals that noise turns by up to 31° at the far end: 3°.
    #expect(abs(moved.z) < 1e-3, "\(moved)")
    #expect(abs(missed.x) < 2e-3 && abs(missed.y) < 2e-3, "\(missed)")
    #expect(result.quality.keptDirections == 1 && result.quality.weakestShare < 0.01)
    let along = truth.rotation.inverse * SIMD3(0, 0, 1)
    let direction = [0, 0, 0, along.x, along.y, along.z]
    let variance = zip(direction, result.estimate.covariance * direction)
      .reduce(0) { $0 + $1.0 * $1.1 }
    // The prior's own, but for the direction's part of others.
    #expect((0.045...0.0505).contains(variance.squareRoot()), "\(variance.squareRoot())")
  }

  @Test("Over 100 seeds the errors are as large as the covariance says")
  func scatter() throws {
    let scene = TrackingScene.room
    let view = scene.view(worldFromCamera: looking)
    var sum = 0.0
    for seed in 1...100 {
      let frame = scene.frame(worldFromCamera: looking, sigmaMeters: 0.003, seed: UInt64(seed))
      let result = independent.register(frame, to: view, prior: wide(looking), threads: 1)
      let error = looking.inverse * result.estimate.aFromB
      let r = error.rotation.axisAngle
      let t = error.translation
      let factor = try #require(result.estimate.covariance.cholesky)
      sum += factor.solveLower([r.x, r.y, r.z, t.x, t.y, t.z]).reduce(0) { $0 + $1 * $1 }
    }
    // χ² with 6 degrees of freedom has the mean 6, its mean over 100 the deviation 0.35; Tukey's weights make
    // 0.96 of it: 1 − 2/c² + 3/c⁴ = 0.915 of the information, and 1.053 of the variance.
    #expect((4.7...7).contains(sum / 100), "\(sum / 100)")
  }

  @Test("Information counts patches: a side of 4 pixels with a stride of 2 has a fourth")
  func patches() {
    let scene = TrackingScene.room
    let frame = scene.frame(worldFromCamera: looking, seed: 3)
    let view = scene.view(worldFromCamera: looking)
    var settings = TrackingSettings()
    settings.patchShare = 4.0 / 64
    let few = FrameTracker(settings: settings).register(
      frame, to: view, prior: wide(looking), threads: 1)
    let all = independent.register(frame, to: view, prior: wide(looking), threads: 1)
    for index in 0..<6 {
      let ratio = few.estimate.covariance[index, index] / all.estimate.covariance[index, index]
      // The prior's share is below 1 %; the two poses differ within their ±.
      #expect(abs(ratio - 4) < 0.2, "\(index): \(ratio)")
    }
  }

  @Test("Any number of threads gives the same bytes")
  func threads() {
    let scene = TrackingScene.room
    let camera = PinholeIntrinsics(
      focalLength: [220, 220], principalPoint: [127.5, 95.5],
      size: RasterSize(width: 256, height: 192))
    let frame = scene.frame(
      worldFromCamera: looking, sigmaMeters: 0.002, seed: 9, camera: camera)
    let views = [1, 2, 7].map { frame.surfaceView(worldFromCamera: looking, threads: $0) }
    for view in views {
      #expect(
        view.normals.samples.map(\.x.bitPattern) == views[0].normals.samples.map(\.x.bitPattern))
    }
    let start = looking.moved(rotation: [0.01, 0, 0.01], translation: [0.01, 0.01, 0])
    let results = [1, 2, 7].map {
      independent.register(frame, to: views[0], prior: wide(start), threads: $0)
    }
    for result in results {
      #expect(result.estimate.aFromB == results[0].estimate.aFromB)
      #expect(result.estimate.covariance == results[0].estimate.covariance)
      #expect(result.quality == results[0].quality)
    }
  }

  @Test("Without points or without a surface the prior comes back with its ±")
  func nothing() {
    let scene = TrackingScene.room
    let prior = wide(looking)
    let empty = TrackingScene()
    for (frame, view) in [
      (empty.frame(worldFromCamera: looking), scene.view(worldFromCamera: looking)),
      (scene.frame(worldFromCamera: looking), empty.view(worldFromCamera: looking)),
    ] {
      let result = FrameTracker().register(frame, to: view, prior: prior, threads: 2)
      #expect(result.estimate.aFromB == looking)
      #expect(result.quality.overlap == 0 && result.quality.keptDirections == 6)
      for index in 0..<6 {
        // The inverse of an inverse.
        #expect(abs(result.estimate.covariance[index, index] - 0.04) < 1e-12)
      }
    }
  }

  @Test("Half of the view moved away does not move the pose")
  func outliers() {
    let scene = TrackingScene.room
    var frame = scene.frame(worldFromCamera: looking, seed: 4)
    var depth = frame.depth.meters
    for y in 0..<48 {
      for x in 0..<64 where (x / 8 + y / 8) % 2 == 0 { depth[x, y] *= 0.8 }
    }
    frame.depth = DepthMap(meters: depth)
    let start = looking.moved(rotation: [0.005, 0, 0], translation: [0.005, 0.005, 0])
    let result = independent.register(
      frame, to: scene.view(worldFromCamera: looking), prior: wide(start), threads: 1)
    let error = difference(result.estimate.aFromB, looking)
    // 1 mm of noise over 400 points, of which few fix each wall.
    #expect(error.meters < 1e-3 && error.radians < 1e-3, "\(error)")
    #expect(result.quality.inlierShare < 0.7)
  }
}
