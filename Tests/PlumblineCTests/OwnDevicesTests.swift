import CPlumbline
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// The user's own measurements of devices, by the setting `catalog`.
@Suite struct OwnDevicesTests {
  private static let photo = SampleFiles.bundled[0]

  /// A file with one measurement of the bundled photo's device: its focal length is 1 % more than stated.
  private static func catalog(in folder: TemporaryFolder) throws -> String {
    var device = MeasurementDocument(
      ratio: 1.01, sigma: 0.001, factoryPixels: 2733.404296875 / 2316 * 640)
    device.model = "iPhone 12"
    device.system = nil
    device.interface = "photo"
    device.isRectified = false
    (device.referenceWidth, device.referenceHeight) = (2316, 3088)
    try folder.put(
      Array(
        "{\"schema\": \"plumbline.own-devices/1\", \"measurements\": [\(device.text)]}".utf8),
      at: "devices.json")
    return folder.file("devices.json")
  }

  private static func corrected(
    _ capture: OpenedCapture, _ settings: String?
  ) throws -> OpenedCapture {
    OpenedCapture(
      try CInterface.calling { plumbline_capture_correct(capture.handle, settings, $0) })
  }

  @Test("A capture has the focal length of the list, as by the library's analyzer")
  func opened() throws {
    let folder = try TemporaryFolder()
    let path = try Self.catalog(in: folder)
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = try UserDeviceCatalog(path: path).catalog
    let expected = try analyzer.analyze(path: Self.photo)
    let capture = try OpenedCapture(Self.photo, #"{"catalog": "\#(path)"}"#)
    #expect(try capture.verdict == JSONWriter().text(expected.document()))
    #expect(try capture.verdict.contains("your device catalog"))
    #expect(try !OpenedCapture(Self.photo).verdict.contains("your device catalog"))
  }

  @Test("Corrected with the list, or opened with it and then corrected: the same capture")
  func corrected() throws {
    let folder = try TemporaryFolder()
    let path = try Self.catalog(in: folder)
    let settings = #"{"catalog": "\#(path)"}"#
    var corrector = CaptureCorrector()
    corrector.catalog = try UserDeviceCatalog(path: path).catalog
    let expected = try corrector.correct(CaptureAnalyzer().analyze(path: Self.photo)).after
    let verdict = JSONWriter().text(expected.document())
    #expect(verdict.contains("focal-replaced"))
    let plain = try OpenedCapture(Self.photo)
    let knowing = try OpenedCapture(Self.photo, settings)
    #expect(try Self.corrected(plain, settings).verdict == verdict)
    #expect(try Self.corrected(knowing, nil).verdict == verdict)
    #expect(try Self.corrected(plain, nil).verdict != verdict)
  }

  @Test("A list that is not there, or is damaged, is refused with its file and place")
  func refused() throws {
    let folder = try TemporaryFolder()
    let none = #"{"catalog": "\#(folder.file("none.json"))"}"#
    let missing = #expect(throws: CInterface.Failure.self) {
      try OpenedCapture(Self.photo, none)
    }
    #expect(missing?.category == PLUMBLINE_MISSING_INPUT.rawValue)
    try folder.put(Array("{\"schema\": 1}".utf8), at: "damaged.json")
    let damaged = #expect(throws: CInterface.Failure.self) {
      try OpenedCapture(Self.photo, #"{"catalog": "\#(folder.file("damaged.json"))"}"#)
    }
    #expect(damaged?.category == PLUMBLINE_UNUSABLE_INPUT.rawValue)
    #expect(damaged?.place?.contains("schema") == true, "\(damaged?.place ?? "none")")
    // What a calibration replaces needs no list, as for the command.
    let camera = folder.file("camera.json")
    let calibrated = #"{"catalog": "\#(folder.file("none.json"))", "calibration": "\#(camera)"}"#
    let other = #expect(throws: CInterface.Failure.self) {
      try OpenedCapture(Self.photo, calibrated)
    }
    #expect(other?.message.contains("camera.json") == true, "\(other?.message ?? "none")")
  }

  @Test("A conversion takes a list only where it corrects")
  func converted() throws {
    let folder = try TemporaryFolder()
    let path = try Self.catalog(in: folder)
    let recording = folder.file("in.mcap")
    try SampleFiles.writeRecording(2, to: recording)
    func convert(_ settings: String) throws -> String {
      try CInterface.run("convert", [recording], to: folder.file("out.mcap"), settings)
    }
    let refused = #expect(throws: CInterface.Failure.self) {
      try convert(#"{"catalog": "\#(path)"}"#)
    }
    #expect(refused?.category == PLUMBLINE_USAGE.rawValue)
    #expect(refused?.place == "settings/catalog" && folder.bytes("out.mcap") == nil)
    _ = try convert(#"{"catalog": "\#(path)", "correct": true}"#)
    #expect(folder.bytes("out.mcap") != nil)
  }
}
