import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

@Suite struct DeviceFindingTests {
  static func assessment(
    _ model: String, _ interface: CaptureSource.Interface, corrected: Bool? = nil
  ) throws -> CaptureAssessment {
    try SimulatedCapture().with {
      $0.source.model = model
      $0.source.interface = interface
      $0.source.isGeometryCorrected = corrected
    }.assessment()
  }

  @Test func aFocalLengthBeforeTheCorrectionIsAFaultWithItsPrice() throws {
    let assessment = try Self.assessment("iPad13,8", .avfoundation, corrected: true)
    let finding = try #require(
      assessment.findings.first { $0.code == .deviceFocalBeforeCorrection })
    #expect(finding.severity == .fault && finding.correction == .available)
    #expect(finding.remedies == [.takeCatalogFocal])
    // 1 − 0.938988, and the same seen from the right focal length.
    #expect(abs(try #require(finding.effect.lengthPercent) - 6.1012) < 1e-3)
    #expect(finding.message.contains("6.5 ± 1."))
    #expect(finding.message.contains("100 mm across the image read 93.9 mm"))
    #expect(assessment.verdict == .untrusted && !assessment.isCalibrationTrusted)
    // Not said to be on: likely, but not certain.
    let unsaid = try Self.assessment("iPad13,8", .avfoundation)
    #expect(
      unsaid.findings.first { $0.code == .deviceFocalBeforeCorrection }?.severity == .caution)
    #expect(unsaid.verdict == .corrected)
    let off = try Self.assessment("iPad13,8", .avfoundation, corrected: false)
    #expect(!off.findings.contains { $0.code == .deviceFocalBeforeCorrection })
  }

  @Test func theZoomAndTheMirrorOfARKitAreSaid() throws {
    let findings = try Self.assessment("iPad8,11", .arkit).findings
    #expect(findings.first { $0.code == .deviceDepthZoomed }?.remedies == [.undoZoom])
    #expect(findings.first { $0.code == .imageMirrored }?.remedies == [.undoMirroring])
    let other = Set(try Self.assessment("iPad8,11", .avfoundation).findings.map(\.code))
    #expect(other.isDisjoint(with: [.deviceDepthZoomed, .imageMirrored, .deviceUnmeasured]))
  }

  /// Photos keep exactly the findings that they had before there was a catalog.
  @Test func photosOfMeasuredAndOfUnknownDevicesAreAsBefore() throws {
    for model in ["iPhone 12", "iPad Pro (12.9-inch) (5th generation)", "iPhone 13"] {
      let codes = try Self.assessment(model, .photo).findings.map(\.code)
      #expect(codes.allSatisfy { !$0.rawValue.hasPrefix("device.") }, "\(model)")
    }
    for model in ["iPhone 99", "iPhone 14", "iPhone 13 Pro", "iPhone 17 Pro"] {
      let codes = try Self.assessment(model, .photo).findings.map(\.code)
      #expect(codes.filter { $0.rawValue.hasPrefix("device.") } == [.deviceUnmeasured], "\(model)")
    }
  }

  @Test func aMapBesideItsImageIsFound() throws {
    let cards = AlignedCards(seed: 5, zoom: 0.950739)
    var capture = Capture(source: CaptureSource(camera: .trueDepth, interface: .arkit))
    capture.color = cards.luma.map { RGB8(red: $0, green: $0, blue: $0) }
    capture.depth = DepthRecord(
      values: .depth(cards.depth), storedType: "fdep", accuracy: .absolute)
    let corrected = try CorrectedDepth(try #require(capture.depth))
    let finding = try #require(
      CaptureAssessment(capture, corrected).findings.first { $0.code == .depthMisaligned })
    #expect(abs(try #require(finding.effect.lengthPercent) - 4.93) < 0.5)
    // The same capture without its image says nothing about it.
    capture.color = nil
    let blind = CaptureAssessment(capture, corrected)
    #expect(blind.alignment == nil && !blind.findings.contains { $0.code == .depthMisaligned })
  }
}
