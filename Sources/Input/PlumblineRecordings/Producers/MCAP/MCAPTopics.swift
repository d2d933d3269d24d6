package import PlumblineStreams

/// The topics and coordinate frames of recordings written here; see
/// `Documentation/formats/mcap-ros2.md`.
enum MCAPTopic {
  /// Depth in meters, `32FC1`.
  static let depth = "/camera/depth/image_raw"
  /// Depth of unknown scale, which must not be used as meters.
  static let relativeDepth = "/camera/depth/image_relative"
  /// Estimated minus measured depth in meters, `32FC1`, at the size of the measured map.
  static let residual = "/camera/depth/residual"
  /// One standard deviation of each residual in meters, `32FC1`.
  static let residualSigma = "/camera/depth/residual_sigma"
  /// The camera of the depth image.
  static let depthInfo = "/camera/depth/camera_info"
  /// Color without compression.
  static let color = "/camera/color/image_raw"
  /// Color as JPEG or PNG.
  static let compressedColor = "/camera/color/image_raw/compressed"
  /// The camera of the color image.
  static let colorInfo = "/camera/color/camera_info"
  /// Motion samples.
  static let motion = "/imu"
  /// Poses.
  static let transforms = "/tf"
  /// Transforms that never change.
  static let staticTransforms = "/tf_static"
  /// Data that no ROS message can represent; the last message of each frame.
  static let frame = "/plumbline/frame"
}

/// The names of coordinate frames; those ending in `optical_frame` have x right, y down, z forward
/// (REP 103, suffix frames).
enum MCAPFrame {
  /// The world with z up, if the up axis of ``world`` is known.
  static let map = "map"
  /// The world of the poses, with the producer's axes.
  static let world = "world"
  static let depth = "camera_depth_optical_frame"
  static let color = "camera_color_optical_frame"
  static let motion = "imu_frame"
}

/// The metadata records of a recording.
enum MCAPMetadataRecord {
  /// The facts known before the first frame.
  static let recording = "plumbline"
  /// The names and exact times of all frames, written at the end.
  static let frames = "plumbline_frames"
  static let version = "version"
  static let origin = "origin"
  static let worldAxes = "world_axes"
}

/// A topic and its message type, as ROS 2, MCAP and Foxglove require it.
package struct ROSTopic: Hashable, Sendable {
  /// The name, such as `/camera/depth/image_raw`.
  package let name: String
  /// The type of its messages, such as `sensor_msgs/msg/Image`.
  package let schemaName: String
  /// The definition of that type and of all nested types, in the encoding `ros2msg`.
  package let schema: String

  package init(_ name: String, _ type: any ROSMessage.Type) {
    self.name = name
    schemaName = type.name
    schema = type.definition
  }

  /// Whether one message is valid for all frames, so that a later subscriber needs it too.
  package var isStatic: Bool { name == MCAPTopic.staticTransforms }

  /// The topics of a capture, in the order of a frame's messages, with color as an encoded file.
  ///
  /// A capture has messages only for topics for which it has data.
  package static let ofCaptures = [
    ROSTopic(MCAPTopic.staticTransforms, TransformMessage.self),
    ROSTopic(MCAPTopic.transforms, TransformMessage.self),
    ROSTopic(MCAPTopic.colorInfo, CameraInfoMessage.self),
    ROSTopic(MCAPTopic.compressedColor, CompressedImageMessage.self),
    ROSTopic(MCAPTopic.depth, ImageMessage.self),
    ROSTopic(MCAPTopic.relativeDepth, ImageMessage.self),
    ROSTopic(MCAPTopic.depthInfo, CameraInfoMessage.self),
    ROSTopic(MCAPTopic.frame, DepthFrameMessage.self),
  ]
}
