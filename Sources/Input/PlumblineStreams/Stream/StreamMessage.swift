package import PlumblineIO
public import PlumblineModel

/// A text message of a live stream, for everything except frames.
///
/// `Documentation/formats/stream.md` says who sends which message and when.
package enum StreamMessage: Sendable, Hashable {
  /// A client opens or resumes a session: 1 to 64 of `A-Z a-z 0-9 -`, and its display name.
  case hello(session: String, name: String?)
  /// The server accepts: the first frame that it lacks, and how many frames a power failure would
  /// leave.
  case welcome(session: String, next: Int, stored: Int?)
  /// The last frame that the server has, and how many frames a power failure would leave.
  case received(sequence: Int, stored: Int?)
  /// A request for the client's clock, or the response in seconds.
  case clock(id: Int, seconds: Double?)
  /// The thermal state of the client.
  case thermal(ThermalState)
  /// The number of frames that the client itself lost, and why.
  case dropped(reason: String, count: Int)
  /// The session is finished.
  case bye
  /// The reason why the server closes the connection.
  case error(code: String, message: String)
  /// The source that a viewer will see.
  case live(source: String)
  /// A viewer drew a frame.
  case shown(sequence: Int)
  /// The status of the stream.
  case status(StreamStatus)
  /// The server's results for the following frames: the members of the scene, as an object.
  case scene(JSONValue)
  /// The source has ended, and why.
  case ended(reason: String)
}

/// The status of a live stream, as reported to its viewers.
public struct StreamStatus: Sendable, Hashable {
  /// The progress of a recording of the stream.
  public struct Recording: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The number of frames so far.
    public var frames: Int
    /// The number of frames that would survive a power failure.
    public var stored: Int
    /// The number of bytes so far.
    public var bytes: Int

    /// Creates the state of a recording.
    public init(path: String, frames: Int, stored: Int, bytes: Int) {
      self.path = path
      self.frames = frames
      self.stored = stored
      self.bytes = bytes
    }
  }

  /// The frame rate of the source in frames per second; `nil` if unknown.
  public var framesPerSecond: Double?
  /// The number of frames from the source so far.
  public var received = 0
  /// The number of frames that this viewer missed.
  public var skipped = 0
  /// The number of frames that the source lost, by reason.
  public var dropped: [String: Int] = [:]
  /// The thermal state of the source; `nil` if not stated.
  public var thermal: ThermalState?
  /// The latency from the source to the socket, as the median of the last second; `nil` if the
  /// clocks are not synchronized.
  public var latencyMilliseconds: Double?
  /// The uncertainty of the latency (±).
  public var latencyPlusMinusMilliseconds: Double?
  /// The number of viewers.
  public var viewers = 0
  /// The recording in progress; `nil` if there is none.
  public var recording: Recording?

  /// Creates the status of a stream without frames.
  public init() {}
}

extension StreamMessage {
  /// The message as one line of JSON in UTF-8.
  package var encoded: [UInt8] { JSONWriter(layout: .compact).bytes(json) }

  /// The message as text.
  package var text: String { String(decoding: encoded, as: UTF8.self) }

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
