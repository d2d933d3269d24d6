import PlumblineIO
import PlumblineRecordings
/// The channels that are advertised to every client; their numbers never change their meaning.
///
/// - Source: *Advertise* of the protocol; encodings: "cdr" with schemas as "ros2msg" is ROS 2.
enum FoxgloveChannels {
  /// The first channel is number 1.
  static let topics = ROSTopic.ofCaptures

  static let numbers = 1...topics.count

  static func topic(_ number: Int) -> ROSTopic { topics[number - 1] }

  static func number(_ topic: ROSTopic) -> Int? {
    topics.firstIndex { $0.name == topic.name }.map { $0 + 1 }
  }

  static let advertisement: JSONValue = [
    "op": "advertise",
    "channels": .array(
      topics.enumerated().map { index, topic in
        [
          "id": .integer(index + 1), "topic": .string(topic.name), "encoding": "cdr",
          "schemaName": .string(topic.schemaName), "schema": .string(topic.schema),
          "schemaEncoding": "ros2msg",
        ]
      }),
  ]

  /// Describes the server; `session` shows a returning client whether it is the same one.
  static func serverInfo(session: String) -> JSONValue {
    [
      "op": "serverInfo", "name": "plumbline", "capabilities": ["time"],
      "metadata": ["profile": "ros2"], "sessionId": .string(session),
    ]
  }
}
