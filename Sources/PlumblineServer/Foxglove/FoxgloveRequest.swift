import PlumblineIO
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
