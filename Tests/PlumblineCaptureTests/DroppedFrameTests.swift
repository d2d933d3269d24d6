import PlumblineCapture
import Testing

@Suite("Dropped frames")
struct DroppedFrameTests {
  @Test("Reasons keep the names that documents carry")
  func names() {
    #expect(
      DroppedFrame.Reason.allCases.map(\.rawValue) == [
        "lateData", "outOfBuffers", "discontinuity", "slowConsumer", "noDepth",
      ])
  }
}
