import NIOCore
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

/// The protocol's messages of a server.
///
/// - Source: `docs/spec.md` of github.com/foxglove/ws-protocol: numbers are little-endian.
enum FoxgloveMessage {
  /// The severity of a status.
  enum Level: Int {
    case info = 0
    case warning = 1
    case error = 2
  }

  static func json(_ value: JSONValue) -> WebSocketMessage {
    WebSocketMessage(text: JSONWriter(layout: .compact).bytes(value))
  }

  static func status(_ level: Level, _ message: String) -> WebSocketMessage {
    json(["op": "status", "level": .integer(level.rawValue), "message": .string(message)])
  }

  /// What time it is by the clock of the messages.
  static func time(nanoseconds: UInt64) -> WebSocketMessage {
    var buffer = ByteBuffer(integer: UInt8(0x02))
    buffer.writeInteger(nanoseconds, endianness: .little)
    return WebSocketMessage(binary: buffer)
  }

  static func data(
    subscription: UInt32, nanoseconds: UInt64, _ payload: [UInt8]
  ) -> WebSocketMessage {
    var buffer = ByteBufferAllocator().buffer(capacity: 13 + payload.count)
    buffer.writeInteger(UInt8(0x01))
    buffer.writeInteger(subscription, endianness: .little)
    buffer.writeInteger(nanoseconds, endianness: .little)
    buffer.writeBytes(payload)
    return WebSocketMessage(binary: buffer)
  }
}

/// A client's request in a text message.
enum FoxgloveRequest {
  /// Each entry as it came; `nil` for one that is none.
  case subscribe([(id: UInt32, channel: Int)?])
  case unsubscribe([UInt32?])

  /// Why a request is ignored, as reported to the client.
  struct Refusal: Error {
    let message: String
  }

  /// More than any sound client has; each channel can be subscribed to once.
  private static let entryLimit = 256
  private static let limits = {
    var limits = JSONLimits()
    limits.bytes = FrameCheck.textByteLimit
    limits.values = 4096
    limits.depth = 8
    return limits
  }()

  init(_ text: String) throws(Refusal) {
    guard let value = try? JSONValue(parsing: Array(text.utf8), limits: Self.limits),
      let operation = value["op"]?.string
    else { throw Refusal(message: "expected a JSON object with an “op”") }
    switch operation {
    case "subscribe":
      self = .subscribe(
        try Self.entries(value["subscriptions"]).map { entry in
          guard let id = Self.number(entry["id"]), let channel = entry["channelId"]?.integer else {
            return nil
          }
          return (id, channel)
        })
    case "unsubscribe":
      self = .unsubscribe(try Self.entries(value["subscriptionIds"]).map { Self.number($0) })
    default:
      throw Refusal(message: "this server can be subscribed to, and nothing else")
    }
  }

  private static func entries(_ value: JSONValue?) throws(Refusal) -> [JSONValue] {
    guard let entries = value?.elements else { throw Refusal(message: "expected a list") }
    guard entries.count <= entryLimit else {
      throw Refusal(message: "expected at most \(entryLimit) entries")
    }
    return entries
  }

  private static func number(_ value: JSONValue?) -> UInt32? {
    value?.integer.flatMap { UInt32(exactly: $0) }
  }
}
