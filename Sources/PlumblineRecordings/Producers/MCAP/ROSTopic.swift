package import PlumblineStreams

/// A topic and the kind of its messages, as ROS 2, MCAP and Foxglove want to know it.
public struct ROSTopic: Hashable, Sendable {
  /// Such as `/camera/depth/image_raw`.
  public let name: String
  /// The type of its messages, such as `sensor_msgs/msg/Image`.
  public let schemaName: String
  /// The definition of that type and of all types inside, in the encoding `ros2msg`.
  public let schema: String

  package init(_ name: String, _ type: any ROSMessage.Type) {
    self.name = name
    schemaName = type.name
    schema = type.definition
  }

  /// Whether one message holds for all frames, so that a later subscriber still needs it.
  public var isStatic: Bool { name == MCAPTopic.staticTransforms }

  /// What captures become, in the order in which a frame's messages come; color as a file of its own.
  ///
  /// A capture has messages of those topics alone that it has something for.
  public static let ofCaptures = [
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
