import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Recordings in bags of ROS 1")
struct ROS1RecordingTests {
  /// A depth camera of a driver, whose frames a tracker places.
  private static func tracked(x moving: (Int) -> Double) -> ROS1Samples {
    var bag = ROS1Samples()
    for index in 0..<3 {
      let stamp = UInt64(1_000_000_000 + 100_000_000 * index)
      bag.add(
        "/tf", "tf/tfMessage", at: stamp,
        ROS1Samples.transforms(stamp: stamp, "/world", "/kinect", x: moving(index)))
      // As static_transform_publisher repeats it.
      bag.add(
        "/tf", "tf/tfMessage", at: stamp,
        ROS1Samples.transforms(stamp: stamp, "/kinect", "/optical", x: 0.5))
      bag.add(
        "/camera/depth/image", "sensor_msgs/Image", at: stamp,
        ROS1Samples.image(
          "16UC1", stamp: stamp, frame: "/optical", pixels: ROS1Samples.codes()))
      bag.add(
        "/camera/depth/camera_info", "sensor_msgs/CameraInfo", at: stamp,
        ROS1Samples.cameraInfo("plumb_bob", [0, 0, 0, 0, 0], frame: "/optical"))
    }
    return bag
  }

  @Test("Depth in millimeters, camera and tracked poses of a driver's bag")
  func driver() throws {
    var bag = Self.tracked { Double($0) }
    let recording = try bag.recording()
    #expect(recording.layout == "ROS 1 bag" && recording.worldAxes == .zUp)
    #expect(recording.findings.map(\.code) == [.sequenceChosenTopics])
    for index in 0..<3 {
      let capture = try recording.capture(at: index)
      guard case .depth(let map)? = capture.depth?.values else {
        Issue.record("no depth")
        return
      }
      #expect(map.meters[2, 3] == 1.023 && map.meters[0, 0].isNaN)
      #expect(capture.depth?.calibration?.intrinsics.focalLength == [5, 5])
      #expect(capture.worldFromCamera?.translation == [Double(index) + 0.5, 0, 0])
    }
  }

  @Test("Transforms that are only repeated are no poses")
  func repeated() throws {
    var bag = Self.tracked { _ in 2 }
    let recording = try bag.recording()
    #expect(try recording.capture(at: 1).worldFromCamera == nil)
  }

  @Test("Cut or flipped, a bag gives captures or typed errors, and says what is lost")
  func damage() throws {
    var bag = Self.tracked { Double($0) }
    bag.builder.closeChunk()
    bag.addDepth(4)
    let bytes = bag.builder.indexed()
    func read(_ bytes: [UInt8]) {
      do throws(CaptureReadingError) {
        guard let recording = try Recording(source: MemoryBytes(bytes)) else { return }
        #expect(!recording.frames.isEmpty)
        for index in recording.frames.indices {
          do throws(CaptureReadingError) {
            #expect(try recording.capture(at: index).depth != nil)
          } catch {
            #expect(!error.path.isEmpty, "\(error)")
          }
        }
      } catch {
        #expect(!error.expected.isEmpty && !error.found.isEmpty)
      }
    }
    for length in ByteDamage.truncations(of: bytes.count - 4096) {
      read(Array(bytes[..<min(length, 40)]))
      read(Array(bytes[..<(4096 + length)]))
    }
    for seed in 0..<300 as Range<UInt64> {
      read(Array(bytes[..<4100]) + ByteDamage.flipped(Array(bytes[4100...]), seed: seed))
    }
    let cut = Array(bytes[..<(bytes.count - 10)])
    let recording = try #require(try Recording(source: MemoryBytes(cut)))
    #expect(recording.findings.map(\.code).contains(.sequenceWithoutIndex))
    #expect(recording.frames.count == 3)
    let head = #expect(throws: CaptureReadingError.self) {
      try Recording(source: MemoryBytes(Array(bytes[..<4200])))
    }
    #expect(head?.reason == .missing && head?.found.contains("cannot be used") == true)
  }

  @Test("A frame limit holds; a bag without depth names its topics")
  func limits() throws {
    var limits = ReadingLimits()
    limits.sequenceFrames = 2
    var bag = Self.tracked { Double($0) }
    let error = #expect(throws: CaptureReadingError.self) { try bag.recording(limits: limits) }
    #expect(error?.reason == .limitExceeded)
    var color = ROS1Samples()
    color.add(
      "/camera/color", "sensor_msgs/Image", at: 5,
      ROS1Samples.image(
        "mono8", stamp: 5, pixels: [UInt8](repeating: 1, count: ROS1Samples.size.pixelCount)))
    let missing = #expect(throws: CaptureReadingError.self) { try color.recording() }
    #expect(missing?.reason == .missing && missing?.found == "the topics /camera/color")
  }
}
