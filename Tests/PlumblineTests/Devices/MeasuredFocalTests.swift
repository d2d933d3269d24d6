import Plumbline
import PlumblineSimulation
import PlumblineTestSupport
import Testing

/// Which captures a user's own measurement applies to, and what it does to them.
@Suite struct MeasuredFocalTests {
  static func catalog(_ documents: [MeasurementDocument]) throws -> DeviceCatalog {
    var catalog = DeviceCatalog.bundled
    catalog.ownMeasurements = try documents.map { try DeviceMeasurement(parsing: $0.bytes) }
    return catalog
  }

  /// A measurement of frames in the orientation of the demo's map, upright.
  static func document(_ change: (inout MeasurementDocument) -> Void = { _ in })
    -> MeasurementDocument
  {
    var document = MeasurementDocument()
    document.referenceWidth = 1512
    document.referenceHeight = 2016
    change(&document)
    return document
  }

  /// A capture of an iPad of the 5th generation that states a focal length at a width of 640.
  static func capture(stating focal: Double = 565.64) throws -> Capture {
    var capture = try CaptureAnalyzerTests.check(.healthy).capture
    capture.provenance = []
    capture.findings = []
    capture.source = CaptureSource(camera: .trueDepth, interface: .avfoundation)
    capture.source.model = "iPad13,8"
    capture.source.system = "15.6"
    capture.source.isGeometryCorrected = true
    capture.depth?.isRectified = nil
    let size = RasterSize(width: 1512, height: 2016)
    capture.depth?.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: focal * 1512 / 640), principalPoint: [759.7, 1009.9],
        size: size), distortion: nil)
    return capture
  }

  @Test(
    "A capture of the measured device takes the measured ratio with its ±, and names the source")
  func applies() throws {
    let catalog = try Self.catalog([Self.document()])
    let capture = try Self.capture()
    let measured = try #require(catalog.measuredFocal(for: capture))
    #expect(measured.isOfMeasuredDevice)
    #expect(abs(measured.correction.ratio - 531.52 / 565.64) < 1e-12)
    // A session's scatter of 0.1 % twice, by Student's t; far below the 0.94 % that comes bundled.
    #expect(measured.correction.sigma > 0.001 && measured.correction.sigma < 0.003)
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = catalog
    let analysis = try analyzer.analyze(capture, fileName: "a")
    let focal = try #require(analysis.corrected?.calibration?.intrinsics)
    let expected = 531.52 * Double(focal.size.width) / 640
    #expect(abs(focal.focalLength.x - expected) < 1e-6)
    let identifier = catalog.ownMeasurements[0].identifier
    let replaced = analysis.assessment.findings.first { $0.code == .calibrationReplaced }
    #expect(replaced?.message.contains("your device catalog (\(identifier), 2026-11)") == true)
    #expect(!analysis.assessment.findings.contains { $0.severity == .fault })
    #expect(analysis.assessment.verdict == .corrected)
    // Without it, the bundled statement warns.
    let bare = try CaptureAnalyzer().analyze(capture, fileName: "a")
    #expect(
      bare.assessment.findings.contains {
        $0.code == .deviceFocalBeforeCorrection && $0.severity == .fault
      })
    // What was analyzed is not corrected again, and what corrects it takes the same number.
    var corrector = CaptureCorrector()
    corrector.catalog = catalog
    #expect(try corrector.correct(analysis).applications.isEmpty)
    let result = try corrector.correct(bare)
    #expect(result.applications.count == 1)
    let after = try #require(result.after.corrected?.calibration?.intrinsics.focalLength.x)
    #expect(abs(after - expected) < 1e-6)
    #expect(!result.after.assessment.findings.contains { $0.severity == .fault })
  }

  @Test("Another model, camera, interface, size, rectification or system is another configuration")
  func configuration() throws {
    let capture = try Self.capture()
    let changes: [(inout MeasurementDocument) -> Void] = [
      { $0.model = "iPad Pro (11-inch) (3rd generation)" }, { $0.camera = "lidar" },
      { $0.interface = "arkit" }, { $0.interface = "photo" }, { $0.isRectified = false },
      { $0.isRectified = nil }, { $0.referenceWidth = 2880 }, { $0.system = "16.0" },
      { $0.system = "iOS 14" },
    ]
    for (index, change) in changes.enumerated() {
      var document = Self.document()
      change(&document)
      let catalog = try Self.catalog([document])
      #expect(catalog.measuredFocal(for: capture) == nil, "change \(index)")
    }
    for alias in ["iPad13,8", "iPadPro12_5gen", "ipad 12.9\" 5gen"] {
      var document = Self.document()
      document.model = alias.replacing("\"", with: "\\\"")
      #expect(try Self.catalog([document]).measuredFocal(for: capture) != nil, "\(alias)")
    }
    var document = Self.document()
    document.system = nil
    let unknown = try #require(try Self.catalog([document]).measuredFocal(for: capture))
    let known = try #require(
      try Self.catalog([Self.document()]).measuredFocal(for: capture))
    #expect(unknown.correction.sigma > known.correction.sigma)
  }

  @Test("Another device of the model gets the scatter between devices; another mode gets nothing")
  func otherDevice() throws {
    let catalog = try Self.catalog([Self.document()])
    let other = try #require(catalog.measuredFocal(for: Self.capture(stating: 568.6)))
    #expect(!other.isOfMeasuredDevice)
    #expect(other.correction.sigma > 0.0093)
    #expect(other.correction.basis.contains("± the scatter between devices"))
    #expect(try catalog.measuredFocal(for: Self.capture(stating: 600)) == nil)
    var estimated = try Self.capture()
    estimated.depth?.calibration = nil
    #expect(catalog.measuredFocal(for: estimated) == nil)
  }

  @Test("A calibration that does not fit its map stays what it is, and the capture can be read")
  func misfit() throws {
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = try Self.catalog([
      Self.document {
        $0.referenceWidth = 2016; $0.referenceHeight = 1512
      }
    ])
    var capture = try Self.capture()
    capture.depth?.calibration?.intrinsics.size = RasterSize(width: 2016, height: 1512)
    let findings = try analyzer.analyze(capture, fileName: "a").assessment.findings
    #expect(!findings.contains { $0.code == .calibrationReplaced })
  }

  @Test("What a calibration replaces is left alone")
  func calibration() throws {
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = try Self.catalog([Self.document()])
    let capture = try Self.capture()
    let own = try #require(capture.depth?.calibration)
    analyzer.calibration = CalibrationReplacement(own, basis: "test")
    let analysis = try analyzer.analyze(capture, fileName: "a")
    let steps = analysis.capture.provenance.filter { $0.kind == .focalReplaced }
    #expect(steps.isEmpty)
  }

  @Test("A device that only the user has measured is not called unmeasured")
  func unlisted() throws {
    var document = Self.document()
    document.model = "iPad99,1"
    var capture = try Self.capture()
    capture.source.model = "iPad99,1"
    var analyzer = CaptureAnalyzer()
    #expect(
      try analyzer.analyze(capture, fileName: "a").assessment.findings.contains {
        $0.code == .deviceUnmeasured
      })
    analyzer.catalog = try Self.catalog([document])
    let findings = try analyzer.analyze(capture, fileName: "a").assessment.findings
    #expect(!findings.contains { $0.code == .deviceUnmeasured })
    #expect(findings.contains { $0.code == .calibrationReplaced })
  }
}
