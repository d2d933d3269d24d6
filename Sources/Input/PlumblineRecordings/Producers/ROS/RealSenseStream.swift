import PlumblineStreams

/// A stream in a recording of RealSense's SDK, by the topic of its frames.
///
/// - Source: librealsense, `src/media/readme.md`, "Topics":
///   `/device_<id>/sensor_<id>/<stream type>_<stream id>/image/data` and `…/imu/data`.
struct RealSenseStream: Sendable, Hashable {
  /// The kind, such as `Depth`, `Color`, `Infrared`, `Accel` or `Gyro`.
  let kind: String
  /// The number among the streams of its kind.
  let number: Int
  /// `/device_0/sensor_0/Depth_0`.
  let prefix: String
  /// `/device_0`.
  let device: String
  /// `/device_0/sensor_0`.
  let sensor: String

  /// Takes a topic of frames apart; `nil` for every other topic.
  init?(topic: String) {
    let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, parts[1].hasPrefix("device_"),
      parts[2].hasPrefix("sensor_"), ["image", "imu"].contains(parts[4]), parts[5] == "data"
    else { return nil }
    let name = parts[3].split(separator: "_")
    guard name.count == 2, let number = Int(name[1]) else { return nil }
    kind = String(name[0])
    self.number = number
    device = "/" + parts[1]
    sensor = device + "/" + parts[2]
    prefix = sensor + "/" + parts[3]
  }

  /// The topic of the camera's intrinsics.
  var cameraTopic: String { prefix + "/info/camera_info" }

  /// The beginning of the topics of its place; the number of the point of reference follows.
  var placePrefix: String { prefix + "/tf/" }

  /// The topics of a sensor's option; newer versions write blanks in names as underscores.
  func optionTopics(_ name: String) -> [String] {
    [name, name.split(separator: " ").joined(separator: "_")].map {
      "\(sensor)/option/\($0)/value"
    }
  }

  /// Whether its images are those of the camera whose pixels the depth map has.
  ///
  /// - Source: Intel, *Projection in Intel RealSense SDK 2.0*: depth of stereo cameras is aligned
  ///   with the left infrared camera, whose number is 1; cameras with one infrared stream give it 0.
  var hasPixelsOfDepth: Bool { kind == "Depth" || kind == "Infrared" && number <= 1 }
}
