import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct LoopCloserTests {
  private func circle(noise: Double = 0.002) -> LoopScene {
    LoopScene(
      scene: LoopScene.furnished, truth: LoopScene.circle(), drift: LoopScene.driftShare,
      yawPerMeter: LoopScene.driftYaw, sigmaMeters: noise)
  }

  @Test("A circle with ARKit's drift closes to less than a thousandth of its path")
  func closesCircle() throws {
    let scene = circle()
    let keyframes = scene.keyframes(hasRecordedPoses: true)
    let closure = LoopCloser(threads: 2).closed(keyframes)
    let last = keyframes.count - 1
    let before = scene.endError(
      keyframes[0].estimate.aFromB, keyframes[last].estimate.aFromB, at: keyframes[last].index)
    let after = scene.endError(
      closure.worldFromKeyframes[0].aFromB, closure.worldFromKeyframes[last].aFromB,
      at: keyframes[last].index)
    #expect(after < 0.001 * scene.pathMeters)
    // 1 % of 5.7 m.
    #expect(before > 0.05)
    let longest = try #require(closure.longest)
    #expect(longest.correctedMeters < 0.001 * longest.pathMeters)
  }

  @Test("Without recorded poses a circle closes to less than half a percent")
  func closesWithoutPoses() throws {
    var scene = circle()
    scene.drift = 0.02
    scene.yawPerMeter = 0.01
    let keyframes = scene.keyframes(hasRecordedPoses: false)
    let closure = LoopCloser(threads: 2).closed(keyframes)
    let last = keyframes.count - 1
    let after = scene.endError(
      closure.worldFromKeyframes[0].aFromB, closure.worldFromKeyframes[last].aFromB,
      at: keyframes[last].index)
    #expect(after < 0.005 * scene.pathMeters)
  }

  @Test("A figure of eight closes where it crosses itself and at its end")
  func closesEight() throws {
    let scene = LoopScene(
      scene: LoopScene.furnished, truth: LoopScene.eight(), drift: LoopScene.driftShare,
      yawPerMeter: LoopScene.driftYaw)
    let keyframes = scene.keyframes(hasRecordedPoses: true)
    let closure = LoopCloser(threads: 2).closed(keyframes)
    let last = keyframes.count - 1
    let after = scene.endError(
      closure.worldFromKeyframes[0].aFromB, closure.worldFromKeyframes[last].aFromB,
      at: keyframes[last].index)
    #expect(after < 0.001 * scene.pathMeters)
  }

  @Test("Two rooms that look alike are not one: the path stays")
  func rejectsTwins() throws {
    // The same furniture in two rooms 6 m apart, seen from the same places; the way between them is recorded.
    var scene = circle()
    let first = (0..<20).map { scene.truth[$0] }
    let door = RigidTransform(rotation: .identity, translation: [6, 0, 0])
    let keyframes = twins(scene: &scene, first: first, door: door)
    let closure = LoopCloser(threads: 2).closed(keyframes)
    for loop in closure.loops where loop.isKept {
      #expect((loop.first < 20) == (loop.second < 20), "\(loop)")
    }
    #expect(closure.movedMeters < 0.02)
  }

  /// Keyframes of a room and of its twin, which looks the same and lies elsewhere.
  private func twins(
    scene: inout LoopScene, first: [RigidTransform], door: RigidTransform
  ) -> [Keyframe] {
    var store = KeyframeStore()
    for (index, pose) in (first + first).enumerated() {
      let place = index < first.count ? pose : door * pose
      let frame = scene.scene.frame(
        worldFromCamera: pose, sigmaMeters: 0.002, seed: UInt64(index + 1), recorded: place)
      store.add(
        TrackedFrame(
          index: index, recordedWorldFromCamera: place,
          estimate: PosePrior(worldFromCamera: place, sigmaRadians: 1e-4, sigmaMeters: 1e-4)
            .estimate,
          state: .tracked, fragment: 0), frame)
    }
    return store.keyframes
  }

  @Test("A fragment of an unknown place is joined where two pairs agree")
  func joinsFragments() throws {
    var scene = circle()
    scene.drift = 0
    scene.yawPerMeter = 0
    // The second half begins in a world of its own.
    let away = pose([0.3, 1.2, 0.1], [3, 1, -2])
    var keyframes = scene.keyframes(hasRecordedPoses: false) { $0 < 36 ? 0 : 1 }
    for place in keyframes.indices where keyframes[place].fragment == 1 {
      keyframes[place].estimate.aFromB = away * keyframes[place].estimate.aFromB
    }
    let closure = LoopCloser(threads: 2).closed(keyframes)
    let last = keyframes.count - 1
    let after = scene.endError(
      closure.worldFromKeyframes[0].aFromB, closure.worldFromKeyframes[last].aFromB,
      at: keyframes[last].index)
    #expect(closure.surfaces == [0, 0] && closure.joinsFragments)
    // Half a hundredth of the path of 5.7 m.
    #expect(after < 0.03)
  }

  @Test("A path that comes back nowhere stays as it was tracked")
  func staysWithoutLoops() {
    var scene = circle()
    scene.truth = Array(scene.truth.prefix(12))
    let keyframes = scene.keyframes(hasRecordedPoses: true)
    let closure = LoopCloser(threads: 1).closed(keyframes)
    #expect(closure.loops.isEmpty && closure.movedMeters == 0 && closure.longest == nil)
    #expect(!closure.joinsFragments)
  }

  @Test("Any number of threads gives the same poses")
  func threads() {
    var scene = circle()
    scene.truth = LoopScene.circle(steps: 32)
    let keyframes = scene.keyframes(hasRecordedPoses: true)
    let poses = [1, 2, 7].map {
      LoopCloser(threads: $0).closed(keyframes).worldFromKeyframes.map(\.aFromB)
    }
    #expect(poses[0] == poses[1] && poses[0] == poses[2])
  }
}
