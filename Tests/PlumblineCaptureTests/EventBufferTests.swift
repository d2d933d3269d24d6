import PlumblineCapture
import PlumblineModel
import Synchronization
import Testing

@Suite("The buffer between camera and consumer")
struct EventBufferTests {
  static func event(_ index: Int) -> DepthCameraEvent { EventQueueTests.capture(Double(index)) }

  static func times(_ events: DepthCameraEvents) async throws -> [Double] {
    var times: [Double] = []
    for try await event in events {
      if case .capture(let capture) = event { times.append(capture.timestampSeconds ?? -1) }
    }
    return times
  }

  @Test("A source that waits loses nothing, in order, however small the buffer", arguments: [1, 4])
  func backpressure(capacity: Int) async throws {
    let events = DepthCameraEvents(capacity: capacity) {
      (buffer) async throws(DepthCameraError) in
      for index in 0..<300 { await buffer.send(Self.event(index)) }
    }
    let times = try await Self.times(events)
    #expect(times == (0..<300).map(Double.init))
  }

  @Test("A camera that cannot wait loses what finds no room, and says how much")
  func overflow() async throws {
    let events = DepthCameraEvents(capacity: 3) { buffer in
      for index in 0..<50 { buffer.offer(Self.event(index)) }
      buffer.finish()
      return {}
    }
    var (frames, lost) = (0, 0)
    for try await event in events {
      switch event {
      case .capture: frames += 1
      case .dropped(let frames): lost += frames.count
      default: break
      }
    }
    #expect(frames == 3 && lost == 47)
  }

  @Test("A failure comes after what waits, and then the end")
  func failure() async throws {
    let events = DepthCameraEvents { (buffer) async throws(DepthCameraError) in
      await buffer.send(Self.event(0))
      throw .failed("unplugged")
    }
    var iterator = events.makeAsyncIterator()
    let first = try await iterator.next()
    guard case .capture = first else {
      Issue.record("no capture first")
      return
    }
    do {
      _ = try await iterator.next()
      Issue.record("no failure")
    } catch { #expect(error == .failed("unplugged")) }
    let end = try await iterator.next()
    #expect(end == nil)
  }

  @Test("Leaving the loop stops the camera, and it hears so")
  func leaving() async throws {
    let stopped = Mutex(false)
    do {
      let events = DepthCameraEvents { buffer in
        buffer.offer(Self.event(0))
        return { stopped.withLock { $0 = true } }
      }
      for try await _ in events { break }
    }
    #expect(stopped.withLock { $0 })
  }

  @Test("Stopping wakes a consumer that waits and a producer that waits")
  func stopping() async throws {
    let refused = Mutex(false)
    let producer = DepthCameraEvents(capacity: 1) { (buffer) async throws(DepthCameraError) in
      var index = 0
      while await buffer.send(Self.event(index)) { index += 1 }
      refused.withLock { $0 = true }
    }
    var iterator = producer.makeAsyncIterator()
    _ = try await iterator.next()
    producer.stop()
    while !refused.withLock({ $0 }) { await Task.yield() }
    let silent = DepthCameraEvents { _ in {} }
    let consumer = Task { try await Self.times(silent) }
    consumer.cancel()
    let times = try await consumer.value
    #expect(times.isEmpty)
  }
}
