import PlumblineCapture
import PlumblineModel
import Synchronization
import Testing

@Suite("Waiting for a camera's first frame")
struct AwaitedCameraTests {
  @Test("Everything comes, and what came before the first frame comes before it")
  func everything() async throws {
    let camera = RelayTests.DrivenCamera()
    async let waiting = AwaitedCamera(camera)
    await camera.wait { $0.starts == 1 }
    let buffer = camera.state.withLock { $0.buffer }
    buffer?.offer(.thermal(ThermalReading(.fair)))
    for _ in 0..<3 {
      buffer?.offer(.dropped(DroppedFrame(timestampSeconds: nil, reason: .lateData)))
    }
    camera.send(0..<5)
    let awaited = try #require(try await waiting)
    camera.send(5..<20)
    camera.finish()
    var seen: [String] = []
    for try await event in awaited.events() {
      switch event {
      case .capture(let capture): seen.append("\(capture.timestampSeconds ?? -1)")
      case .dropped(let frames): seen.append("\(frames.count) lost")
      case .thermal(let reading): seen.append("\(reading.state)")
      default: seen.append("?")
      }
    }
    #expect(seen == ["fair", "3 lost"] + (0..<20).map { "\(Double($0))" })
  }

  @Test("A camera that ends without a frame is none; one that fails says why")
  func noFrame() async throws {
    for failure in [nil, DepthCameraError.failed("it is cold")] {
      let camera = RelayTests.DrivenCamera()
      let waiting = Task { () -> String in
        do { return try await AwaitedCamera(camera) == nil ? "none" : "a camera" } catch {
          return "\(error)"
        }
      }
      await camera.wait { $0.starts == 1 }
      camera.state.withLock { $0.buffer }?.offer(.thermal(ThermalReading(.serious)))
      camera.finish(throwing: failure)
      #expect(await waiting.value == failure.map { "\($0)" } ?? "none")
    }
  }

  @Test("It stops with its consumer")
  func stop() async throws {
    let camera = RelayTests.DrivenCamera()
    async let waiting = AwaitedCamera(camera)
    await camera.wait { $0.starts == 1 }
    camera.send(0..<1)
    let awaited = try #require(try await waiting)
    let events = awaited.events()
    events.stop()
    await camera.wait { $0.stops == 1 }
  }
}
