import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCapture

@Suite("Interruptions of a session")
struct InterruptionTests {
  @Test("Each reason has its words and what to do; only the microphone's leaves frames flowing")
  func reasons() {
    for reason in SessionInterruption.allCases {
      #expect(reason.endsCapture == (reason != .audioInUse))
      #expect(SessionInterruption(reason: reason.rawValue) == reason)
      #expect(reason.advice.hasSuffix("."))
    }
    #expect(Set(SessionInterruption.allCases.map(\.description)).count == 7)
    #expect(SessionInterruption(reason: nil) == .unknown)
    #expect(SessionInterruption(reason: 4711) == .unknown)
    #expect(
      DepthCameraError.interrupted(.background).description
        == "the camera was taken away: the app went to the background")
  }

  func expect(
    _ actions: [InterruptionTracker.Action], _ expected: [InterruptionTracker.Action],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(actions == expected, sourceLocation: sourceLocation)
  }

  @Test("An interruption and its end are each reported once, and the session is kept")
  func resumption() {
    var tracker = InterruptionTracker()
    expect(tracker.take(.frame), [])
    expect(tracker.take(.interrupted(reason: 2)), [])
    #expect(tracker.interruption == nil)
    expect(tracker.take(.interrupted(reason: 4)), [.reportInterruption(.sharedScreen)])
    expect(tracker.take(.interrupted(reason: 4)), [])
    expect(tracker.take(.interrupted(reason: 1)), [.reportInterruption(.background)])
    expect(tracker.take(.interruptionEnded), [.reportResumption])
    expect(tracker.take(.interruptionEnded), [])
    expect(tracker.take(.frame), [])
    expect(
      tracker.take(.interrupted(reason: 5)),
      [.reportShutdown, .reportInterruption(.systemPressure)])
    // The system need not say that it is over.
    expect(tracker.take(.frame), [.reportResumption])
  }

  @Test("After a reset of the media services the session starts again, three times without a frame")
  func restarts() {
    let reset = InterruptionTracker.Observation.runtimeError(
      code: InterruptionTracker.mediaServicesWereReset, text: "reset")
    var tracker = InterruptionTracker()
    for _ in 0..<2 {
      for _ in 0..<3 { expect(tracker.take(reset), [.restart]) }
      expect(tracker.take(.frame), [])
    }
    for _ in 0..<3 { expect(tracker.take(reset), [.restart]) }
    expect(tracker.take(reset), [.fail("reset")])
    expect(tracker.take(.interrupted(reason: 1)), [])
    var other = InterruptionTracker()
    expect(other.take(.runtimeError(code: nil, text: "broken")), [.fail("broken")])
  }

  @Test("Reports alternate, and nothing follows a stop or a failure", arguments: 0..<50)
  func sequences(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var tracker = InterruptionTracker()
    var isInterrupted = false
    var isEnded = false
    for _ in 0..<200 {
      let observation: InterruptionTracker.Observation =
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<30: .interrupted(reason: Int.random(in: 0...9, using: &generator))
        case 30..<60: .interruptionEnded
        case 60..<95: .frame
        case 95..<97: .runtimeError(code: -11_819, text: "reset")
        case 97: .runtimeError(code: -11_800, text: "unknown")
        default: .stopped
        }
      let actions = tracker.take(observation)
      #expect(!isEnded || actions.isEmpty)
      for action in actions {
        switch action {
        case .reportInterruption(let reason):
          #expect(reason.endsCapture && tracker.interruption == reason)
          isInterrupted = true
        case .reportResumption:
          #expect(isInterrupted)
          isInterrupted = false
        case .fail: isEnded = true
        case .restart, .reportShutdown: break
        }
      }
      if observation == .stopped { isEnded = true }
      #expect(isEnded || (tracker.interruption != nil) == isInterrupted)
    }
  }

  @Test("A screen shows why it pauses, and forgets it when frames come again")
  func status() {
    var status = CaptureStatus()
    #expect(status.interruptionText == nil)
    status.take(.interrupted(.cameraInUse))
    #expect(
      status.interruptionText
        == "Paused: another app uses the camera. End the other app's use of the camera; "
        + "it then goes on by itself.")
    status.take(.resumed)
    #expect(status.interruptionText == nil && status.interruptionCount == 1)
  }

  @Test("A queue that is not read keeps an interruption and its end, in their order")
  func queue() {
    var queue = EventQueue(capacity: 1)
    for event: DepthCameraEvent in [
      .interrupted(.background), .resumed, .interrupted(.cameraInUse), .resumed,
    ] { queue.append(event) }
    var texts: [String] = []
    while let event = queue.popFirst() {
      switch event {
      case .interrupted(let reason): texts.append("\(reason.rawValue)")
      case .resumed: texts.append("resumed")
      default: texts.append("?")
      }
    }
    #expect(texts == ["3", "resumed"])
  }

  @Test("A recording ends with the interruption, is finished, and the camera goes on")
  func recording() async {
    var recorder = CaptureRecorder(writer: MemoryWriter(MemoryWriter.Log()))
    let buffer = DepthCameraEvents { buffer in
      for index in 0..<3 { buffer.offer(EventQueueTests.capture(Double(index))) }
      buffer.offer(.interrupted(.audioInUse))
      buffer.offer(EventQueueTests.capture(3))
      buffer.offer(.interrupted(.background))
      buffer.offer(.resumed)
      buffer.offer(EventQueueTests.capture(4))
      return {}
    }
    let outcome = await recorder.record(GivenEvents(given: buffer))
    guard case .cameraFailed(let error) = outcome.ending else {
      Issue.record("it ended otherwise: \(outcome.ending)")
      return
    }
    #expect(error == .interrupted(.background))
    #expect(outcome.statistics.writtenFrames == 4 && outcome.statistics.storedFrames == 4)
  }

  private struct GivenEvents: DepthCameraSource {
    let given: DepthCameraEvents
    func events() -> DepthCameraEvents { given }
  }
}
