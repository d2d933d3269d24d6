import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Whether the project's reader finds in a written photo what was put there.
@Suite struct ApplePhotoWriterTests {
  static let photo: ApplePhoto = {
    let camera = SimulatedSensorTests.camera
    let measurement = SimulatedTrueDepthSensor.perfect.measurement(
      of: SimulatedSensorTests.scene, from: camera, seed: 1)
    var claim = measurement
    claim.calibration = DemoCapture.healthy.camera.calibration
    let calibration = claim.with(.claimedSize(RasterSize(width: 3088, height: 2316))).calibration
    var photo = ApplePhoto(color: SimulatedSensorTests.scene.colorImage(from: camera))
    photo.depth = ApplePhoto.DepthImage(measurement, calibration: calibration)
    photo.portraitMatte = SimulatedSensorTests.scene.coverage(of: 0..<1, from: camera)
    photo.gainMap = photo.portraitMatte
    return photo
  }()

  static func expectDepth(in bytes: [UInt8]) throws {
    let depth = try #require(try CaptureReader().capture(from: bytes).depth)
    let written = try #require(Self.photo.depth)
    let rule = try #require(depth.quantization)
    // The file prints six decimals.
    #expect(abs(rule.minimumValue - written.quantization.minimumValue) < 1e-6)
    #expect(abs(rule.maximumValue - written.quantization.maximumValue) < 1e-6)
    guard case .uint8(let codes)? = depth.storedSamples else {
      Issue.record("the depth is not stored in 8 bits")
      return
    }
    let differences = zip(codes.samples, written.codes.samples).map { abs(Int($0) - Int($1)) }
    // A sharp step in every 8×8 block is the worst case of the transform at quality 98.
    #expect(differences.max() ?? 99 <= 3)
    #expect(depth.calibration?.intrinsics == written.calibration?.intrinsics)
    #expect(depth.calibration?.distortion == written.calibration?.distortion)
    #expect(depth.accuracy == .absolute)
  }

  @Test func readerFindsDepthInEveryOrder() throws {
    let orders: [[ApplePhotoWriter.Auxiliary]] = [
      [.depth, .portraitMatte, .gainMap], [.gainMap, .depth, .portraitMatte],
      [.portraitMatte, .gainMap, .depth],
    ]
    for order in orders {
      var writer = ApplePhotoWriter()
      writer.order = order
      try Self.expectDepth(in: writer.bytes(of: Self.photo))
    }
  }

  @Test(arguments: MultiPictureIndexWriter.Fault.allCases)
  func readerFindsDepthWhateverTheIndexSays(fault: MultiPictureIndexWriter.Fault) throws {
    var writer = ApplePhotoWriter()
    writer.indexFault = fault
    writer.trailingZeros = 17
    try Self.expectDepth(in: writer.bytes(of: Self.photo))
  }

  @Test(arguments: XMPWriter.Form.allCases)
  func readerGoesByNamespaces(form: XMPWriter.Form) throws {
    var writer = ApplePhotoWriter()
    writer.xmp = XMPWriter(form: form, prefixSuffix: "7", toolkit: "Plumbline simulator")
    try Self.expectDepth(in: writer.bytes(of: Self.photo))
  }

  @Test func exifSurvives() throws {
    let capture = try CaptureReader().capture(from: ApplePhotoWriter().bytes(of: Self.photo))
    #expect(capture.source.make == "Apple")
    #expect(capture.source.model == "iPhone 12")
    #expect(capture.source.system == "Plumbline simulator")
    #expect(capture.source.camera == .trueDepth)
    #expect(capture.mattes.map(\.kind) == [.portraitEffects])
    #expect(capture.gainMap != nil)
  }
}
