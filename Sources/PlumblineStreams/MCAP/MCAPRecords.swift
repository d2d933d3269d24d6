/// The layout of the messages of a channel, such as a ROS message definition.
public struct MCAPSchema: Sendable, Hashable {
  /// Unique in the file and not 0.
  public var id: UInt16
  /// Such as `sensor_msgs/msg/Image`.
  public var name: String
  /// The language of `data`, such as `ros2msg`; empty where there is none.
  public var encoding: String
  /// The definition in that language.
  public var data: [UInt8]

  /// Creates a schema from its parts.
  public init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    self.id = id
    self.name = name
    self.encoding = encoding
    self.data = data
  }
}

/// A stream of messages of one topic and one encoding.
public struct MCAPChannel: Sendable, Hashable {
  /// Unique in the file.
  public var id: UInt16
  /// The schema of its messages; 0 for none.
  public var schemaID: UInt16
  /// Such as `/camera/depth/image`.
  public var topic: String
  /// Such as `cdr`.
  public var messageEncoding: String
  /// Whatever the recorder says of the channel.
  public var metadata: [String: String]

  /// Creates a channel from its parts.
  public init(
    id: UInt16, schemaID: UInt16, topic: String, messageEncoding: String,
    metadata: [String: String] = [:]
  ) {
    self.id = id
    self.schemaID = schemaID
    self.topic = topic
    self.messageEncoding = messageEncoding
    self.metadata = metadata
  }
}

/// One message with its times.
public struct MCAPMessage: Sendable, Hashable {
  /// The channel that it belongs to.
  public var channelID: UInt16
  /// A counter of the publisher's, or 0.
  public var sequence: UInt32
  /// When it was recorded, in nanoseconds of a clock that the recorder chose.
  public var logTime: UInt64
  /// When it was made, in nanoseconds of the same clock.
  public var publishTime: UInt64
  /// The payload, in the channel's encoding.
  ///
  /// Of a message that was read it is a slice of the bytes of its chunk, which starts anywhere;
  /// keeping it keeps the chunk in memory.
  public var data: ArraySlice<UInt8>

  /// Creates a message from its parts.
  public init(
    channelID: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64,
    data: ArraySlice<UInt8>
  ) {
    self.channelID = channelID
    self.sequence = sequence
    self.logTime = logTime
    self.publishTime = publishTime
    self.data = data
  }
}

/// Texts under a name, such as the settings of a recorder.
public struct MCAPMetadata: Sendable, Hashable {
  /// The name of the texts.
  public var name: String
  /// The texts.
  public var values: [String: String]

  /// Creates metadata from its parts.
  public init(name: String, values: [String: String]) {
    self.name = name
    self.values = values
  }
}

/// A file inside the file, such as a calibration.
public struct MCAPAttachment: Sendable, Hashable {
  /// Its name, such as `calibration.json`; never to be used as a path unchecked.
  public var name: String
  /// Such as `application/json`.
  public var mediaType: String
  /// When it was recorded, in nanoseconds.
  public var logTime: UInt64
  /// When it was made, in nanoseconds; 0 for unknown.
  public var createTime: UInt64
  /// Its bytes.
  public var data: [UInt8]

  /// Creates an attachment from its parts.
  public init(
    name: String, mediaType: String, logTime: UInt64, createTime: UInt64 = 0, data: [UInt8]
  ) {
    self.name = name
    self.mediaType = mediaType
    self.logTime = logTime
    self.createTime = createTime
    self.data = data
  }
}
