import Plumbline
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// The user's own measurements in all frames of a recording, and in what a viewer shows.
@Suite struct RecordingDevicesTests {
  private static let frames = SampleCaptures.frames(3)

  private static var recording: Recording {
    let frames = frames
    return Recording(
      layout: "test", frames: frames.indices.map { RecordedFrame(name: "\($0)") }
    ) { index, _ in frames[index] }
  }

  /// A list with one measurement: the focal length of the sample frames' device is 6 % shorter than stated.
  private static func catalog(in folder: TemporaryFolder) throws -> DeviceCatalog {
    var device = MeasurementDocument(ratio: 0.94, sigma: 0.001, factoryPixels: 500)
    device.model = "iPhone 15 Pro"
    device.system = nil
    device.camera = "lidar"
    device.interface = "arkit"
    device.isRectified = nil
    device.referenceWidth = SampleCaptures.colorSize.width
    device.referenceHeight = SampleCaptures.colorSize.height
    let own = UserDeviceCatalog(path: folder.file("devices.json"))
    try own.add([DeviceMeasurement(parsing: device.bytes)])
    return try own.catalog
  }

  private static func focal(_ capture: Capture) throws -> Double {
    try #require(capture.depth?.calibration?.intrinsics.focalLength.x)
  }

  @Test("Every frame has the measured focal length with its ±, and the same depth")
  func measured() throws {
    let folder = try TemporaryFolder()
    let taken = Self.recording.taken(by: nil, knownBy: try Self.catalog(in: folder))
    for (index, stated) in Self.frames.enumerated() {
      let capture = try taken.capture(at: index, color: .none)
      // The ratio is multiplied once: rounding alone.
      #expect(abs(try Self.focal(capture) / Self.focal(stated) / 0.94 - 1) < 1e-12)
      #expect(capture.depth?.calibrationUncertainty != nil)
      #expect(capture.depth?.storedSamples == stated.depth?.storedSamples)
      #expect(capture.worldFromCamera == stated.worldFromCamera)
    }
  }

  @Test("Without own measurements, and for another device, frames stay as they are stated")
  func unmeasured() throws {
    let folder = try TemporaryFolder()
    let catalog = try Self.catalog(in: folder)
    for (model, devices) in [(nil, .bundled), ("iPhone 12 Pro", catalog)]
      as [(String?, DeviceCatalog)]
    {
      let capture = try Self.recording.taken(by: model, knownBy: devices)
        .capture(at: 1, color: .none)
      #expect(try Self.focal(capture) == Self.focal(Self.frames[1]))
      #expect(capture.source.model == model ?? "iPhone 15 Pro")
    }
  }

  @Test("A viewer shows frames with the measured focal length, as check does")
  func viewed() async throws {
    let folder = try TemporaryFolder()
    let catalog = try Self.catalog(in: folder)
    var shown: [Double] = []
    for devices in [DeviceCatalog.bundled, catalog] {
      let content = CaptureContent(Self.recording, name: "r", catalog: devices)
      let answer = await content.response(to: .frame(item: 0, frame: 0))
      try #require(answer.status == 200)
      shown.append(try Self.focal(try StreamFrame(answer.bytes).capture))
    }
    #expect(abs(shown[1] / shown[0] / 0.94 - 1) < 1e-6)
  }
}
