import PlumblineIO
import PlumblineImages

/// The connections that a bag declares; several of one topic and type are one channel.
struct ROS1BagConnections: Sendable {
  /// The maximum number of connections; a recording of RealSense's SDK has about 200.
  private static let maximumCount = 1 << 14
  /// The maximum number of bytes of a topic's or type's name; ROS's are far below.
  private static let maximumNameBytes = 4096

  private struct Connection: Sendable, Hashable {
    var topic: String
    var type: String
  }

  private var connections: [UInt32: Connection] = [:]

  var isEmpty: Bool { connections.isEmpty }
  var count: Int { connections.count }

  /// Whether a connection is declared.
  func contains(_ id: UInt32) -> Bool { connections[id] != nil }

  /// Adds a connection record; one that was seen before changes nothing.
  ///
  /// - Throws: `.malformed` if another connection has the same number; `.limitExceeded`.
  /// - Source: wiki.ros.org/Bags/Format/2.0, "Connection": the data are a header with the type.
  mutating func add(_ header: ROS1BagHeader, _ data: ArraySlice<UInt8>) throws(CaptureReadingError)
  {
    let id = try header.uint32("conn")
    let fields = try ROS1BagHeader(data, path: ["connection"])
    let connection = Connection(topic: try header.text("topic"), type: try fields.text("type"))
    let limits = ReadingLimits()
    for name in [connection.topic, connection.type] {
      try limits.require(
        name.utf8.count, atMost: Self.maximumNameBytes, "bytes of a topic's or type's name",
        path: ["connection"], offset: data.startIndex)
    }
    guard connections[id, default: connection] == connection else {
      throw CaptureReadingError(
        .malformed, path: ["connection"], offset: data.startIndex,
        expected: "one meaning of connection \(id)", found: "two")
    }
    if connections[id] != nil { return }
    connections[id] = connection
    try limits.require(
      connections.count, atMost: Self.maximumCount, "connections", path: ["connection"],
      offset: data.startIndex)
  }

  /// The channels, each with the number of its first connection, and the channel of each
  /// connection.
  func channels() -> (channels: [ROSChannel], ofConnection: [UInt32: UInt32]) {
    var channels: [ROSChannel] = []
    var ofConnection: [UInt32: UInt32] = [:]
    var first: [Connection: UInt32] = [:]
    for (id, connection) in connections.sorted(by: { $0.key < $1.key }) {
      if let channel = first[connection] {
        ofConnection[id] = channel
        continue
      }
      first[connection] = id
      ofConnection[id] = id
      channels.append(
        ROSChannel(id: id, topic: connection.topic, type: Self.ros2Name(connection.type)))
    }
    return (channels, ofConnection)
  }

  /// The name of a type in ROS 2.
  ///
  /// - Source: `tf/tfMessage` has the fields and the checksum of `tf2_msgs/TFMessage`; bags of 2011,
  ///   such as those of TUM's benchmark, have it.
  private static func ros2Name(_ type: String) -> String {
    if type == "tf/tfMessage" { return TransformMessage.name }
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 ? "\(parts[0])/msg/\(parts[1])" : type
  }
}
