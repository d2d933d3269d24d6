import PlumblineCapture
import PlumblineModel
import Synchronization
import Testing

@Suite("One camera for several consumers")
struct RelayTests {
  /// A camera that a test drives, and that counts how often it runs.
  final class DrivenCamera: DepthCameraSource {
    let state = Mutex<(buffer: DepthCameraEventBuffer?, starts: Int, stops: Int)>((nil, 0, 0))

    func events() -> DepthCameraEvents {
      DepthCameraEvents(capacity: 64) { buffer in
        state.withLock { ($0.buffer, $0.starts) = (buffer, $0.starts + 1) }
        return { self.state.withLock { $0.stops += 1 } }
      }
    }

    /// Waits until a number is reached, which a broken relay never does.
    func wait(_ isReady: @Sendable ((starts: Int, stops: Int)) -> Bool) async {
      while !state.withLock({ isReady(($0.starts, $0.stops)) }) { await Task.yield() }
    }

    func send(_ indices: Range<Int>) {
      for index in indices { state.withLock { $0.buffer }?.offer(EventBufferTests.event(index)) }
    }

    func finish(throwing error: DepthCameraError? = nil) {
      state.withLock { $0.buffer }?.finish(throwing: error)
    }
  }

  @Test("All see everything in order, from one camera", .timeLimit(.minutes(1)))
  func sharing() async throws {
    let camera = DrivenCamera()
    let relay = DepthCameraRelay(camera, capacity: 64)
    let (first, second) = (relay.events(), relay.events())
    await camera.wait { $0.starts == 1 }
    camera.send(0..<40)
    camera.finish()
    #expect(try await EventBufferTests.times(first) == (0..<40).map(Double.init))
    #expect(try await EventBufferTests.times(second) == (0..<40).map(Double.init))
    #expect(camera.state.withLock { $0.starts } == 1)
  }

  @Test("A slow consumer loses frames, is told, and nobody else does", .timeLimit(.minutes(1)))
  func slowConsumer() async throws {
    let camera = DrivenCamera()
    let relay = DepthCameraRelay(camera, capacity: 2)
    let slow = relay.events()
    var fast = relay.events().makeAsyncIterator()
    await camera.wait { $0.starts == 1 }
    for index in 0..<10 {
      camera.send(index..<index + 1)
      guard case .capture(let capture) = try await fast.next() else {
        Issue.record("the fast consumer lost frame \(index)")
        return
      }
      #expect(capture.timestampSeconds == Double(index))
    }
    camera.finish()
    var (frames, lost) = (0, 0)
    for try await event in slow {
      if case .capture = event { frames += 1 }
      if case .dropped(let drop) = event, drop.reason == .slowConsumer { lost += drop.count }
    }
    #expect(frames == 2 && lost == 8)
  }

  @Test("A later consumer learns what the camera was configured for", .timeLimit(.minutes(1)))
  func lateConsumer() async throws {
    let camera = DrivenCamera()
    let relay = DepthCameraRelay(camera, capacity: 8)
    var first = relay.events().makeAsyncIterator()
    await camera.wait { $0.starts == 1 }
    let plan = try ConfigurationStepTests.plan(.metrology)
    camera.state.withLock { $0.buffer }?.offer(.configured(StreamSummary(plan)))
    guard case .configured(let summary) = try await first.next() else {
      Issue.record("the first consumer was not told")
      return
    }
    var second = relay.events().makeAsyncIterator()
    camera.send(0..<1)
    guard case .configured(let later) = try await second.next(), later == summary else {
      Issue.record("the second consumer was not told")
      return
    }
    guard case .capture = try await second.next() else {
      Issue.record("the frame did not follow")
      return
    }
    camera.finish()
  }

  @Test("It stops after the last consumer and starts again for the next", .timeLimit(.minutes(1)))
  func lifetime() async throws {
    let camera = DrivenCamera()
    let relay = DepthCameraRelay(camera)
    let (first, second) = (relay.events(), relay.events())
    await camera.wait { $0.starts == 1 }
    first.stop()
    camera.send(0..<1)
    var iterator = second.makeAsyncIterator()
    guard case .capture = try await iterator.next() else {
      Issue.record("the other consumer was stopped too")
      return
    }
    second.stop()
    await camera.wait { $0.stops == 1 }
    let third = relay.events()
    await camera.wait { $0.starts == 2 }
    camera.send(5..<6)
    camera.finish()
    #expect(try await EventBufferTests.times(third) == [5])
  }

  @Test("A failure is told to all", .timeLimit(.minutes(1)))
  func failure() async {
    let camera = DrivenCamera()
    let relay = DepthCameraRelay(camera)
    let consumers = [relay.events(), relay.events(), relay.events()]
    await camera.wait { $0.starts == 1 }
    camera.finish(throwing: .interrupted(.cameraInUse))
    for events in consumers {
      await #expect(throws: DepthCameraError.interrupted(.cameraInUse)) {
        _ = try await EventBufferTests.times(events)
      }
    }
  }
}
