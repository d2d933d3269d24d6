import PlumblineCapture
import PlumblineModel
import Synchronization
import Testing

@testable import PlumblineServer

@Suite("What waits between a socket and a recording")
struct HandoverTests {
  private func event(_ count: Int) -> FrameHandover.Item {
    .event(.dropped(DroppedFrame(timestampSeconds: nil, reason: .lateData, count: count)))
  }

  @Test("News count too: a flood of them makes the camera wait, and all arrive in order")
  func events() async {
    let rooms = Mutex(0)
    let handover = FrameHandover { rooms.withLock { $0 += 1 } }
    for count in 1..<FrameHandover.itemLimit { #expect(handover.put(event(count))) }
    // Full now; what is in the socket's buffers already is taken all the same.
    for count in FrameHandover.itemLimit..<FrameHandover.itemLimit + 5 {
      #expect(!handover.put(event(count)))
    }
    for count in 1..<FrameHandover.itemLimit + 5 {
      guard case .event(.dropped(let frames)) = await handover.next() else {
        Issue.record("no event \(count)")
        return
      }
      #expect(frames.count == count)
      #expect(rooms.withLock { $0 } == (count >= 5 ? 1 : 0))
    }
    #expect(handover.put(event(1)))
  }
}
