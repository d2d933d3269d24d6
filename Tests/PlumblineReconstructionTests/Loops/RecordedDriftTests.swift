import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct RecordedDriftTests {
  /// Keyframes of a path whose recorded poses move away by a random step of so many meters each, along each axis.
  private func keyframes(stepMeters: Double, seed: UInt64) -> [Keyframe] {
    var scene = LoopScene(scene: LoopScene.furnished, truth: LoopScene.circle())
    scene.sigmaMeters = 0.001
    var generator = SeededGenerator(seed: seed)
    var keyframes = scene.keyframes(hasRecordedPoses: true, seed: seed)
    var shift = SIMD3<Double>.zero
    for index in keyframes.indices {
      keyframes[index].frame.worldFromCamera?.translation += shift
      shift +=
        SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * stepMeters
    }
    return keyframes
  }

  private func mean(
    stepMeters: Double, seeds: ClosedRange<UInt64>
  ) throws -> (variance: Double, sigma: Double) {
    let drifts = try seeds.map { seed in
      try #require(
        RecordedDrift.measured(by: keyframes(stepMeters: stepMeters, seed: seed), threads: 2))
    }
    let count = Double(drifts.count)
    return (
      drifts.reduce(0) { $0 + $1.variancePerKeyframe } / count,
      (drifts.reduce(0) { $0 + $1.sigmaPerKeyframe * $1.sigmaPerKeyframe }).squareRoot() / count
    )
  }

  @Test("A random path of the recorded poses is measured", arguments: [0.004, 0.012])
  func randomPath(stepMeters: Double) throws {
    let found = try mean(stepMeters: stepMeters, seeds: 1...6)
    let expected = stepMeters * stepMeters
    // Differences count along the axis of the camera: walls seen at a slant show more of a shift, or less.
    #expect(
      (0.5 * expected...2 * expected).contains(found.variance),
      "\(found) for \(expected)")
  }

  @Test("Exact poses have no drift beyond what the noise hides")
  func exact() throws {
    let found = try mean(stepMeters: 0, seeds: 1...6)
    // A tenth of the noise of a pixel, squared: medians of many pixels.
    #expect(found.variance + found.sigma < 1e-8, "\(found)")
  }

  @Test("Too few keyframes, and those without poses, say nothing")
  func tooFew() {
    let some = keyframes(stepMeters: 0.004, seed: 1)
    #expect(RecordedDrift.measured(by: Array(some.prefix(10)), threads: 1) == nil)
    #expect(RecordedDrift.measured(by: [], threads: 1) == nil)
    var without = some
    for index in without.indices { without[index].frame.worldFromCamera = nil }
    #expect(RecordedDrift.measured(by: without, threads: 1) == nil)
  }

  @Test("Any number of threads gives the same numbers")
  func threads() {
    let some = keyframes(stepMeters: 0.004, seed: 2)
    let one = RecordedDrift.measured(by: some, threads: 1)
    #expect(one != nil && one == RecordedDrift.measured(by: some, threads: 7))
  }
}
