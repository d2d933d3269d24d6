import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCapture

@Suite("Fewer frames of a camera that cannot be slowed down")
struct FrameThinningTests {
  @Test("At the full rate every frame passes, however its time scatters; at 0 none does")
  func ends() {
    var generator = SeededGenerator(seed: 60)
    var full = FrameThinning(fullFramesPerSecond: 60)
    var none = FrameThinning(fullFramesPerSecond: 60)
    for index in 0..<300 {
      let seconds = Double(index) / 60 + Double.random(in: -0.008...0.008, using: &generator)
      let (passes, isNone) = (
        full.passes(at: seconds, framesPerSecond: 60), none.passes(at: seconds, framesPerSecond: 0)
      )
      #expect(passes && !isNone)
    }
  }

  @Test(
    "The mean rate is the wanted one within a frame in ten seconds, and no gap is longer than needed",
    arguments: [7.5, 15, 20, 24, 30], [0.0, 0.002])
  func rate(framesPerSecond: Double, jitter: Double) {
    var generator = SeededGenerator(seed: 15)
    var thinning = FrameThinning(fullFramesPerSecond: 60)
    var passed: [Double] = []
    for index in 0..<600 {
      let seconds = Double(index) / 60 + Double.random(in: -jitter...jitter, using: &generator)
      if thinning.passes(at: seconds, framesPerSecond: framesPerSecond) { passed.append(seconds) }
    }
    #expect(abs(Double(passed.count) - 10 * framesPerSecond) <= 1.5)
    for (a, b) in zip(passed, passed.dropFirst()) {
      // The wanted time, rounded up to a frame of the camera, and the scatter of two times.
      #expect(b - a <= 1 / framesPerSecond + 1.0 / 60 + 2 * jitter + 1e-9)
    }
  }

  @Test("A clock that goes back, or a pause, holds nothing back")
  func clock() {
    var thinning = FrameThinning(fullFramesPerSecond: 60)
    var passed: [Double] = []
    for seconds in [100.0, 100.01, 3, 3.01, 50, 50.01]
    where thinning.passes(at: seconds, framesPerSecond: 10) {
      passed.append(seconds)
    }
    #expect(passed == [100, 3, 50])
  }

  @Test("Losses are counted for each stream, and the streams add up", arguments: 0..<10)
  func streams(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var status = CaptureStatus()
    var queue = EventQueue(capacity: 1)
    var total = 0
    for _ in 0..<100 {
      let loss = DroppedFrame(
        timestampSeconds: nil,
        reason: DroppedFrame.Reason.allCases.randomElement(using: &generator) ?? .noDepth,
        count: Int.random(in: 1...3, using: &generator),
        stream: FrameStream.allCases.randomElement(using: &generator) ?? .depth)
      total += loss.count
      queue.append(.dropped(loss))
    }
    #expect(queue.count <= DroppedFrame.Reason.allCases.count * FrameStream.allCases.count)
    while let event = queue.popFirst() { status.take(event) }
    #expect(status.drops.values.reduce(0, +) == total)
    for reason in DroppedFrame.Reason.allCases {
      let sum = status.dropsByStream.values.reduce(0) { $0 + ($1[reason] ?? 0) }
      #expect(sum == status.drops[reason] ?? 0)
    }
    #expect(status.lossTextByStream.count == status.dropsByStream.count)
  }

  @Test("A type keeps its precision when it becomes the other kind of numbers")
  func kinds() {
    for type in DepthPixelType.allCases {
      #expect(type.converted(to: nil) == type)
      for kind in DepthPhotoSettings.DepthKind.allCases {
        let converted = type.converted(to: kind)
        #expect(converted.bytesPerPixel == type.bytesPerPixel)
        #expect(converted.isDisparity == (kind == .disparity))
      }
    }
  }
}
