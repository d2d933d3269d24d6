package import PlumblineIO
package import PlumblineModel

/// The serializations of ROS messages.
package enum ROSSerialization: Sendable, Hashable {
  /// That of ROS 2: OMG's Common Data Representation with its encapsulation header.
  case cdr
  /// That of ROS 1: little-endian fields without padding.
  case ros1
}

/// The bytes of one message, and how they are serialized.
package struct ROSPayload: Sendable, Hashable {
  /// A slice of the chunk that holds the message; keeping it keeps the chunk in memory.
  package var bytes: ArraySlice<UInt8>
  package var serialization: ROSSerialization

  package init(_ bytes: ArraySlice<UInt8>, _ serialization: ROSSerialization) {
    self.bytes = bytes
    self.serialization = serialization
  }
}

/// A topic of a recording with messages of one type.
package struct ROSChannel: Sendable, Hashable {
  /// The identifier, unique in the file; the first topic of the file has the lowest.
  package let id: UInt32
  /// The topic, such as `/camera/depth/image_raw`.
  package let topic: String
  /// The type by its name in ROS 2, such as `sensor_msgs/msg/Image`.
  package let type: String

  package init(id: UInt32, topic: String, type: String) {
    self.id = id
    self.topic = topic
    self.type = type
  }
}

/// The position of a message in a recording.
package struct ROSMessagePlace: Sendable, Hashable {
  /// The time of recording, in nanoseconds of the recorder's clock.
  package let logTime: UInt64
  package let channelID: UInt32
  /// The number of its chunk; −1 for a message outside of chunks.
  package let chunk: Int32
  /// The offset of its record: from the start of the chunk's records, or of the file.
  package let offset: Int

  package init(logTime: UInt64, channelID: UInt32, chunk: Int32, offset: Int) {
    self.logTime = logTime
    self.channelID = channelID
    self.chunk = chunk
    self.offset = offset
  }
}

extension ROSMessagePlace: Comparable {
  /// Orders by time; equal times by the position in the file.
  package static func < (one: ROSMessagePlace, other: ROSMessagePlace) -> Bool {
    (one.logTime, one.chunk, one.offset) < (other.logTime, other.chunk, other.offset)
  }
}

/// A recording of ROS messages that is read on demand, of ROS 1 or ROS 2.
package protocol ROSMessageFile: Sendable {
  /// The name of the container in errors, such as `MCAP`.
  static var container: String { get }
  /// The name of the layout without more knowledge, such as `ROS 2 bag (MCAP)`.
  static var layout: String { get }
  /// The serialization of its messages.
  static var serialization: ROSSerialization { get }

  /// The channels with messages that can be read, by ascending identifier.
  var messageChannels: [ROSChannel] { get }
  /// The names of all topics, sorted, also of those with other messages.
  var topicNames: [String] { get }
  /// The findings about the container, such as its missing end.
  var findings: [Finding] { get }

  /// The positions of the messages of some channels, by ascending log time; ties are in file order.
  ///
  /// - Throws: `.malformed`, `.limitExceeded`; `.missing` if the file cannot be read.
  func places(ofChannels ids: Set<UInt32>) throws(CaptureReadingError) -> [ROSMessagePlace]

  /// The bytes of a message; nearby messages are fast, since the last chunks are cached.
  ///
  /// - Throws: `.malformed` for a message whose chunk is damaged.
  func payload(at place: ROSMessagePlace) throws(CaptureReadingError) -> ROSPayload
}

extension ROSMessageFile {
  /// The channels with messages of a type, by ascending identifier.
  package func messageChannels(of type: any ReadableROSMessage.Type) -> [ROSChannel] {
    messageChannels.filter { $0.type == type.name }
  }

  /// The topic of a channel; empty for an unknown one.
  package func topic(of channelID: UInt32) -> String {
    messageChannels.first { $0.id == channelID }?.topic ?? ""
  }
}

extension MCAPFile: ROSMessageFile {
  package static let container = "MCAP"
  package static let layout = "ROS 2 bag (MCAP)"
  package static let serialization = ROSSerialization.cdr

  package var messageChannels: [ROSChannel] {
    channels.values.compactMap { channel in
      guard channel.messageEncoding == "cdr", let schema = schemas[channel.schemaID] else {
        return nil
      }
      return ROSChannel(id: UInt32(channel.id), topic: channel.topic, type: schema.name)
    }.sorted { $0.id < $1.id }
  }

  package var topicNames: [String] { channels.values.map(\.topic).sorted() }

  package func places(
    ofChannels ids: Set<UInt32>
  ) throws(CaptureReadingError) -> [ROSMessagePlace] {
    try messagePlaces(channels: Set(ids.compactMap { UInt16(exactly: $0) })).map(
      ROSMessagePlace.init)
  }

  package func payload(at place: ROSMessagePlace) throws(CaptureReadingError) -> ROSPayload {
    try message(at: MCAPMessagePlace(place)).payload
  }
}

extension MCAPMessage {
  /// The payload of a message of a ROS 2 bag.
  package var payload: ROSPayload { ROSPayload(data, .cdr) }
}

extension ROSMessagePlace {
  /// The position of a message of an MCAP file.
  package init(_ place: MCAPMessagePlace) {
    self.init(
      logTime: place.logTime, channelID: UInt32(place.channelID), chunk: place.chunkNumber,
      offset: place.offset)
  }
}

extension MCAPMessagePlace {
  /// - Precondition: The position is one of an MCAP file, whose identifiers have 16 bits.
  fileprivate init(_ place: ROSMessagePlace) {
    self.init(
      logTime: place.logTime, channelID: UInt16(place.channelID), chunkNumber: place.chunk,
      offset: place.offset)
  }
}
