import PlumblineIO
import PlumblineModel

extension StreamMessage {
  /// The message as one line of JSON in UTF-8.
  public var encoded: [UInt8] { JSONWriter(layout: .compact).bytes(json) }

  /// The message as text.
  public var text: String { String(decoding: encoded, as: UTF8.self) }

  private var json: JSONValue {
    let schema = JSONValue.string(StreamFrame.schema)
    return switch self {
    case .hello(let session, let name):
      .object(
        [("type", "hello"), ("schema", schema), ("session", .string(session))]
          + (name.map { [(key: "name", value: JSONValue.string($0))] } ?? []))
    case .welcome(let session, let next, let stored):
      [
        "type": "welcome", "schema": schema, "session": .string(session), "next": .integer(next),
        "stored": .integer(stored),
      ]
    case .received(let sequence, let stored):
      ["type": "received", "sequence": .integer(sequence), "stored": .integer(stored)]
    case .clock(let id, let seconds):
      .object(
        [("type", "clock"), ("id", .integer(id))]
          + (seconds.map { [(key: "seconds", value: JSONValue.number($0))] } ?? []))
    case .thermal(let state): ["type": "thermal", "state": .string(state.rawValue)]
    case .dropped(let reason, let count):
      ["type": "dropped", "reason": .string(reason), "count": .integer(count)]
    case .bye: ["type": "bye"]
    case .error(let code, let message):
      ["type": "error", "code": .string(code), "message": .string(message)]
    case .live(let source): ["type": "live", "schema": schema, "source": .string(source)]
    case .shown(let sequence): ["type": "shown", "sequence": .integer(sequence)]
    case .status(let status): status.json
    case .scene(let scene):
      .object([("type", "scene")] + scene.members.filter { $0.key != "type" })
    case .ended(let reason): ["type": "ended", "reason": .string(reason)]
    }
  }
}

extension StreamStatus {
  fileprivate var json: JSONValue {
    let losses = dropped.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let recording: JSONValue? = recording.map {
      [
        "path": .string($0.path), "frames": .integer($0.frames), "stored": .integer($0.stored),
        "bytes": .integer($0.bytes),
      ]
    }
    return [
      "type": "status", "framesPerSecond": .number(framesPerSecond),
      "received": .integer(received), "skipped": .integer(skipped),
      "dropped": .object(losses.map { ($0.key, .integer($0.value)) }),
      "thermal": .string(thermal?.rawValue), "latencyMilliseconds": .number(latencyMilliseconds),
      "latencyPlusMinusMilliseconds": .number(latencyPlusMinusMilliseconds),
      "viewers": .integer(viewers), "recording": recording ?? .null,
    ]
  }
}
