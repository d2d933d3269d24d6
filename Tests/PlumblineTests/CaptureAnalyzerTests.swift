import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The library's whole way on the bundled captures, whose truth the simulator knows.
@Suite struct CaptureAnalyzerTests {
  static func bytes(_ capture: DemoCapture) throws -> [UInt8] {
    [UInt8](
      try Data(contentsOf: PackageRoot.url.appending(path: "Fixtures/demo/\(capture.fileName)")))
  }

  static func check(
    _ capture: DemoCapture, color: CaptureReader.ColorRequest = .none
  ) throws -> CaptureAnalysis {
    try CaptureAnalyzer(color: color, threads: 1).analyze(
      bytes(capture), fileName: capture.fileName)
  }

  @Test("The healthy capture is measurable, and its camera is the simulated one at the map's size")
  func healthy() throws {
    let check = try Self.check(.healthy)
    // Its distortion is undone, which is a correction.
    #expect(check.assessment.verdict == .corrected)
    let truth = DemoCapture.healthy.camera.scaled(to: DemoCapture.depthSize).calibration.intrinsics
    let found = try #require(check.corrected?.calibration?.intrinsics)
    #expect(found.size == DemoCapture.depthSize)
    // Pixels; the file prints the reference camera with all its digits.
    #expect(abs(found.focalLength.x - truth.focalLength.x) < 1e-9)
    #expect(abs(found.principalPoint.x - truth.principalPoint.x) < 1e-9)
    #expect(abs(found.principalPoint.y - truth.principalPoint.y) < 1e-9)
  }

  @Test("Depth is the inverse of the dequantized codes, pixel by pixel")
  func depth() throws {
    let check = try Self.check(.healthy)
    let found = try #require(check.corrected).depth.meters
    let record = try #require(check.capture.depth)
    let rule = try #require(record.quantization)
    guard case .uint8(let codes)? = record.storedSamples else {
      Issue.record("the depth is not stored in 8 bits")
      return
    }
    let span = (rule.maximumValue - rule.minimumValue) / 255
    var worst = 0.0
    for (meters, code) in zip(found.packed.samples, codes.packed.samples) {
      let expected = 1 / (rule.minimumValue + Double(code) * span)
      worst = max(worst, abs(Double(meters) / expected - 1))
    }
    #expect((rule.minimumCode, rule.maximumCode) == (0, 255))
    // Relative; two roundings to single precision.
    #expect(worst < 2e-7)
  }

  @Test("The untrusted capture is not to be measured, and says which numbers contradict")
  func untrusted() throws {
    let check = try Self.check(.untrusted)
    #expect(check.assessment.verdict == .untrusted)
    #expect(!check.assessment.isCalibrationTrusted)
    #expect(check.assessment.findings.contains { $0.evidence.contains("2085") })
  }

  @Test("Decoding color changes neither depth nor verdict nor findings")
  func color() throws {
    for capture in DemoCapture.all {
      let without = try Self.check(capture)
      let with = try Self.check(capture, color: .full)
      #expect(with.document() == without.document())
      #expect(with.capture.color != nil && without.capture.color == nil)
      let preview = try #require(
        try Self.check(capture, color: .preview(maximumSide: 100)).capture.color)
      #expect((1...100).contains(max(preview.width, preview.height)))
    }
  }

  @Test("Every measured pixel becomes one point at its own depth")
  func cloud() throws {
    let check = try Self.check(.healthy, color: .full)
    let cloud = try #require(check.pointCloud)
    let depths = try #require(check.corrected).depth.meters.samples.filter(\.isFinite)
    #expect(cloud.positions.map(\.z) == depths)
    #expect(cloud.colors?.count == cloud.count)
    #expect(cloud.isMetric)
  }
}
