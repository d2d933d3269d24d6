import PlumblineExport
import Synchronization
import Testing

@testable import PlumblineServer

@Suite("How many responses are made at a time")
struct ResponseSlotsTests {
  /// Counts responses that are being made, and holds them until they may end.
  private final class Work: Sendable {
    let state = Mutex((running: 0, most: 0, begun: 0))
    let mayEnd = Mutex(false)

    func make(_ byteCount: Int) async -> ViewResponse {
      state.withLock { state in
        state.running += 1
        state.begun += 1
        state.most = max(state.most, state.running)
      }
      while !mayEnd.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
      state.withLock { $0.running -= 1 }
      return ViewResponse(mediaType: "", bytes: [UInt8](repeating: 0, count: byteCount))
    }
  }

  @Test("No more than the limit, and all of them in the end")
  func count() async {
    let (slots, work) = (ResponseSlots(3, byteLimit: 1 << 20), Work())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = await slots.run { await work.make(10) } } }
      while work.state.withLock({ $0.begun }) < 3 { await Task.yield() }
      for _ in 0..<50 { await Task.yield() }
      work.mayEnd.withLock { $0 = true }
    }
    #expect(work.state.withLock { $0.begun } == 20 && work.state.withLock { $0.most } == 3)
  }

  @Test("While too many bytes wait for their clients, no further response is made")
  func bytes() async throws {
    let (slots, work) = (ResponseSlots(4, byteLimit: 1000), Work())
    work.mayEnd.withLock { $0 = true }
    var held: [ResponseSlots.Room] = []
    for _ in 0..<2 {
      held.append(try #require(await slots.run { await work.make(600) }).1)
    }
    let next = Task { await slots.run { await work.make(600) }?.0.bytes.count }
    // A wrong one would begin within a moment.
    try await Task.sleep(for: .milliseconds(50))
    #expect(work.state.withLock { $0.begun } == 2)
    held.removeLast()
    #expect(await next.value == 600)
    held.removeAll()
    // Nothing of what was given up is still counted.
    for _ in 0..<10 { #expect(await slots.run { await work.make(999) } != nil) }
  }
}
