import PlumblineModel
import Testing

@testable import PlumblineCorrection

/// The camera that a rectified capture states for its color image, there or not.
@Suite struct RectifiedCameraTests {
  /// A map of a lens, and an image of a camera of its own whose lens bends otherwise.
  private static func capture() -> Capture {
    let size = RectifiedImageTests.size
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size, repeating: 1))), storedType: "fdep",
      accuracy: .absolute)
    record.calibration = RectifiedImageTests.calibration
    capture.depth = record
    capture.colorCalibration = own
    capture.colorSize = size
    return capture
  }

  private static var own: CameraCalibration {
    var calibration = RectifiedImageTests.calibration
    calibration.intrinsics.focalLength = [101, 101]
    calibration.distortion?.undistorting = .coefficients([0, 3, 0.25])
    return calibration
  }

  private static func rectified(
    _ parts: CaptureParts, _ capture: Capture
  ) throws -> CameraCalibration? {
    try CaptureRectification(parts).applied(to: capture).colorCalibration
  }

  @Test("A rectified image has a pinhole, with its own numbers")
  func image() throws {
    var capture = Self.capture()
    capture.color = Raster(
      size: RectifiedImageTests.size, repeating: RGB8(red: 9, green: 9, blue: 9))
    let camera = try #require(try Self.rectified([.color, .depth], capture))
    #expect(camera.intrinsics == Self.own.intrinsics && camera.distortion?.isZero == true)
    // One that stays keeps its lens.
    #expect(try Self.rectified(.depth, capture) == Self.own)
    capture.colorCalibration = nil
    #expect(try Self.rectified(.depth, capture) == RectifiedImageTests.calibration)
  }

  @Test("Without an image nothing with the old lens is left")
  func noImage() throws {
    var capture = Self.capture()
    let camera = try #require(try Self.rectified([.color, .depth], capture))
    #expect(camera.intrinsics == Self.own.intrinsics && camera.distortion?.isZero == true)
    capture.colorCalibration = nil
    #expect(try Self.rectified([.color, .depth], capture) == nil)
  }

  @Test("An image that is only a file was not resampled, and keeps its lens")
  func file() throws {
    var capture = Self.capture()
    capture.colorFile = EncodedImage(.jpeg, bytes: [0xFF, 0xD8])
    #expect(try Self.rectified([.color, .depth], capture) == Self.own)
    capture.colorCalibration = nil
    #expect(try Self.rectified([.color, .depth], capture) == RectifiedImageTests.calibration)
  }
}
