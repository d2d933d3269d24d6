package import PlumblineStreams

/// The topics and frames of the recordings that are written here; see
/// `Documentation/formats/mcap-ros2.md`.
enum MCAPTopic {
  /// Depth in meters, `32FC1`.
  static let depth = "/camera/depth/image_raw"
  /// Depth of an unknown scale, which must not be taken for meters.
  static let relativeDepth = "/camera/depth/image_relative"
  /// An estimate's depth minus the measured one in meters, `32FC1`, at the size of what was measured.
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
  /// Data that no message of ROS holds; the last message of each frame.
  static let frame = "/plumbline/frame"
}

/// The names of coordinate frames; those ending in `optical_frame` have x right, y down, z forward
/// (REP 103, suffix frames).
enum MCAPFrame {
  /// The world with z up, where it is known which axis of ``world`` is up.
  static let map = "map"
  /// The world of the poses, with its producer's axes.
  static let world = "world"
  static let depth = "camera_depth_optical_frame"
  static let color = "camera_color_optical_frame"
  static let motion = "imu_frame"
}

/// The metadata records of a recording.
enum MCAPMetadataRecord {
  /// What is known before the first frame.
  static let recording = "plumbline"
  /// The names and exact times of all frames, written at the end.
  static let frames = "plumbline_frames"
  static let version = "version"
  static let origin = "origin"
  static let worldAxes = "world_axes"
}

/// A topic and the kind of its messages, as ROS 2, MCAP and Foxglove want to know it.
package struct ROSTopic: Hashable, Sendable {
  /// Such as `/camera/depth/image_raw`.
  package let name: String
  /// The type of its messages, such as `sensor_msgs/msg/Image`.
  package let schemaName: String
  /// The definition of that type and of all types inside, in the encoding `ros2msg`.
  package let schema: String

  package init(_ name: String, _ type: any ROSMessage.Type) {
    self.name = name
    schemaName = type.name
    schema = type.definition
  }

  /// Whether one message holds for all frames, so that a later subscriber still needs it.
  package var isStatic: Bool { name == MCAPTopic.staticTransforms }

  /// What captures become, in the order in which a frame's messages come; color as a file of its own.
  ///
  /// A capture has messages of those topics alone that it has something for.
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
