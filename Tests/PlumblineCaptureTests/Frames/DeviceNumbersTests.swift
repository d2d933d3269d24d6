import PlumblineCapture
import PlumblineModel
import Testing

@Suite("Numbers of a device")
struct DeviceNumbersTests {
  @Test("A calibration comes through with its matrix by columns, tables and millimeters")
  func calibration() throws {
    var device = DeviceCalibration(
      intrinsicMatrix: [2880, 0, 0, 0, 2880, 0, 1543.5, 1157.25, 1],
      referenceSize: RasterSize(width: 3088, height: 2316))
    device.extrinsicMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0]
    device.pixelSizeMillimeters = 0.001
    device.distortionCenter = [1544, 1158]
    let table: [Float] = [0, 0.001, 0.004]
    device.distortionTable = table.withUnsafeBytes { [UInt8]($0) }
    var capture = Self.capture(RasterSize(width: 640, height: 480))
    device.fill(&capture)
    let calibration = try #require(capture.depth?.calibration)
    #expect(calibration.intrinsics.focalLength == [2880, 2880])
    #expect(calibration.intrinsics.principalPoint == [1543.5, 1157.25])
    #expect(calibration.distortion?.distorting == .table(table))
    #expect(calibration.distortion?.undistorting == nil)
    #expect(calibration.extrinsics?.translationMillimeters == [5, 0, 0])
    #expect(capture.findings.isEmpty)
  }

  @Test("Numbers of no camera become a finding, not a calibration")
  func damaged() {
    let device = DeviceCalibration(
      intrinsicMatrix: [.nan, 0, 0, 0, 0, 0, 0, 0, 1],
      referenceSize: RasterSize(width: 3088, height: 2316))
    var capture = Self.capture(RasterSize(width: 4, height: 3))
    device.fill(&capture)
    #expect(capture.depth != nil)
    #expect(capture.depth?.calibration == nil)
    #expect(capture.findings.map(\.code) == [.calibrationDamaged])
  }

  /// A capture with a depth map and nothing else.
  private static func capture(_ size: RasterSize) -> Capture {
    var capture = Capture(source: CaptureSource())
    capture.depth = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size, repeating: 1))), storedType: "fdep")
    return capture
  }

  @Test("ARKit's camera looks along −z with y up; ours along +z with y down")
  func pose() {
    let pose = RigidTransform(
      arkitTransform: ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 2, 3, 1]))
    // A point one meter in front of the camera and a half below its axis.
    #expect(pose * [0, 0.5, 1] == [1, 1.5, 2])
  }

  @Test("At rest with the screen up an accelerometer feels the floor push up")
  func rest() throws {
    let sample = MotionSample(
      timestampSeconds: 1, rotationRate: .zero, gravity: [0, 0, -1], userAcceleration: .zero)
    #expect(sample.specificForce == [0, 0, 9.80665])
  }
}
