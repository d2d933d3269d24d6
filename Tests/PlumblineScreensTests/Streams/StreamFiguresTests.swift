import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@Suite("Figures of a stream")
struct StreamFiguresTests {
  @Test("What the simulator loses is what the table says, reason by reason")
  func losses() async throws {
    let events = try await Frames.simulated(200) {
      $0.dropShares = [.lateData: 0.1, .outOfBuffers: 0.05]
    }
    var figures = StreamFigures()
    var expected: [FrameStream: [DroppedFrame.Reason: Int]] = [:]
    var complete = 0
    for event in events {
      figures.take(event)
      if case .dropped(let frames) = event {
        expected[frames.stream, default: [:]][frames.reason, default: 0] += frames.count
      }
      if let frame = event.frame, frame.depth != nil { complete += 1 }
    }
    #expect(figures.losses.count >= 2)
    #expect(figures.losses.count == expected.values.reduce(0) { $0 + $1.count })
    for loss in figures.losses {
      #expect(loss.count == expected[loss.stream]?[loss.reason])
      #expect(loss.explanation.hasSuffix(".") && loss.countText.hasPrefix("\(loss.count) "))
    }
    #expect(figures.synchronizedFrames == complete)
    #expect(
      figures.synchronizationText
        == "\(complete) of \(figures.status.frames.counting("frame")) with color and depth")
  }

  @Test("The movement of the focal length is that of the last second, whatever came before")
  func focalLength() {
    var generator = SeededGenerator(seed: 5)
    var figures = StreamFigures()
    var history: [(Double, Double)] = []
    #expect(figures.intrinsicsText == "no camera matrix with these frames")
    for index in 0..<120 {
      let seconds = Double(index) / 30
      let focal = Double.random(in: 500...510, using: &generator)
      figures.take(.capture(Frames.capture(at: seconds, focal: focal) { _, _ in 1 }))
      history.append((seconds, focal))
      let recent = history.filter { $0.0 >= seconds - 1 }.map(\.1)
      let movement = (recent.max() ?? 0) - (recent.min() ?? 0)
      #expect(recent.count < 2 || abs((figures.focalMovement ?? -1) - movement) < 1e-9)
    }
    #expect(figures.calibratedFrames == 120)
    #expect(
      figures.intrinsicsText.contains("px of 8×6, as the system states it, ± unknown; f moved by"))
  }

  @Test("A clock that goes back leaves no old focal length behind")
  func clock() {
    var figures = StreamFigures()
    for (seconds, focal) in [(10.0, 500.0), (10.1, 501), (2, 700)] {
      figures.take(.capture(Frames.capture(at: seconds, focal: focal) { _, _ in 1 }))
    }
    #expect(figures.focalMovement == nil && figures.intrinsics?.focalLength.x == 700)
  }

  @Test("Frames without a matrix or depth are counted as what they are")
  func incomplete() {
    var figures = StreamFigures()
    var capture = Frames.capture { _, _ in 1 }
    capture.depth = nil
    figures.take(.capture(capture))
    #expect(figures.synchronizationText == "0 of 1 frame with color and depth")
    #expect(figures.calibratedFrames == 0 && figures.intrinsics == nil && figures.losses.isEmpty)
  }
}
