import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

private let isOptimized = !_isDebugAssertConfiguration()

/// Whether the bundled files are what the formula gives.
@Suite struct DemoCaptureTests {
  static func bundled(_ capture: DemoCapture) throws -> [UInt8] {
    let url = PackageRoot.url.appending(path: "Fixtures/demo/\(capture.fileName)")
    return [UInt8](try Data(contentsOf: url))
  }

  @Test(
    .enabled(
      if: isOptimized,
      "renders for minutes without optimization; run MakeDemoCaptures --check in release"),
    arguments: [0, 1])
  func theSameBytesComeOutAgain(index: Int) throws {
    let capture = DemoCapture.all[index]
    let bytes = try capture.fileBytes()
    let expected = try Self.bundled(capture)
    #expect(bytes == expected)
  }

  @Test(arguments: [0, 1]) func bundledDepthIsTheScenesDepth(index: Int) throws {
    let capture = DemoCapture.all[index]
    let record = try #require(try CaptureReader().capture(from: Self.bundled(capture)).depth)
    guard case .disparity(let map) = record.values, let rule = record.quantization else {
      Issue.record("no quantized disparity in \(capture.fileName)")
      return
    }
    let scene = SimulatedScene.portrait(of: capture.sitter)
    let camera = capture.camera.scaled(to: DemoCapture.depthSize)
    var far = 0
    var count = 0
    for y in stride(from: 8, to: 640, by: 24) {
      for x in stride(from: 8, to: 480, by: 24) {
        let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
        let truth = 1 / (scene.firstHit(of: ray)?.parameter ?? .infinity)
        count += 1
        // Four steps of the 8-bit codes: noise of 0.002 1/m, half a step, and JPEG's one code.
        if abs(Double(map.inverseMeters[x, y]) - truth) > 4 * rule.step { far += 1 }
      }
    }
    // Pixels in the projector's shadow are invented by the filter, and some fly.
    #expect(Double(far) < 0.04 * Double(count), "\(far) of \(count) pixels are off")
  }

  @Test func filesAreSmallAndSayThatTheyAreSynthetic() throws {
    for capture in DemoCapture.all {
      let bytes = try Self.bundled(capture)
      #expect(bytes.count <= 300_000)
      let head = String(decoding: bytes.prefix(1000), as: UTF8.self)
      #expect(head.contains("Synthetic: rendered by the Plumbline simulator"))
    }
  }
}
