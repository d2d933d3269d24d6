package import PlumblineImages
package import PlumblineIO
import PlumblineModel

extension StreamMessage {
  /// The maximum size of a text message in bytes; a scene may be as large as a header.
  package static let maximumBytes = 1 << 20

  /// Reads a text message; `nil` if this version does not know its type or thermal state, so that
  /// it is ignored.
  ///
  /// - Throws: ``CaptureReadingError`` with the member's name: `.malformed`, `.missing`,
  ///   `.unsupported` for another schema, `.limitExceeded`. O(*n*).
  package init?(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    var limits = limits
    limits.json = StreamFrameHeader.jsonLimits(limits)
    do throws(JSONReadingError) {
      let json = try JSONValue(parsing: bytes, limits: limits.json)
      let fields = try JSONFields(json)
      let type = try fields.required("type", fields.text)
      guard let message = try Self.message(type, fields, json) else { return nil }
      self = message
    } catch {
      throw CaptureReadingError(error, inside: ["message"])
    }
  }

  private static func message(
    _ type: String, _ fields: JSONFields, _ json: JSONValue
  ) throws(JSONReadingError) -> StreamMessage? {
    switch type {
    case "hello":
      try requireSchema(fields)
      return .hello(session: try session(fields), name: try words(fields, "name"))
    case "welcome":
      try requireSchema(fields)
      return .welcome(
        session: try session(fields), next: try count(fields, "next"),
        stored: try optionalCount(fields, "stored"))
    case "received":
      return .received(
        sequence: try count(fields, "sequence"), stored: try optionalCount(fields, "stored"))
    case "clock":
      return .clock(
        id: try fields.required("id", fields.integer), seconds: try fields.number("seconds"))
    case "thermal":
      return ThermalState(rawValue: try fields.required("state", fields.text)).map { .thermal($0) }
    case "dropped":
      return .dropped(
        reason: try requiredWords(fields, "reason"), count: try count(fields, "count"))
    case "bye": return .bye
    case "error":
      return .error(
        code: try requiredWords(fields, "code"), message: try requiredWords(fields, "message"))
    case "live":
      try requireSchema(fields)
      return .live(source: try requiredWords(fields, "source"))
    case "shown": return .shown(sequence: try count(fields, "sequence"))
    case "status": return .status(try status(fields, json))
    case "scene": return .scene(.object(json.members.filter { $0.key != "type" }))
    case "ended": return .ended(reason: try requiredWords(fields, "reason"))
    default: return nil
    }
  }

  private static func status(
    _ fields: JSONFields, _ json: JSONValue
  ) throws(JSONReadingError) -> StreamStatus {
    var status = StreamStatus()
    status.framesPerSecond = try fields.number("framesPerSecond")
    status.received = try optionalCount(fields, "received") ?? 0
    status.skipped = try optionalCount(fields, "skipped") ?? 0
    if let losses = try fields.fields("dropped") {
      for (reason, _) in json["dropped"]?.members ?? [] {
        status.dropped[printable(text: reason)] = try count(losses, reason)
      }
    }
    status.thermal = try fields.text("thermal").flatMap { ThermalState(rawValue: $0) }
    status.latencyMilliseconds = try fields.number("latencyMilliseconds")
    status.latencyPlusMinusMilliseconds = try fields.number("latencyPlusMinusMilliseconds")
    status.viewers = try optionalCount(fields, "viewers") ?? 0
    if let recording = try fields.fields("recording") {
      status.recording = StreamStatus.Recording(
        path: try requiredWords(recording, "path"), frames: try count(recording, "frames"),
        stored: try count(recording, "stored"), bytes: try count(recording, "bytes"))
    }
    return status
  }

  private static func requireSchema(_ fields: JSONFields) throws(JSONReadingError) {
    let schema = try fields.required("schema", fields.text)
    guard schema == StreamFrame.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: StreamFrame.schema,
        found: printable(text: schema.prefix(40)))
    }
  }

  private static func session(_ fields: JSONFields) throws(JSONReadingError) -> String {
    let session = try fields.required("session", fields.text)
    let isLegal = session.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == 0x2D
    }
    guard isLegal, (1...64).contains(session.utf8.count) else {
      throw fields.failure(
        at: "session", expected: "1 to 64 of A-Z a-z 0-9 -",
        found: "“\(printable(text: session.prefix(70)))”")
    }
    return session
  }

  /// A string for people or logs; control characters are escaped.
  private static func words(_ fields: JSONFields, _ key: String) throws(JSONReadingError) -> String?
  {
    guard let text = try fields.text(key) else { return nil }
    guard text.utf8.count <= 1000 else {
      throw JSONReadingError(
        .limitExceeded, path: [key], expected: "at most 1000 bytes", found: "\(text.utf8.count)")
    }
    return printable(text: text)
  }

  private static func requiredWords(
    _ fields: JSONFields, _ key: String
  ) throws(JSONReadingError) -> String {
    try fields.required(key) { key throws(JSONReadingError) in try words(fields, key) }
  }

  private static func optionalCount(
    _ fields: JSONFields, _ key: String
  ) throws(JSONReadingError) -> Int? {
    guard let count = try fields.integer(key) else { return nil }
    guard count >= 0 else {
      throw fields.failure(at: key, expected: "0 or more", found: "\(count)")
    }
    return count
  }

  private static func count(_ fields: JSONFields, _ key: String) throws(JSONReadingError) -> Int {
    try fields.required(key) { key throws(JSONReadingError) in try optionalCount(fields, key) }
  }
}
