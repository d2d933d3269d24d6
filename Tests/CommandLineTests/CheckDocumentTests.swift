import Foundation
import PlumblineTestSupport
import Testing

/// The document of `check --json`: its schema, its keys and how it says that it does not know.
@Suite(.serialized) struct CheckDocumentTests {
  /// Every key that `Documentation/cli.md` names, with dots between levels.
  static let keys = [
    "schema", "file", "sha256", "source.make", "source.model", "source.os", "source.camera",
    "source.api", "source.capturedAt", "depth.width", "depth.height", "depth.storedType",
    "depth.kind", "depth.accuracy", "depth.filtered", "depth.quality", "depth.minMeters",
    "depth.medianMeters", "depth.maxMeters", "depth.validFraction",
    "depth.stepMillimetersAtMedian", "depth.sigmaMillimetersAtMedian", "calibration.present",
    "calibration.trusted", "calibration.fx", "calibration.fy", "calibration.cx", "calibration.cy",
    "calibration.referenceWidth", "calibration.referenceHeight",
    "calibration.pixelSizeMillimeters", "calibration.distortion", "calibration.rectified",
    "findings", "verdict", "headline.words", "headline.tone", "reason", "limits", "needs",
    "uncertainty.zMillimeters", "uncertainty.lengthPercent", "uncertainty.basis", "outputs.report",
    "outputs.cloud",
  ]
  static let findingKeys = [
    "code", "severity", "message", "effect.zMillimeters", "effect.lengthPercent", "correction",
  ]

  /// The value at a dotted key; `nil` when the key is not there, `NSNull` for null.
  static func value(_ key: String, in document: [String: Any]) -> Any? {
    var value: Any? = document
    for part in key.split(separator: ".") { value = (value as? [String: Any])?[String(part)] }
    return value
  }

  @Test("Has every key, is one document, and calls the unknown null")
  func keys() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    for path in [SampleCapture.healthy, SampleCapture.untrusted, folder.file("relative.jpg")] {
      let run = try CommandRun("check", "--json", path)
      let document = try run.document()
      #expect(run.message == "")
      #expect(document["schema"] as? String == "plumbline.check/1")
      for key in Self.keys {
        #expect(Self.value(key, in: document) != nil, "\(key) of \(path)")
      }
      for finding in try #require(document["findings"] as? [[String: Any]]) {
        for key in Self.findingKeys { #expect(Self.value(key, in: finding) != nil, "\(key)") }
      }
    }
    let relative = try CommandRun("check", "--json", folder.file("relative.jpg")).document()
    for key in [
      "depth.stepMillimetersAtMedian", "depth.sigmaMillimetersAtMedian",
      "uncertainty.zMillimeters", "calibration.pixelSizeMillimeters", "outputs.report",
    ] {
      #expect(Self.value(key, in: relative) is NSNull, "\(key)")
    }
  }

  @Test("Names the outputs that were written")
  func outputs() throws {
    let folder = try TemporaryFolder()
    let place = folder.file("out")
    let document = try CommandRun("check", "--json", "-o", place, SampleCapture.healthy).document()
    #expect(Self.value("outputs.report", in: document) as? String == place + "/report.html")
    #expect(Self.value("outputs.cloud", in: document) as? String == place + "/cloud.ply")
  }

  @Test("Two known distances make a relative map metric, one fixes its scale")
  func knownDistances() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let near = "--known-distance=60,40=0.25"
    let far = "--known-distance=4,4=0.75"
    for distances in [[near], [near, far]] {
      let run = try CommandRun(["check", "--json", folder.file("relative.jpg")] + distances)
      let document = try run.document()
      #expect(run.status == 0)
      #expect(document["verdict"] as? String == "corrected")
      #expect(Self.value("depth.sigmaMillimetersAtMedian", in: document) is Double)
    }
    let reversed = try CommandRun(
      "check", folder.file("relative.jpg"), "--known-distance=60,40=0.75",
      "--known-distance=4,4=0.25")
    #expect(reversed.status == 64)
  }
}
