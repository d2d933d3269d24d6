import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

@Suite struct ResultRowTests {
  private static func row(_ text: String, code: Int = 0) throws -> ResultRow {
    ResultRow(
      path: "a/b", bytes: 7, sha256: nil, code: code,
      document: try JSONValue(parsing: Array(text.utf8)))
  }

  @Test(arguments: ["healthy-truedepth.jpg", "untrusted-calibration.jpg"])
  func aRowSaysWhatTheAnalysisSays(name: String) throws {
    let path = PackageRoot.url.appending(path: "Fixtures/demo/\(name)").path
    let analysis = try CaptureAnalyzer(color: .none).analyze(path: path)
    let assessment = analysis.assessment
    let row = ResultRow(
      path: path, bytes: 1, sha256: nil, code: assessment.verdict.isMeasurable ? 0 : 1,
      document: analysis.document(report: "/x/y/report.html"))
    #expect(row.state == .done)
    #expect(row.sha256 == analysis.sha256)
    #expect(row.kind == "photo")
    #expect(row.frames == nil)
    #expect(row.model == analysis.capture.source.model)
    #expect(row.camera == "trueDepth")
    #expect(row.width == analysis.corrected?.depth.size.width)
    #expect(row.medianMeters == assessment.statistics?.medianMeters)
    #expect(row.lengthSigmaPercent == assessment.uncertainty?.lengthPercent)
    #expect(row.verdict == assessment.verdict.rawValue)
    #expect(row.findings.map(\.code) == assessment.findings.map(\.code.rawValue))
    #expect(row.findings.map(\.severity) == assessment.findings.map(\.severity.rawValue))
    #expect(row.page == "report.html")
    #expect(row.error == nil)
  }

  @Test func unknownIsNeverZero() throws {
    let row = try Self.row(
      """
      {"schema": "plumbline.check/1", "file": "a", "sha256": null, "source": null, "depth": null,
       "uncertainty": null, "findings": null, "verdict": null, "reason": null, "outputs": null}
      """)
    #expect(row.state == .done)
    #expect(
      [row.make, row.model, row.os, row.camera, row.api, row.capturedAt] == [
        nil, nil, nil, nil, nil, nil,
      ])
    #expect([row.width, row.height, row.frames] == [nil, nil, nil])
    #expect(
      [row.medianMeters, row.depthSigmaMillimeters, row.lengthSigmaPercent] == [nil, nil, nil])
    #expect(row.findings.isEmpty && row.values.isEmpty)
    let unknown = try Self.row(
      #"{"source": {"camera": "unknown", "api": "unknown", "model": "", "os": null}}"#)
    #expect(unknown.device == nil && unknown.api == nil && unknown.os == nil)
  }

  @Test func relativeDepthHasNoMeters() throws {
    let row = try Self.row(
      """
      {"schema": "plumbline.check/1", "verdict": "relative",
       "depth": {"width": 8, "height": 6, "unit": null, "medianMeters": 1.5,
                 "sigmaMillimetersAtMedian": null}, "uncertainty": {"zMillimeters": 3}}
      """)
    #expect(row.medianMeters == nil && row.depthSigmaMillimeters == nil)
    #expect(row.width == 8 && row.height == 6)
  }

  @Test func aRecordingHasTheMediansOfItsFrames() throws {
    let row = try Self.row(
      """
      {"schema": "plumbline.check/1", "layout": "Record3D", "verdict": "measurable",
       "depth": {"unit": "m", "medianMeters": 1, "sigmaMillimetersAtMedian": 2},
       "uncertainty": {"zMillimeters": 2, "lengthPercent": 1},
       "medians": {"medianMeters": 1.25, "sigmaMillimetersAtMedian": 3.5, "lengthPercent": 0.75},
       "frames": [{"name": "0"}, {"name": "1"}, {"name": "2"}]}
      """)
    #expect(row.kind == "recording" && row.frames == 3)
    #expect(row.medianMeters == 1.25)
    #expect(row.depthSigmaMillimeters == 3.5)
    #expect(row.lengthSigmaPercent == 0.75)
  }

  @Test func anErrorIsAFailureWithItsParts() throws {
    let row = try Self.row(
      """
      {"schema": "plumbline.error/1", "code": 65, "file": "a/b", "place": "meta/iloc (byte 23)",
       "expected": "3 extents", "found": "2", "message": "a/b: expected 3 extents, found 2"}
      """, code: 65)
    #expect(row.state == .failed && row.code == 65 && row.verdictKey == "failed")
    #expect(
      row.error
        == ResultRow.Failure(
          place: "meta/iloc (byte 23)", expected: "3 extents", found: "2",
          message: "a/b: expected 3 extents, found 2"))
    #expect(row.failureReason == "Expected … extents")
    #expect(row.kind == nil && row.verdict == nil)
  }

  @Test func withoutADocumentTheCodeDecides() throws {
    #expect(try Self.row("null", code: 0).state == .done)
    #expect(try Self.row("null", code: 1).state == .done)
    let failed = try Self.row("null", code: 70)
    #expect(failed.state == .failed)
    #expect(failed.error?.message.contains("70") == true)
    // A conversion that left frames out gave a result all the same.
    #expect(
      try Self.row(#"{"schema": "plumbline.convert/1", "frames": 9}"#, code: 65).state == .done)
  }

  @Test func measurementsKeepTheirUnitsAndSigmas() throws {
    let row = try Self.row(
      """
      {"schema": "plumbline.measure/1", "verdict": "measurable", "measurements": [
        {"kind": "distance", "name": null, "value": 0.123456, "unit": "m", "sigma": 0.00123},
        {"kind": "distance", "name": null, "value": null, "unit": "m", "sigma": null},
        {"kind": "angle", "name": "corner", "value": 90.5, "unit": "deg", "sigma": 0.25}]}
      """)
    #expect(
      row.values == [
        .init(name: "distance", value: 0.123456, sigma: 0.00123, unit: "m"),
        .init(name: "distance-2", value: nil, sigma: nil, unit: "m"),
        .init(name: "angle.corner", value: 90.5, sigma: 0.25, unit: "deg"),
      ])
    #expect(row.values[0].exactText == "distance = 0.123456 ± 0.00123 m")
    #expect(row.values[0].roundedText == "distance = 0.1235 ± 0.0012 m")
    #expect(row.values[1].exactText == "distance-2 = ? ± ? m")
  }

  @Test func otherVerbsGiveTheNumbersTheyWereAskedFor() throws {
    let verify = try Self.row(
      """
      {"schema": "plumbline.verify/1", "frames": 20, "verdict": "doesNotFit", "reason": "r",
       "focal": {"measured": 500.5, "sigma": 0.25, "differencePercent": 1.5,
                 "differencePlusMinusPercent": 0.125},
       "depth": {"factory": {"medianMillimeters": -2, "plusMinusMillimeters": 0.5}},
       "length": {"factoryPercent": 1.25, "factoryPlusMinusPercent": 0.5},
       "outputs": {"report": "x/report.html"}}
      """)
    #expect(verify.verdict == "doesNotFit" && verify.frames == 20 && verify.page == "report.html")
    #expect(verify.values.map(\.unit) == ["px", "%", "mm", "%"])
    #expect(verify.values.map(\.value) == [500.5, 1.5, -2, 1.25])
    #expect(verify.values.map(\.sigma) == [0.25, 0.125, 0.5, 0.5])
    let face = try Self.row(
      """
      {"schema": "plumbline.face/1", "faces": [{"interpupillaryMillimeters": 63.5,
        "plusMinusMillimeters": 0.5}], "outputs": ["o/face-1.glb", "o/face-1.html"]}
      """)
    #expect(
      face.values == [.init(name: "face-1.interpupillary", value: 63.5, sigma: 0.5, unit: "mm")])
    #expect(face.page == "face-1.html")
    let correct = try Self.row(
      """
      {"schema": "plumbline.correct/1", "verdictAfter": "measurable",
       "findingsAfter": [{"code": "depth.sparse", "severity": "caution"}]}
      """)
    #expect(correct.verdict == "measurable" && correct.findings.map(\.code) == ["depth.sparse"])
  }

  @Test("Reasons are the same for files that differ in numbers, and keep the digits of names")
  func reasons() throws {
    func reason(_ expected: String) throws -> String? {
      var row = try Self.row("null", code: 65)
      row.error?.expected = expected
      return row.failureReason
    }
    #expect(try reason("an image of type hvc1 or grid") == "Expected an image of type hvc1 or grid")
    let sizes = try ["8 and 173", "16 and 2444"].map { try reason("a size of mdat between \($0)") }
    #expect(sizes == Array(repeating: "Expected a size of mdat between … and …", count: 2))
    #expect(try reason(#"a size of \x00\x01\x001 now"#) == "Expected a size of … now")
  }
}
