import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Recordings of RealSense's SDK")
struct RealSenseTests {
  private static func meters(_ capture: Capture) throws -> Raster<Float> {
    guard case .depth(let map)? = capture.depth?.values else {
      throw CaptureReadingError(.missing, expected: "depth", found: "none")
    }
    return map.meters
  }

  @Test("The unit is that of the image, else the option's last value, else 0.001 with a finding")
  func units() throws {
    for (option, image, expected) in [
      (nil, nil, 0.001), (0.0001, nil, 0.0001), (0.001, 0.00025, 0.00025), (nil, 0.001, 0.001),
      (.nan, nil, 0.001), (0.0001, 0, 0.0001), (7, -1, 0.001),
    ] as [(Float?, Float?, Double)] {
      for name in ["Depth Units", "Depth_Units"] {
        var bag = ROS1Samples()
        if let option {
          let topic = ROS1Samples.stereo + "/option/\(name)/value"
          bag.add(topic, "std_msgs/Float32", at: 1, ROS1Samples.number(option))
        }
        bag.addDepth(0, units: image)
        let recording = try bag.recording()
        #expect(recording.layout == "RealSense recording")
        let capture = try recording.capture(at: 0)
        let raster = try Self.meters(capture)
        #expect(raster[0, 0].isNaN)
        // Half a unit in the last place of single precision at the largest depth.
        let difference = abs(Double(raster[5, 3]) - 1053 * expected)
        #expect(difference <= 1053 * expected * 6e-8, "\(raster[5, 3])")
        let isStated = [option, image].contains { $0.map { $0 > 1e-6 && $0 < 0.1 } ?? false }
        #expect(recording.findings.contains { $0.code == .depthUnitAssumed } == !isStated)
        #expect(capture.depth?.quantization?.maximumValue == 65535 * expected)
      }
    }
    var changed = ROS1Samples()
    let topic = ROS1Samples.stereo + "/option/Depth_Units/value"
    changed.add(topic, "std_msgs/Float32", at: 1, ROS1Samples.number(0.001))
    changed.addDepth(0)
    changed.add(topic, "std_msgs/Float32", at: 11, ROS1Samples.number(0.0001))
    changed.addDepth(5)
    let recording = try changed.recording()
    let depths = try [0, 1].map { try Self.meters(recording.capture(at: $0))[1, 0] }
    #expect(depths == [1.01, 0.101])
  }

  @Test("Names, places of both cameras, and motion of two topics")
  func facts() throws {
    var bag = ROS1Samples()
    for (key, value) in [
      ("Name", "Intel RealSense D455"), ("Serial Number", "1"), ("Firmware Version", "5.1"),
    ] {
      bag.add(
        ROS1Samples.device + "/info", "diagnostic_msgs/KeyValue", at: 1,
        ROS1Samples.keyValue(key, value))
    }
    let color = ROS1Samples.rgb + "/Color_0"
    for (stream, translation) in [
      (ROS1Samples.stereo + "/Depth_0", [0, 0, 0] as [Double]), (color, [0.059, 0, 0]),
    ] {
      bag.add(
        stream + "/info/camera_info", "sensor_msgs/CameraInfo", at: 1,
        ROS1Samples.cameraInfo("Brown Conrady", [0, 0, 0, 0, 0]))
      bag.add(
        stream + "/tf/0", "geometry_msgs/Transform", at: 1,
        ROS1Samples.transform(translation, [0, 0, 0, 1]))
    }
    bag.addDepth(0)
    bag.add(
      color + "/image/data", "sensor_msgs/Image", at: 11,
      ROS1Samples.image(
        "rgb8", stamp: 1_002_000_000, pixels: [UInt8](repeating: 9, count: 6 * 4 * 3)))
    bag.add(
      ROS1Samples.device + "/sensor_2/Gyro_0/imu/data", "sensor_msgs/Imu", at: 12,
      ROS1Samples.motion(stamp: 3_000_000_000, force: [0, 0, 0], rate: [1, 2, 3]))
    bag.add(
      ROS1Samples.device + "/sensor_2/Accel_0/imu/data", "sensor_msgs/Imu", at: 13,
      ROS1Samples.motion(stamp: 2_000_000_000, force: [0, -9.8, 0], rate: [0, 0, 0]))
    let recording = try bag.recording()
    let misaligned = try #require(recording.findings.first { $0.code == .depthMisaligned })
    #expect(misaligned.message.contains("59.0 mm"))
    let capture = try recording.capture(at: 0)
    #expect(capture.source.make == "Intel" && capture.source.model == "RealSense D455")
    #expect(capture.source.system == "firmware 5.1")
    #expect(capture.depth?.isRectified == true && capture.depth?.calibration?.distortion == nil)
    #expect(capture.depth?.calibration?.extrinsics?.isReference == true)
    // The stated transform leads from the reference to the stream, so the center is its inverse.
    #expect(capture.colorCalibration?.extrinsics?.translationMillimeters == [-59, 0, 0])
    #expect(capture.color?[0, 0] == RGB8(red: 9, green: 9, blue: 9))
    #expect(capture.worldFromCamera == nil)
    let motion = try recording.motion()
    #expect(motion.unreadableCount == 0)
    #expect(motion.samples.map(\.timestampSeconds) == [2, 3])
    let (force, rate) = (motion.samples[0], motion.samples[1])
    #expect(force.specificForce == [0, -9.8, 0] && force.rotationRate == nil)
    #expect(rate.rotationRate == [1, 2, 3] && rate.specificForce == nil)
  }

  @Test("Lens models: forward ones are used, the inverse one with a finding, others left out")
  func lenses() throws {
    let radial = [0.01, -0.002, 0, 0, 0.0003]
    for (model, terms, hasLens, codes) in [
      ("None", radial, false, []), ("Brown Conrady", radial, true, []),
      ("Modified Brown Conrady", radial, true, []),
      ("Inverse Brown Conrady", [0, 0, 0, 0, 0], false, []),
      ("Inverse Brown Conrady", radial, true, [.calibrationAssumed]),
      ("Brown Conrady", [0.01, 0, 0.001, 0, 0], true, [.calibrationUnmodeledLens]),
      ("Brown Conrady", [0.01], false, [.calibrationDamaged]),
      ("Kannala Brandt4", radial, false, [.calibrationDistortionUnknown]),
    ] as [(String, [Double], Bool, [FindingCode])] {
      var bag = ROS1Samples()
      bag.add(
        ROS1Samples.stereo + "/Depth_0/info/camera_info", "sensor_msgs/CameraInfo", at: 1,
        ROS1Samples.cameraInfo(model, terms))
      bag.addDepth(0, units: 0.001)
      let capture = try bag.recording().capture(at: 0)
      let calibration = try #require(capture.depth?.calibration)
      #expect((calibration.distortion != nil) == hasLens, "\(model)")
      #expect(capture.findings.map(\.code) == codes, "\(model)")
      let isPinhole = model == "None" || terms.allSatisfy { $0 == 0 }
      #expect(capture.depth?.isRectified == (isPinhole ? true : nil))
      if hasLens, terms == radial {
        let camera = calibration.intrinsics
        let found = try #require(calibration.distortion?.radialPolynomial(of: camera))
        // Percent and back.
        #expect(abs(found.x - 0.01) < 1e-15 && abs(found.z - 0.0003) < 1e-15)
      }
    }
  }

  @Test("Infrared is no depth; a pixel type that is not read is named")
  func otherStreams() throws {
    var bag = ROS1Samples()
    bag.add(
      ROS1Samples.stereo + "/Infrared_1/image/data", "sensor_msgs/Image", at: 5,
      ROS1Samples.image("16UC1", stamp: 1_000_000_000, pixels: ROS1Samples.codes()))
    bag.add(
      ROS1Samples.rgb + "/Color_0/image/data", "sensor_msgs/Image", at: 6,
      ROS1Samples.image("yuv422", stamp: 1_000_000_000, pixels: ROS1Samples.codes()))
    bag.addDepth(0, units: 0.001)
    let recording = try bag.recording()
    #expect(!recording.findings.contains { $0.code == .depthMisaligned })
    #expect(recording.findings.contains { $0.message.contains("yuv422") })
    let capture = try recording.capture(at: 0)
    #expect(capture.color?.size == ROS1Samples.size)
    #expect(try Self.meters(capture)[1, 0] == 1.01)
  }

  @Test(
    "A bag in the SDK's layout that rosbags wrote gives the same numbers",
    .enabled(
      if: PythonPeer.has("rosbags", "numpy"), Comment(rawValue: PythonPeer.absence("rosbags"))),
    arguments: [
      ["--compression", "lz4"], ["--compression", "none", "--image-units", "0.0001"],
    ])
  func foreign(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.bag")
    _ = try PythonPeer.run("realsense_bag.py", arguments: [path] + arguments)
    let recording = try MCAPSamples.recording(try #require(folder.bytes("a.bag")))
    #expect(recording.frames.map(\.name) == ["000000", "000001", "000002", "000003"])
    let unit = arguments.contains("0.0001") ? 10_000.0 : 1000.0
    let size = RasterSize(width: 12, height: 8)
    for index in 0..<4 {
      let capture = try recording.capture(at: index)
      #expect(capture.timestampSeconds == Double(2_000_000_000 + 33_333_333 * index) / 1e9)
      let found = try Self.meters(capture)
      let expected = Raster<Float>(size: size) { x, y in
        let code = 800 + 2 * x + y + 10 * index
        return x == 0 ? Float.nan : Float(Double(code) / unit)
      }
      let worst = WorstDifference(found, expected)
      // The factor 0.0001 and the quotient differ by one unit in the last place of 1 m.
      #expect(worst.value <= 1.2e-7 && worst.missingMismatches == 0, "\(worst)")
      let camera = try #require(capture.depth?.calibration?.intrinsics)
      #expect(camera.principalPoint == [5.75, 4.25] && abs(camera.focalLength.x - 7.2) < 1e-12)
      let color = Raster<RGB8>(size: size) { x, y in
        RGB8(red: UInt8(3 * x), green: UInt8(5 * y), blue: UInt8(40 + index))
      }
      #expect(capture.color == color)
      let place = try #require(capture.colorCalibration?.extrinsics?.referenceFromCamera)
      let back = place * SIMD3(0.0148, 0.0002, -0.0003)
      // The rounding of a quaternion's sines.
      #expect((back * back).sum().squareRoot() < 1e-15)
      #expect(abs(place.inverse.rotation.z.x - 0.01) < 1e-6)
    }
    let motion = try recording.motion()
    #expect(motion.samples.count == 8 && motion.samples[1].rotationRate == [0.01, 0.02, 0])
  }
}
