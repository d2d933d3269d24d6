import PlumblineCapture
import PlumblineModel
import Synchronization
import Testing

@testable import PlumblineServer

@Suite("What waits between a socket and a recording")
struct BoundedFrameQueueTests {
  private func event(_ count: Int) -> BoundedFrameQueue.Item {
    .event(.dropped(DroppedFrame(timestampSeconds: nil, reason: .lateData, count: count)))
  }

  @Test("News count too: a flood of them makes the camera wait, and all arrive in order")
  func events() async {
    let rooms = Mutex(0)
    let queue = BoundedFrameQueue { rooms.withLock { $0 += 1 } }
    for count in 1..<BoundedFrameQueue.itemLimit { #expect(queue.put(event(count))) }
    // Full now; what is in the socket's buffers already is taken all the same.
    for count in BoundedFrameQueue.itemLimit..<BoundedFrameQueue.itemLimit + 5 {
      #expect(!queue.put(event(count)))
    }
    for count in 1..<BoundedFrameQueue.itemLimit + 5 {
      guard case .event(.dropped(let frames)) = await queue.next() else {
        Issue.record("no event \(count)")
        return
      }
      #expect(frames.count == count)
      #expect(rooms.withLock { $0 } == (count >= 5 ? 1 : 0))
    }
    #expect(queue.put(event(1)))
  }
}
