import Plumbline
import Testing

/// What is said of a recording, and how often.
@Suite struct RecordingInfoTests {
  /// Three frames whose clock goes back once and whose middle one has no pose.
  private func info(_ told: [Finding], ofFrame: [Finding] = []) -> RecordingInfo {
    let times = [0, 2, 1.5]
    let frames = times.enumerated().map {
      RecordedFrame(name: "f\($0.offset)", timestampSeconds: $0.element)
    }
    let recording = Recording(layout: "test", frames: frames, findings: told) { index, _ in
      var capture = Capture(source: CaptureSource())
      capture.timestampSeconds = times[index]
      capture.worldFromCamera =
        index == 1
        ? nil : RigidTransform(rotation: .identity, translation: [Double(index), 0, 0])
      if index == 1 { capture.findings = ofFrame }
      return capture
    }
    return RecordingInfo(recording, name: "test")
  }

  @Test("What the reader has said of clock and poses is not said again by the assessments")
  func onlyOnce() {
    let clock = Finding(.sequenceClockBackwards, .caution, "the list goes back", evidence: "a.txt")
    let pose = Finding(.sequencePosesMissing, .note, "no pose within 20 ms", evidence: "b.txt")
    #expect(
      info([]).findings.map(\.finding.code) == [.sequenceClockBackwards, .sequencePosesMissing])
    let told = info([clock, pose])
    #expect(told.findings.map(\.finding.message) == [clock.message, pose.message])
    let partly = info([clock], ofFrame: [pose])
    #expect(partly.findings.map(\.finding.message) == [clock.message, pose.message])
    #expect(partly.findings.map(\.frameNames) == [[], ["f1"]])
    // The numbers stay.
    #expect(told.clock.backwardFrames == ["f2"])
    #expect(told.trajectory.untrackedFrames == ["f1"])
  }
}
