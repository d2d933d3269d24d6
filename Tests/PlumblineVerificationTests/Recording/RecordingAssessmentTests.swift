import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

@Suite("Assessment of recordings")
struct RecordingAssessmentTests {
  /// Frames with these times and poses.
  private func frames(
    _ times: [Double?], _ poses: [RigidTransform?]? = nil
  ) -> [FrameFacts] {
    times.enumerated().map { index, time in
      var capture = Capture(source: CaptureSource())
      capture.timestampSeconds = time
      capture.worldFromCamera = poses?[index]
      return FrameFacts(capture, name: "f\(index)", timestampSeconds: nil)
    }
  }

  @Test("A frame without a measured pixel says so, one with a single pixel does not")
  func emptyFrames() {
    let codes = [Float.nan, 1].map { meters in
      var capture = Capture(source: CaptureSource())
      capture.depth = DepthRecord(
        values: .depth(
          DepthMap(
            meters: Raster(size: RasterSize(width: 8, height: 6)) { x, y in
              x == 3 && y == 2 ? meters : .nan
            })), storedType: "fdep")
      return FrameFacts(capture, name: "f", timestampSeconds: nil).findings.map(\.code)
    }
    #expect(codes == [[.depthEmpty], []])
    // A frame that never had a map has no empty one.
    #expect(frames([0])[0].findings.isEmpty)
  }

  @Test("Dropped frames are counted where they are missing, whatever the jitter", arguments: 0..<20)
  func drops(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    // Jitter of a fifth of the interval stays below the half that makes a gap.
    var times = (0..<300).map {
      Double($0) / 30 + Double.random(in: -0.003...0.003, using: &generator)
    }
    let lost = Set((0..<4).map { 20 + 60 * $0 + Int.random(in: 0..<40, using: &generator) })
    times = times.enumerated().filter { !lost.contains($0.offset) }.map(\.element)
    let clock = ClockAssessment(frames(times))
    #expect(clock.missingFrames == 4)
    #expect(clock.gaps.allSatisfy { $0.missingFrames == 1 })
    #expect(abs((clock.framesPerSecond ?? 0) - 30) < 2)
    #expect(clock.findings.map(\.code) == [.sequenceDroppedFrames])
  }

  @Test("Clocks that go backwards, repeat, leap or say nothing are findings, not crashes")
  func clocks() {
    let clock = ClockAssessment(frames([0, 0.1, 0.1, 0.05, 0.2, nil, 0.3, 1e300, .nan]))
    #expect(clock.backwardFrames == ["f3"])
    #expect(clock.repeatedFrames == ["f2"])
    #expect(clock.untimedFrames == ["f5", "f8"])
    #expect(clock.gaps.last?.missingFrames == 1_000_000_000)
    #expect(
      Set(clock.findings.map(\.code)) == [
        .sequenceClockBackwards, .sequenceRepeatedFrames, .sequenceDroppedFrames,
      ])
    #expect(
      clock.findings.map(\.message).contains { $0.contains("backwards at 1 frame;") })
    #expect(ClockAssessment([]).seconds == nil)
    #expect(ClockAssessment(frames([5])).framesPerSecond == nil)
  }

  /// A camera on a curve of 2 m at 0.5 m/s with a hand's tremor of a millimeter.
  private func walk(
    _ count: Int, seed: UInt64, offset: (Int) -> SIMD3<Double> = { _ in .zero }
  ) -> [RigidTransform?] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let t = Double(index) / 60
      let tremor = SIMD3<Double>.random(in: -0.001...0.001, using: &generator)
      return RigidTransform(
        rotation: .identity, translation: [t, 0.1 * t * t, 0] + tremor + offset(index))
    }
  }

  @Test("A shift of the world's origin is one jump at its frame, and a steady hand is none")
  func jumps() {
    let times = (0..<120).map { Double?(Double($0) / 30) }
    for seed in UInt64(0)..<20 {
      let steady = TrajectoryAssessment(frames(times, walk(120, seed: seed)))
      #expect(steady.jumps.isEmpty)
      #expect(steady.findings.isEmpty)
      let shifted = TrajectoryAssessment(
        frames(times, walk(120, seed: seed) { $0 < 70 ? .zero : [0, 0.2, 0] }))
      #expect(shifted.jumps.map(\.frame) == ["f70"])
      #expect(abs((shifted.jumps.first?.meters ?? 0) - 0.2) < 0.01)
      #expect(shifted.findings.map(\.code) == [.sequencePoseJumps])
      #expect(shifted.findings[0].message.hasPrefix("tracking jumps at 1 frame, by up to "))
    }
  }

  @Test("Missing poses are named, poses that never change are called so, none at all are no fault")
  func poses() {
    let times = (0..<10).map { Double?(Double($0)) }
    var some = walk(10, seed: 1)
    some[4] = nil
    let partly = TrajectoryAssessment(frames(times, some))
    #expect(partly.poseCount == 9)
    #expect(partly.untrackedFrames == ["f4"])
    #expect(partly.findings.map(\.code) == [.sequencePosesMissing])
    // What cannot be read may have had one.
    var damaged = frames(times, some)
    damaged[4] = FrameFacts(unreadable: "damaged", name: "f4", timestampSeconds: 4)
    #expect(TrajectoryAssessment(damaged).findings.isEmpty)
    let still = TrajectoryAssessment(
      frames(times, Array(repeating: RigidTransform.identity, count: 10)))
    #expect(still.isStill)
    #expect(still.findings.map(\.code) == [.sequencePosesStill])
    #expect(TrajectoryAssessment(frames(times)).findings.isEmpty)
  }
}
