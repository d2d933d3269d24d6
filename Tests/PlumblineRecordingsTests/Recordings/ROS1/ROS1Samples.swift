import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// Bags of ROS 1 in memory: a camera as a driver records it, and RealSense's layout.
struct ROS1Samples {
  static let size = RasterSize(width: 6, height: 4)
  static let device = "/device_0"
  static let stereo = "/device_0/sensor_0"
  static let rgb = "/device_0/sensor_1"

  var builder = ROS1BagBuilder()
  private var connections: [String: UInt32] = [:]

  /// Appends a message.
  mutating func add(_ topic: String, _ type: String, at time: UInt64, _ payload: ROS1Payload) {
    let connection = connections[topic] ?? builder.connect(topic, type)
    connections[topic] = connection
    builder.add(connection, time: time, payload.bytes)
  }

  mutating func recording(limits: ReadingLimits = ReadingLimits()) throws -> Recording {
    try MCAPSamples.recording(builder.indexed(), limits: limits)
  }

  /// `sensor_msgs/Image`; `behind` follows the pixels.
  static func image(
    _ encoding: String, stamp: UInt64, frame: String = "0", size: RasterSize = size,
    pixels: [UInt8], behind: [UInt8] = []
  ) -> ROS1Payload {
    var payload = ROS1Payload(stamp: stamp, frame: frame)
    payload.add(UInt32(size.height))
    payload.add(UInt32(size.width))
    payload.add(encoding)
    payload.add(UInt8(0))
    payload.add(UInt32(pixels.count / size.height))
    payload.add(counted: pixels)
    for byte in behind { payload.add(byte) }
    return payload
  }

  /// Depth codes: 1000 + 10·x + y, the first pixel not measured.
  static func codes(_ size: RasterSize = size) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let code = x + y == 0 ? 0 : UInt16(1000 + 10 * x + y)
        bytes += [UInt8(code & 0xFF), UInt8(code >> 8)]
      }
    }
    return bytes
  }

  /// `sensor_msgs/CameraInfo` with the focal length 5.
  static func cameraInfo(_ model: String, _ terms: [Double], frame: String = "") -> ROS1Payload {
    var payload = ROS1Payload(stamp: 0, frame: frame)
    payload.add(UInt32(size.height))
    payload.add(UInt32(size.width))
    payload.add(model)
    payload.add(UInt32(terms.count))
    payload.add(terms)
    payload.add([5, 0, 2.5, 0, 5, 1.5, 0, 0, 1])
    payload.add([Double](repeating: 0, count: 9 + 12))
    for _ in 0..<6 { payload.add(UInt32(0)) }
    payload.add(UInt8(0))
    return payload
  }

  /// `geometry_msgs/Transform`.
  static func transform(_ translation: [Double], _ quaternion: [Double]) -> ROS1Payload {
    var payload = ROS1Payload()
    payload.add(translation)
    payload.add(quaternion)
    return payload
  }

  /// `diagnostic_msgs/KeyValue`.
  static func keyValue(_ key: String, _ value: String) -> ROS1Payload {
    var payload = ROS1Payload()
    payload.add(key)
    payload.add(value)
    return payload
  }

  /// `std_msgs/Float32`.
  static func number(_ value: Float) -> ROS1Payload {
    var payload = ROS1Payload()
    payload.add(value)
    return payload
  }

  /// `sensor_msgs/Imu` without orientation.
  static func motion(stamp: UInt64, force: [Double], rate: [Double]) -> ROS1Payload {
    var payload = ROS1Payload(stamp: stamp, frame: "0")
    payload.add([0, 0, 0, 0] + [Double](repeating: 0, count: 9))
    payload.add(rate + [Double](repeating: 0, count: 9))
    payload.add(force + [Double](repeating: 0, count: 9))
    return payload
  }

  /// `tf2_msgs/TFMessage` with one transform.
  static func transforms(
    stamp: UInt64, _ parent: String, _ child: String, x: Double
  ) -> ROS1Payload {
    var payload = ROS1Payload()
    payload.add(UInt32(1))
    for byte in ROS1Payload(stamp: stamp, frame: parent).bytes { payload.add(byte) }
    payload.add(child)
    payload.add([x, 0, 0, 0, 0, 0, 1])
    return payload
  }

  /// Adds a depth frame of RealSense's SDK; newer versions append the unit.
  mutating func addDepth(_ number: UInt64, units: Float? = nil) {
    let behind = units.map { value in ROS1Samples.number(value).bytes } ?? []
    add(
      Self.stereo + "/Depth_0/image/data", "sensor_msgs/Image", at: 10 + number,
      Self.image(
        "mono16", stamp: 1_000_000_000 + 33_000_000 * number, frame: units == nil ? "0" : "1",
        pixels: Self.codes(), behind: behind))
  }
}
