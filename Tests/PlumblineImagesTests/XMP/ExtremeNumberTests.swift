import PlumblineModel
import Testing
@testable import PlumblineImages
@testable import PlumblineIO

/// Numbers that are finite, and no measurement.
@Suite struct ExtremeNumberTests {
  @Test(
    "Near and far whose reciprocals leave the numbers there are, are refused",
    arguments: [1e-307, 1e-200, 1e-10])
  func near(_ near: Double) {
    #expect(throws: CaptureReadingError.self) {
      try DynamicDepthRange(format: .inverse, near: near, far: 1, unit: .meters)
    }
    #expect(throws: CaptureReadingError.self) {
      try DynamicDepthRange(format: .linear, near: 0, far: 1e5 / near, unit: .meters)
    }
  }

  @Test(
    "Depths that no camera sees give no record, but a fault",
    arguments: [
      (1e-38, 1e-37), (1e37, 1e38), (-1e308, 1.7e308), (0, 1e20), (1, 1.0000000000000002),
    ] as [(Double, Double)])
  func range(low: Double, high: Double) throws {
    let findings = try Self.findings(floats: (low, high), codes: (0, 255))
    #expect(findings.contains { $0.code == .depthRangeUnknown })
  }

  @Test(arguments: [(-2, -1), (0, 1 << 62), (Int.min, 255)])
  func codes(low: Int, high: Int) throws {
    let findings = try Self.findings(floats: (0.5, 2), codes: (low, high))
    #expect(findings.contains { $0.code == .depthRangeUnknown })
    #expect(try Self.findings(floats: (0.5, 2), codes: (0, 255)).isEmpty)
  }

  static func findings(
    floats: (Double, Double), codes: (Int, Int)
  ) throws -> [Finding] {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:p="http://ns.apple.com/pixeldatainfo/1.0/"
        p:IntMinValue="\(codes.0)" p:IntMaxValue="\(codes.1)"
        p:FloatMinValue="\(floats.0)" p:FloatMaxValue="\(floats.1)"/>
      </rdf:RDF></x:xmpmeta>
      """
    let metadata = AppleDepthMetadata(try XMPPacket(Array(text.utf8)[...]))
    let samples = StoredSamples.uint8(
      Raster(size: RasterSize(width: 2, height: 1), samples: [1, 200]))
    return AppleDepthRecord(samples: samples, metadata: metadata, representation: nil)
      .record().findings
  }
}
