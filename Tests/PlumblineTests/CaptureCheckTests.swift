import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The library's whole way on the bundled captures, whose truth the simulator knows.
@Suite struct CaptureCheckTests {
  static func bytes(_ capture: DemoCapture) throws -> [UInt8] {
    [UInt8](
      try Data(contentsOf: PackageRoot.url.appending(path: "Fixtures/demo/\(capture.fileName)")))
  }

  static func check(
    _ capture: DemoCapture, color: CaptureReader.ColorRequest = .none
  ) throws -> CaptureCheck {
    try CaptureCheck(
      bytes(capture), fileName: capture.fileName, reader: CaptureReader(color: color, threads: 1))
  }

  @Test("The healthy capture is measurable, and its camera is the simulated one at the map's size")
  func healthy() throws {
    let check = try Self.check(.healthy)
    #expect(check.assessment.verdict == .measurable)
    let truth = DemoCapture.healthy.camera.scaled(to: DemoCapture.depthSize).calibration.intrinsics
    let found = try #require(check.corrected?.calibration?.intrinsics)
    #expect(found.size == DemoCapture.depthSize)
    // Pixels; the file prints the reference camera with all its digits.
    #expect(abs(found.focalLength.x - truth.focalLength.x) < 1e-9)
    #expect(abs(found.principalPoint.x - truth.principalPoint.x) < 1e-9)
    #expect(abs(found.principalPoint.y - truth.principalPoint.y) < 1e-9)
  }

  @Test("The claimed depth is the measured one within the declared steps")
  func depth() throws {
    let check = try Self.check(.healthy)
    let found = try #require(check.corrected).depth.meters
    let measured = DemoCapture.healthy.measurement().depth.meters
    let record = try #require(check.capture.depth)
    let rule = try #require(record.quantization)
    let step =
      (rule.maximumValue - rule.minimumValue) / Double(rule.maximumCode - rule.minimumCode)
    var worst = 0.0
    for (a, b) in zip(found.samples, measured.samples) where a.isFinite && b.isFinite {
      worst = max(worst, abs(1 / Double(a) - 1 / Double(b)) / step)
    }
    // Codes: half a code of rounding, and what JPEG does to the steepest edge at quality 98.
    #expect(worst < 4, "\(worst) codes")
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
