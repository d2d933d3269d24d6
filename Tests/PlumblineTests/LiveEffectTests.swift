import Foundation
import Plumbline
import PlumblineTestSupport
import Synchronization
import Testing

/// A camera whose latest frame is set by the test.
private final class TestedCamera: LiveFrameSource {
  private let frame = Mutex<LiveFrameMessage?>(nil)

  var latestFrame: LiveFrameMessage? { frame.withLock { $0 } }

  func show(_ capture: Capture, sequence: Int, camera: String = "desk") {
    let bytes = StreamFrame(sequence: sequence, capture: capture).encoded()
    frame.withLock { $0 = LiveFrameMessage(camera: camera, sequence: sequence, bytes: bytes) }
  }

  func stop() { frame.withLock { $0 = nil } }
}

/// The effects on a live camera: of its latest frame, those that remember frames too.
@Suite struct LiveEffectTests {
  private let camera = TestedCamera()

  /// A gray wall with something near in its middle.
  private func capture(nearDepth: Float, level: UInt8 = 120) -> Capture {
    let size = RasterSize(width: 64, height: 48)
    let isNear = { (x: Int, y: Int) in (20..<44).contains(x) && (12..<36).contains(y) }
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: size) { x, y in
      isNear(x, y)
        ? RGB8(red: 200, green: level, blue: 40) : RGB8(red: level, green: level, blue: level)
    }
    capture.colorSize = size
    capture.depth = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size) { x, y in isNear(x, y) ? nearDepth : 3 })),
      storedType: "fdep", accuracy: .absolute)
    return capture
  }

  private func answer(_ content: CaptureContent, _ path: String) async throws -> JSONValue {
    let request = try #require(ViewRequest(path: "/api/live/effect" + path))
    return try ViewContentTests.json(await content.response(to: request))
  }

  @Test func everyOfferedEffectGivesAnImageOfTheNewestFrame() async throws {
    let content = try CaptureContent(paths: [], live: camera)
    #expect(content.isLive)
    camera.show(capture(nearDepth: 0.6), sequence: 4)
    let offered = try await answer(content, "")["effects"]?.elements ?? []
    let names = offered.compactMap { $0["name"]?.string }
    #expect(Set(LiveEffect.allCases.map(\.rawValue)).isSubset(of: names))
    // All but the loop.
    #expect(names.count == LiveEffect.allCases.count + PhotoEffect.allCases.count - 1)
    for effect in offered {
      let name = try #require(effect["name"]?.string)
      let settings = (effect["parameters"]?.elements ?? []).compactMap { parameter -> String? in
        guard let key = parameter["key"]?.string, let value = parameter["value"]?.string,
          !value.isEmpty
        else { return nil }
        return "\(key)=\(value.replacing("#", with: ""))"
      }
      let image = try await answer(content, "/\(name)/\(settings.joined(separator: ","))")
      #expect(image["sequence"]?.integer == 4, "\(name)")
      #expect(image["images"]?.elements?.count == 1, "\(name)")
    }
  }

  @Test func anotherFrameGivesAnotherImage() async throws {
    let content = try CaptureContent(paths: [], live: camera)
    for path in ["/fog/-", "/live-background/-", "/smooth-filter/-"] {
      camera.show(capture(nearDepth: 0.6), sequence: 0)
      let first = try await answer(content, path)
      camera.show(capture(nearDepth: 0.6, level: 60), sequence: 1)
      let second = try await answer(content, path)
      #expect(second["sequence"]?.integer == 1)
      #expect(first["images"]?.elements?.first?.string != second["images"]?.elements?.first?.string)
    }
  }

  @Test func aFrameThatIsAskedForTwiceCountsOnce() async throws {
    let content = try CaptureContent(paths: [], live: camera)
    camera.show(capture(nearDepth: 0.6), sequence: 0)
    _ = try await answer(content, "/smooth-filter/look=depth,new=0.5")
    camera.show(capture(nearDepth: 0.62), sequence: 1)
    let first = try await answer(content, "/smooth-filter/look=depth,new=0.5")
    let again = try await answer(content, "/smooth-filter/look=depth,new=0.5")
    #expect(first["images"]?.elements?.first?.string == again["images"]?.elements?.first?.string)
  }

  @Test func whatThereIsNotIsSaid() async throws {
    let content = try CaptureContent(paths: [], live: camera)
    func status(_ path: String) async throws -> Int {
      await content.response(to: try #require(ViewRequest(path: "/api/live/effect" + path))).status
    }
    #expect(try await status("") == 404)
    camera.show(capture(nearDepth: 0.6), sequence: 0)
    #expect(try await status("/wiggle/-") == 404)
    #expect(try await status("/shine/-") == 404)
    #expect(try await status("/smooth-filter/mix=2") == 400)
    #expect(try await status("/live-background/finds=perhaps") == 400)
    #expect(try await status("/fog/-") == 200)
    camera.stop()
    #expect(try await status("/fog/-") == 404)
    let dead = try CaptureContent(paths: [ViewContentTests.demo])
    #expect(await dead.response(to: .liveEffects).status == 404)
  }
}
