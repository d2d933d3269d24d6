import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct RecordedDriftTests {
  /// Keyframes of a path whose recorded poses move away by a random step at each one, along each axis.
  private func keyframes(stepMeters: Double, seed: UInt64) -> [Keyframe] {
    let camera = PinholeIntrinsics(
      focalLength: [82.5, 82.5], principalPoint: [47.5, 35.5],
      size: RasterSize(width: 96, height: 72))
    var generator = SeededGenerator(seed: seed)
    var shift = SIMD3<Double>.zero
    var store = KeyframeStore()
    for (index, pose) in LoopScene.circle(steps: 32).enumerated() {
      var recorded = pose
      recorded.translation += shift
      shift +=
        SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * stepMeters
      let frame = LoopScene.furnished.frame(
        worldFromCamera: pose, sigmaMeters: 0.001, seed: seed * 1000 + UInt64(index),
        recorded: recorded, camera: camera)
      store.add(
        TrackedFrame(
          index: index, recordedWorldFromCamera: recorded,
          estimate: PosePrior(worldFromCamera: recorded, sigmaRadians: 1e-4, sigmaMeters: 1e-4)
            .estimate,
          state: .tracked, fragment: 0), frame)
    }
    return store.keyframes
  }

  private func mean(
    stepMeters: Double, seeds: ClosedRange<UInt64>
  ) throws -> (variance: Double, sigma: Double) {
    let drifts = try seeds.map { seed in
      let found = RecordedDrift.measured(
        by: keyframes(stepMeters: stepMeters, seed: seed), threads: 2)
      return try #require(found)
    }
    let count = Double(drifts.count)
    return (
      drifts.reduce(0) { $0 + $1.variancePerKeyframe } / count,
      (drifts.reduce(0) { $0 + $1.sigmaPerKeyframe * $1.sigmaPerKeyframe }).squareRoot() / count
    )
  }

  @Test("A random path of the recorded poses is measured, rather too large than too small")
  func randomPath() throws {
    let found = try mean(stepMeters: 0.008, seeds: 1...3)
    let expected = 0.008 * 0.008
    // Differences of one wall are all alike, and 1.4826 times their median is as much too large: 2.2 times the
    // variance. Walls seen at a slant show more of a shift than it is.
    #expect((expected...5 * expected).contains(found.variance), "\(found) for \(expected)")
  }

  @Test("Exact poses have no drift beyond what the noise hides")
  func exact() throws {
    let found = try mean(stepMeters: 0, seeds: 1...2)
    // Half of the noise of a pixel of 1 mm, squared.
    #expect(found.variance + found.sigma < 2.5e-7, "\(found)")
  }

  @Test("Too few keyframes, and those without poses, say nothing")
  func tooFew() {
    let some = keyframes(stepMeters: 0.004, seed: 1)
    let ofTen = RecordedDrift.measured(by: Array(some.prefix(10)), threads: 1)
    #expect(ofTen == nil)
    #expect(RecordedDrift.measured(by: [], threads: 1) == nil)
    var without = some
    for index in without.indices { without[index].frame.worldFromCamera = nil }
    let withoutPoses = RecordedDrift.measured(by: without, threads: 1)
    #expect(withoutPoses == nil)
  }

  @Test("Any number of threads gives the same numbers")
  func threads() {
    let some = keyframes(stepMeters: 0.004, seed: 2)
    let one = RecordedDrift.measured(by: some, threads: 1)
    let seven = RecordedDrift.measured(by: some, threads: 7)
    #expect(one != nil && one == seven)
  }
}
