import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Our recordings by the libraries of others.
@Suite("Recordings in MCAP, read by peers")
struct MCAPPeerTests {
  struct Message: Decodable {
    var log: UInt64
    var schema: String
    var message: PeerValue
  }

  static let captures = SampleCaptures.frames(3) + (1..<5).map { MCAPSamples.full(UInt64($0)) }
  static let motion = SampleCaptures.motion(frames: 3)

  private static func file(
    _ captures: [Capture], in folder: TemporaryFolder
  ) throws -> String {
    var options = MCAPRecordingOptions()
    options.color = .raw
    options.container.compression = .zstd
    try folder.put(try MCAPSamples.file(captures, motion: motion, options: options), at: "a.mcap")
    return folder.file("a.mcap")
  }

  @Test(
    "mcap_ros2 and rosbags read every value",
    .enabled(
      if: PythonPeer.has("mcap_ros2", "rosbags", "numpy"),
      Comment(rawValue: PythonPeer.absence("mcap_ros2, rosbags, numpy"))),
    arguments: ["read-mcap", "read-rosbags"])
  func values(mode: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Self.captures, in: folder)
    let topics = try JSONDecoder().decode(
      [String: [Message]].self, from: Data(try PythonPeer.run("mcap_recording.py", mode, path)))
    let expected = [
      // The fuller samples have a camera of another shape than their color image.
      "/camera/color/camera_info": 3, "/camera/color/image_raw": 7,
      "/camera/depth/camera_info": 7, "/camera/depth/image_raw": 3,
      "/camera/depth/image_relative": 4, "/imu": Self.motion.count, "/plumbline/frame": 7,
      "/tf": 7, "/tf_static": 1,
    ]
    #expect(topics.mapValues(\.count) == expected)
    let frames = try #require(topics["/plumbline/frame"])
    for (index, capture) in Self.captures.enumerated() {
      let imageTopic =
        switch capture.depth?.values {
        case .depth: index < 3 ? MCAPTopic.depth : MCAPTopic.relativeDepth
        case .disparity: MCAPTopic.relativeDepth
        default: ""
        }
      var fields = PeerValue.frame(capture, name: "frame-\(index)", imageTopic: imageTopic)
      fields["header"] = frames[index].message["header"]
      #expect(frames[index].schema == DepthFrameMessage.name)
      let differences = PeerValue.object(fields).differences(from: frames[index].message)
      #expect(differences == [], "frame \(index)")
    }
    try images(topics)
    try transforms(topics)
    for (sample, message) in zip(Self.motion, try #require(topics["/imu"])) {
      let rate = try #require(sample.rotationRate)
      let expected = PeerValue.object([
        "x": .number(rate.x), "y": .number(rate.y), "z": .number(rate.z),
      ])
      #expect(expected.differences(from: message.message["angular_velocity"]) == [])
      let force = try #require(sample.specificForce)
      #expect(
        PeerValue.number(force.z).differences(from: message.message["linear_acceleration.z"]) == [])
      #expect(
        PeerValue.number(-1).differences(from: message.message["orientation_covariance.0"]) == [])
    }
  }

  private func images(_ topics: [String: [Message]]) throws {
    for (index, capture) in Self.captures.prefix(3).enumerated() {
      guard case .depth(let map) = capture.depth?.values, let color = capture.color else { return }
      let nanoseconds = UInt64((try #require(capture.timestampSeconds) * 1e9).rounded())
      for (topic, encoding, hash, size, bytes) in [
        (MCAPTopic.depth, "32FC1", PeerValue.hash(map.meters), map.size, 4),
        (MCAPTopic.color, "rgb8", PeerValue.hash(color), color.size, 3),
      ] {
        let message = try #require(topics[topic])[index]
        #expect(message.log == nanoseconds)
        let frame = topic == MCAPTopic.depth ? MCAPFrame.depth : MCAPFrame.color
        let expected = PeerValue.object([
          "header": .object([
            "stamp": .object([
              "sec": .number(Double(nanoseconds / 1_000_000_000)),
              "nanosec": .number(Double(nanoseconds % 1_000_000_000)),
            ]), "frame_id": .text(frame),
          ]), "height": .number(Double(size.height)), "width": .number(Double(size.width)),
          "encoding": .text(encoding), "is_bigendian": .number(0),
          "step": .number(Double(size.width * bytes)), "data": hash,
        ])
        #expect(expected.differences(from: message.message) == [])
      }
      let camera = try #require(capture.depth?.calibration?.intrinsics)
      for (topic, size) in [(MCAPTopic.depthInfo, map.size), (MCAPTopic.colorInfo, color.size)] {
        let scaled = camera.scaled(to: size)
        let k = [
          scaled.focalLength.x, 0, scaled.principalPoint.x, 0, scaled.focalLength.y,
          scaled.principalPoint.y, 0, 0, 1,
        ]
        let message = try #require(topics[topic])[index].message
        #expect(PeerValue.numbers(k).differences(from: message["k"]) == [])
        #expect(PeerValue.number(Double(size.width)).differences(from: message["width"]) == [])
        #expect(PeerValue.list([]).differences(from: message["d"]) == [])
      }
    }
  }

  private func transforms(_ topics: [String: [Message]]) throws {
    for (index, capture) in Self.captures.enumerated() {
      let pose = try #require(capture.worldFromCamera)
      let message = try #require(topics["/tf"])[index].message
      #expect(
        PeerValue.text("camera_depth_optical_frame").differences(
          from: message["transforms.0.child_frame_id"]) == [])
      let turn = pose.rotation.quaternion
      for (path, number) in [
        ("translation.x", pose.translation.x), ("translation.y", pose.translation.y),
        ("translation.z", pose.translation.z), ("rotation.x", turn.x), ("rotation.y", turn.y),
        ("rotation.z", turn.z), ("rotation.w", turn.w),
      ] {
        let found = message["transforms.0.transform.\(path)"]
        #expect(PeerValue.number(number).differences(from: found) == [])
      }
    }
    let upright = try #require(topics["/tf_static"])[0].message
    // y up to z up is a quarter turn about x.
    let half = 0.5.squareRoot()
    guard case .number(let x) = upright["transforms.0.transform.rotation.x"] else {
      Issue.record("no rotation")
      return
    }
    #expect(abs(x - half) < 1e-15)
  }

  @Test(
    "Rerun finds nothing wrong and makes depth images and pinholes of it",
    .enabled(
      if: PythonPeer.has("rerun", "numpy"), Comment(rawValue: PythonPeer.absence("rerun-sdk"))))
  func rerun() throws {
    struct Output: Decodable {
      var check: String
      var print: String
    }
    let folder = try TemporaryFolder()
    // The fuller samples have clocks that go back, which Rerun rightly calls a problem.
    let path = try Self.file(SampleCaptures.frames(3), in: folder)
    let output = try JSONDecoder().decode(
      Output.self, from: Data(try PythonPeer.run("mcap_recording.py", "rerun", path)))
    for kind in ["DepthImage", "Pinhole", "Image:", "Transform3D"] {
      #expect(output.print.contains(kind), "\(kind)")
    }
    #expect(!output.check.contains("PROBLEM"), "\(output.check)")
    let topics = [
      MCAPTopic.depth, MCAPTopic.depthInfo, MCAPTopic.color, MCAPTopic.colorInfo, MCAPTopic.motion,
      MCAPTopic.transforms, MCAPTopic.staticTransforms, MCAPTopic.frame,
    ]
    let sound = output.check.split(separator: "\n").filter { $0.hasPrefix("ok") }
    #expect(sound.count == topics.count)
    for topic in topics { #expect(sound.contains { $0.contains(" \(topic) ") }, "\(topic)") }
  }
}
