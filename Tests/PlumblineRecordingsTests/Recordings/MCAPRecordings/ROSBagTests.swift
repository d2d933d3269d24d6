import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Bags of ROS 2 and ROS 1 that rosbags and mcap_ros2 wrote; their values are those of
/// `Tests/Oracles/mcap_recording.py`.
@Suite("ROS bags of others")
struct ROSBagTests {
  static let writers = ["write-mcap", "write-rosbags", "write-ros1"]
  static let size = RasterSize(width: 6, height: 4)

  @Test("A folder around one bag is that bag; of several files one must be named")
  func folder() throws {
    let bytes = try MCAPSamples.file(SampleCaptures.frames(2))
    var folder = MemoryFolder(["bag_0.mcap": bytes, "metadata.yaml": [0x61]])
    #expect(try Recording(folder: folder).frames.count == 2)
    folder.files["bag_0.mcap"] = Array(bytes.prefix(3))
    let damaged = #expect(throws: CaptureReadingError.self) { try Recording(folder: folder) }
    #expect("\(damaged.map { "\($0)" } ?? "")".contains("bag_0.mcap"))
    folder.files["bag_1.mcap"] = bytes
    let error = #expect(throws: CaptureReadingError.self) { try Recording(folder: folder) }
    #expect(error?.reason == .unsupported)
  }

  /// The depth that the script writes, as numpy rounds it.
  static func meters(_ x: Int, _ y: Int, _ index: Int) -> Float {
    if x == 0 && y == 0 || x == 1 && y == 1 || x == 2 && y == 2 { return .nan }
    return Float(0.5 + 0.1 * Double(x) + 0.01 * Double(y) + 0.001 * Double(index))
  }

  @Test(
    "Reads depth, camera, color, pose and motion with equal values",
    .enabled(
      if: PythonPeer.has("mcap_ros2", "rosbags"),
      Comment(rawValue: PythonPeer.absence("mcap_ros2, rosbags"))), arguments: writers)
  func foreign(writer: String) throws {
    let folder = try TemporaryFolder()
    _ = try PythonPeer.run("mcap_recording.py", writer, folder.file("a.mcap"))
    let recording = try MCAPSamples.recording(try #require(folder.bytes("a.mcap")))
    #expect(recording.layout == (writer == "write-ros1" ? "ROS 1 bag" : "ROS 2 bag (MCAP)"))
    #expect(recording.worldAxes == .zUp)
    #expect(recording.findings.map(\.code) == Array(repeating: .sequenceChosenTopics, count: 3))
    #expect(recording.findings[1].message.contains("/camera/depth/image_raw"))
    #expect(recording.findings[2].message.contains("/camera/infra/image_raw"))
    #expect(recording.frames.map(\.name) == ["000000", "000001", "000002", "000003"])
    let times = (0..<4).map { Double(10_000_000_000 + 33_333_333 * $0) / 1e9 }
    #expect(recording.frames.map(\.timestampSeconds) == times)
    for index in 0..<4 {
      let capture = try recording.capture(at: index)
      #expect(capture.timestampSeconds == times[index])
      let record = try #require(capture.depth)
      guard case .depth(let map) = record.values else {
        Issue.record("no depth")
        return
      }
      let expected = Raster(size: Self.size) { x, y in Self.meters(x, y, index) }
      let worst = WorstDifference(map.meters, expected)
      #expect(worst.value == 0 && worst.missingMismatches == 0, "\(worst)")
      let calibration = try #require(record.calibration)
      let camera = PinholeIntrinsics(
        focalLength: [5 + Double(index), 5.5], principalPoint: [2.5, 1.5], size: Self.size)
      #expect(calibration.intrinsics == camera)
      let terms = try #require(calibration.distortion?.radialPolynomial(of: calibration.intrinsics))
      // Percent and back.
      #expect(abs(terms.x - 0.01) < 1e-15 && abs(terms.z - 0.0003) < 1e-15)
      #expect(capture.findings.isEmpty)
      // The third color image is lost, and its neighbors lie farther away than half a frame.
      if index == 2 {
        #expect(capture.color == nil)
      } else {
        let color = Raster<RGB8>(size: Self.size) { x, y in
          RGB8(red: UInt8(10 * x), green: UInt8(20 * y), blue: UInt8(30 + index))
        }
        #expect(capture.color == color)
      }
    }
    try poses(recording)
    let motion = try recording.motion().samples
    #expect(motion.map(\.timestampSeconds) == times)
    #expect(motion[2].rotationRate == [0.1, 0.2, 2.3] && motion[2].specificForce == [0, 0, 9.81])
    #expect(motion[2].worldFromSensor == nil)
  }

  /// 9.99 s, 10.04 s, 10.09 s: the body turns by 0.2 rad about z and moves by 1 m from one to the
  /// next; the camera sits 0.1 m along x of the body.
  private func poses(_ recording: Recording) throws {
    for index in 0..<4 {
      let pose = try recording.capture(at: index, color: .none).worldFromCamera
      let share = (0.01 + 0.033333333 * Double(index)) / 0.05
      guard share <= 2 else {
        #expect(pose == nil)
        continue
      }
      let angle = 0.2 * share
      let place = try #require(pose)
      // Rounding of a quaternion's sines.
      let expected: SIMD3<Double> = [share + 0.1 * cos(angle), 2 + 0.1 * sin(angle), 0]
      #expect(abs(place.translation.x - expected.x) < 1e-12)
      #expect(abs(place.translation.y - expected.y) < 1e-12)
      #expect(abs(place.rotation.x.x - cos(angle)) < 1e-12)
    }
  }

  private struct Bag {
    var writer: MCAPWriter
    let output = MemoryOutput()
    var channels: [String: UInt16] = [:]

    init() throws {
      writer = try MCAPWriter(
        file: try output.makeFile("a.mcap"), profile: "ros2", library: "test")
    }

    mutating func add<Message: ROSMessage>(_ topic: String, _ message: Message, at time: UInt64)
      throws
    {
      if channels[topic] == nil {
        let schema = try writer.addSchema(
          name: Message.name, encoding: "ros2msg", data: Array(Message.definition.utf8))
        channels[topic] = try writer.addChannel(
          topic: topic, messageEncoding: "cdr", schemaID: schema)
      }
      try writer.write(
        MCAPMessage(
          channelID: channels[topic] ?? 0, sequence: 0, logTime: time, publishTime: time,
          data: message.bytes[...]))
    }

    mutating func recording() throws -> Recording {
      try writer.finish()
      return try MCAPSamples.recording(try output.folder.bytes(of: "a.mcap"))
    }
  }

  private static func header(_ time: UInt64, _ frame: String = "camera") -> ROSHeader {
    ROSHeader(stamp: ROSTime(nanosecondCount: time), frame: frame)
  }

  private static func depth(
    _ time: UInt64, _ size: RasterSize = size, encoding: ImageMessage.Encoding = .float32
  ) -> ImageMessage {
    ImageMessage(
      header: header(time), height: size.height, width: size.width, encoding: encoding,
      data: Array(repeating: 0x40, count: size.pixelCount * encoding.bytesPerPixel)[...])
  }

  @Test("A ring of transforms, two parents and gaps leave poses unknown, and say so")
  func transforms() throws {
    var ring = try Bag()
    try ring.add("/depth/image_raw", Self.depth(5), at: 5)
    for (parent, child) in [("a", "camera"), ("b", "a"), ("camera", "b")] {
      let transform = try #require(
        StampedTransform(header: Self.header(5, parent), child: child, .identity))
      try ring.add("/tf", TransformMessage([transform]), at: 5)
    }
    let recording = try ring.recording()
    #expect(recording.findings.map(\.code).contains(.sequencePosesMissing))
    #expect(try recording.capture(at: 0).worldFromCamera == nil)

    var gap = try Bag()
    for time in [0, 200_000_000, 400_000_000, 1_200_000_000] as [UInt64] {
      try gap.add("/depth/image_raw", Self.depth(time), at: time)
    }
    for (time, parent) in [
      (0, "map"), (300_000_000, "map"), (300_000_001, "odom"), (1_300_000_000, "map"),
    ] as [(UInt64, String)] {
      let transform = try #require(
        StampedTransform(header: Self.header(time, parent), child: "camera", .identity))
      try gap.add("/tf", TransformMessage([transform]), at: time)
    }
    let holes = try gap.recording()
    #expect(holes.findings.contains { $0.message.contains("two parents") })
    let poses = try holes.frames.indices.map { try holes.capture(at: $0).worldFromCamera }
    #expect(poses == [.identity, .identity, nil, nil])
  }

  @Test("Frames of another size carry a finding; the order of the recording is kept")
  func mixed() throws {
    var bag = try Bag()
    let small = RasterSize(width: 3, height: 2)
    try bag.add("/depth/image_raw", Self.depth(9), at: 5)
    try bag.add("/depth/image_raw", Self.depth(7, small), at: 6)
    let recording = try bag.recording()
    #expect(recording.frames.map(\.timestampSeconds) == [9e-9, 7e-9])
    #expect(recording.findings.map(\.code) == [.sequenceChosenTopics, .calibrationMissing])
    #expect(try recording.capture(at: 0).findings.isEmpty)
    #expect(try recording.capture(at: 1).findings.map(\.code) == [.fileUnequalSizes])
  }

  @Test("Names the topics of a bag without depth")
  func withoutDepth() throws {
    var bag = try Bag()
    try bag.add("/camera/color", Self.depth(5, encoding: .rgb8), at: 5)
    let error = #expect(throws: CaptureReadingError.self) { try bag.recording() }
    #expect(error?.reason == .missing && error?.found == "the topics /camera/color")
  }

  @Test("Reads depth that was compressed by PNG, in millimeters or as reciprocal codes")
  func compressedDepth() throws {
    let codes = Raster<UInt16>(size: Self.size) { x, y in UInt16(x == 0 ? 0 : 1000 + 100 * x + y) }
    func message(_ format: String, _ a: Float, _ b: Float) -> CompressedImageMessage {
      var writer = CDRWriter()
      for bits in [0, a.bitPattern, b.bitPattern] { writer.write(bits) }
      return CompressedImageMessage(
        header: Self.header(5), format: format,
        data: Array(writer.bytes.dropFirst(4)) + PNGEncoder().encoded(codes))
    }
    for (format, isInverse) in [
      ("16UC1; compressedDepth", false), ("16UC1; compressedDepth png", false),
      ("32FC1; compressedDepth png", true),
    ] {
      var bag = try Bag()
      try bag.add("/depth/image_raw/compressedDepth", message(format, 2000, -3), at: 5)
      let record = try #require(try bag.recording().capture(at: 0).depth)
      guard case .depth(let map) = record.values else {
        Issue.record("no depth")
        return
      }
      let expected = codes.map { code -> Float in
        if code == 0 { return .nan }
        return isInverse ? 2000 / (Float(code) + 3) : Float(code) / 1000
      }
      let worst = WorstDifference(map.meters, expected)
      #expect(worst.value == 0 && worst.missingMismatches == 0, "\(worst)")
    }
  }

  @Test("Refuses images that claim more pixels than they have, or than a limit allows")
  func hugeImages() throws {
    for (width, height, step, reason) in [
      (6, 5, 24, CaptureReadingError.Reason.malformed), (6, 4, 20, .malformed),
      (0, 4, 24, .malformed), (4_294_967_295, 4_294_967_295, 4_294_967_295, .limitExceeded),
      (65_536, 65_536, 262_144, .limitExceeded),
    ] {
      var bag = try Bag()
      try bag.add("/depth/image_raw", Self.depth(5), at: 5)
      var image = Self.depth(6)
      image.width = width
      image.height = height
      image.step = step
      try bag.add("/depth/image_raw", image, at: 6)
      let recording = try bag.recording()
      let error = #expect(throws: CaptureReadingError.self) { try recording.capture(at: 1) }
      #expect(error?.reason == reason, "\(width) × \(height)")
    }
  }
}
