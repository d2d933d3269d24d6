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

  /// A calibration at 4032×3024 and a capture whose depth map has it.
  private static func calibrated() -> (DeviceCalibration, Capture) {
    var device = DeviceCalibration(
      intrinsicMatrix: [2880, 0, 0, 0, 2880, 0, 2015.5, 1511.5, 1],
      referenceSize: RasterSize(width: 4032, height: 3024))
    device.distortionCenter = [2016, 1512]
    device.distortionTable = [Float(0), 0.001, 0.004].withUnsafeBytes { [UInt8]($0) }
    var capture = Self.capture(RasterSize(width: 320, height: 240))
    device.fill(&capture)
    return (device, capture)
  }

  @Test("A frame's own matrix counts for color where it differs, with the lens of the depth map")
  func frameMatrix() throws {
    var (_, capture) = Self.calibrated()
    let size = RasterSize(width: 1440, height: 1080)
    let scaled = try #require(capture.depth?.calibration).scaled(to: size)
    let focal = Float(scaled.intrinsics.focalLength.x)
    let center = scaled.intrinsics.principalPoint
    func matrix(_ focal: Float) -> [Float] {
      [focal, 0, 0, 0, focal, 0, Float(center.x), Float(center.y), 1]
    }
    DeviceCalibration(intrinsicMatrix: matrix(focal), referenceSize: size).fillColor(&capture)
    #expect(capture.colorCalibration == nil)
    DeviceCalibration(intrinsicMatrix: matrix(focal * 1.002), referenceSize: size)
      .fillColor(&capture)
    let own = try #require(capture.colorCalibration)
    #expect(abs(own.intrinsics.focalLength.x - Double(focal) * 1.002) < 1e-3)
    #expect(own.intrinsics.size == size && own.distortion == scaled.distortion)
    #expect(capture.findings.isEmpty)
    // The depth map keeps what it came with.
    #expect(capture.depth?.calibration?.intrinsics.focalLength == [2880, 2880])
  }

  @Test("Without a calibration of the depth map, the frame's matrix is its calibration")
  func frameMatrixAlone() throws {
    var capture = Self.capture(RasterSize(width: 320, height: 240))
    DeviceCalibration(
      intrinsicMatrix: [1000, 0, 0, 0, 1000, 0, 719.5, 539.5, 1],
      referenceSize: RasterSize(width: 1440, height: 1080)
    ).fillColor(&capture)
    #expect(capture.depth?.calibration?.intrinsics.focalLength == [1000, 1000])
    #expect(capture.colorCalibration == nil)
  }

  @Test("The model is the system's own name; a simulator's is that of the device it simulates")
  func model() {
    let machine = Array("iPad13,8".utf8) + [0, 65, 66] + Array(repeating: UInt8(0), count: 200)
    #expect(HardwareModel.name(machine: machine) == "iPad13,8")
    #expect(
      HardwareModel.name(
        machine: Array("arm64".utf8), environment: ["SIMULATOR_MODEL_IDENTIFIER": "iPhone13,3"])
        == "iPhone13,3")
    #expect(HardwareModel.name(machine: [0, 65]) == nil)
    #expect(HardwareModel.name(machine: [65, 7]) == nil)
    let source = CaptureSource(
      appleCamera: .trueDepth, interface: .arkit, model: "iPad13,8", system: "18.1")
    #expect(source.make == "Apple" && source.model == "iPad13,8" && source.camera == .trueDepth)
  }
}
