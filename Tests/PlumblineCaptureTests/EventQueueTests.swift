import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCapture

@Suite("Events that wait")
struct EventQueueTests {
  static func capture(_ seconds: Double) -> DepthCameraEvent {
    var capture = Capture(source: CaptureSource())
    capture.timestampSeconds = seconds
    return .capture(capture)
  }

  @Test("What finds no room is counted, with the time of the first one")
  func slowConsumer() {
    var queue = EventQueue(capacity: 2)
    for index in 0..<7 { queue.append(Self.capture(Double(index))) }
    let events = (0..<4).map { _ in queue.popFirst() }
    guard case .capture(let first) = events[0], case .capture(let second) = events[1],
      case .dropped(let lost) = events[2], events[3] == nil
    else {
      Issue.record("\(events)")
      return
    }
    #expect(first.timestampSeconds == 0 && second.timestampSeconds == 1)
    #expect(lost == DroppedFrame(timestampSeconds: 2, reason: .slowConsumer, count: 5))
  }

  @Test("Of states the last one counts, losses add up by reason, motion is joined and bounded")
  func merging() {
    var queue = EventQueue(capacity: 1, motionCapacity: 3)
    let sample = MotionSample(timestampSeconds: 0)
    queue.append(.thermal(ThermalReading(.fair)))
    queue.append(.dropped(DroppedFrame(timestampSeconds: 1, reason: .lateData)))
    queue.append(.motion([sample, sample]))
    queue.append(.thermal(ThermalReading(.serious)))
    queue.append(.dropped(DroppedFrame(timestampSeconds: 2, reason: .noDepth)))
    queue.append(.dropped(DroppedFrame(timestampSeconds: 3, reason: .lateData)))
    queue.append(.motion([sample, sample]))
    var texts: [String] = []
    while let event = queue.popFirst() {
      switch event {
      case .dropped(let lost): texts.append("\(lost.reason) \(lost.count)")
      case .motion(let samples): texts.append("motion \(samples.count)")
      case .motionLost(let count): texts.append("lost \(count)")
      case .thermal(let reading): texts.append("\(reading.state)")
      default: texts.append("?")
      }
    }
    #expect(texts == ["lateData 2", "motion 3", "serious", "noDepth 1", "lost 1"])
  }

  @Test("However much comes, little waits and every frame is accounted for", arguments: 0..<10)
  func bounded(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = EventQueue(capacity: 3, motionCapacity: 10)
    var (frames, samples) = (0, 0)
    var (seenFrames, seenSamples) = (0, 0)
    func pop() {
      switch queue.popFirst() {
      case .capture: seenFrames += 1
      case .dropped(let lost): seenFrames += lost.count
      case .motion(let some): seenSamples += some.count
      case .motionLost(let count): seenSamples += count
      default: break
      }
    }
    for step in 0..<2000 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        queue.append(Self.capture(Double(step)))
        frames += 1
      case 2:
        let reason = DroppedFrame.Reason.allCases.randomElement(using: &generator) ?? .noDepth
        queue.append(.dropped(DroppedFrame(timestampSeconds: nil, reason: reason)))
        frames += 1
      case 3:
        queue.append(.motion([MotionSample(timestampSeconds: Double(step))]))
        samples += 1
      case 4: queue.append(.thermal(ThermalReading(.fair)))
      default: pop()
      }
      // Three captures, and before, between and after them one of each other kind.
      #expect(queue.count <= 3 + 4 * (DroppedFrame.Reason.allCases.count + 4))
    }
    while queue.count > 0 { pop() }
    #expect(seenFrames == frames && seenSamples == samples)
  }
}
