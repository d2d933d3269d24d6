import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineStreams
import PlumblineTestSupport

/// Foxglove's protocol over a client that sends exactly what a test wants.
extension WireClient {
  static let foxgloveHeaders = ["Sec-WebSocket-Protocol: foxglove.websocket.v1"]

  /// A client that has received the advertised channels.
  static func foxglove(_ server: ViewServer) async throws -> WireClient {
    let client = try await webSocket(server, "/foxglove", headers: foxgloveHeaders)
    _ = try await client.nextOperation("advertise")
    _ = try await client.nextOperation("status")
    return client
  }

  /// The next text message of an operation; others are ignored.
  func nextOperation(_ name: String) async throws -> JSONValue {
    while true {
      let frame = try await nextFrame()
      if frame.opcode == 8 { throw Stuck(description: "closed with \(frame.code ?? 0)") }
      if frame.opcode == 1, let json = frame.json, json["op"]?.string == name { return json }
    }
  }

  func subscribe(_ entries: [(id: Int, channel: Int)]) async throws {
    let list = entries.map { #"{"id":\#($0.id),"channelId":\#($0.channel)}"# }
    try await send(
      text: #"{"op":"subscribe","subscriptions":[\#(list.joined(separator: ","))]}"#)
  }

  /// The next data or time.
  func nextFoxglove() async throws -> FoxgloveWire {
    let bytes = try await nextBinary()
    guard let wire = FoxgloveWire(bytes) else { throw Stuck(description: "\(bytes.prefix(20))") }
    return wire
  }
}

/// A binary message of the server, read by the protocol's tables.
enum FoxgloveWire: Equatable {
  case time(UInt64)
  case data(subscription: Int, time: UInt64, payload: [UInt8])

  init?(_ bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt64 {
      range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
    switch bytes.first {
    case 2 where bytes.count == 9: self = .time(number(1..<9))
    case 1 where bytes.count >= 13:
      self = .data(
        subscription: Int(number(1..<5)), time: number(5..<13), payload: Array(bytes[13...]))
    default: return nil
    }
  }

  var subscription: Int? {
    if case .data(let subscription, _, _) = self { subscription } else { nil }
  }
}

/// The channels in the order in which they are advertised, from 1.
enum FoxgloveChannel {
  static let transforms = number("/tf")
  static let staticTransforms = number("/tf_static")
  static let depth = number("/camera/depth/image_raw")
  static let depthInfo = number("/camera/depth/camera_info")
  static let color = number("/camera/color/image_raw/compressed")
  static let frame = number("/plumbline/frame")

  static func number(_ topic: String) -> Int {
    (ROSTopic.ofCaptures.firstIndex { $0.name == topic } ?? -1) + 1
  }
}

extension LiveFeed {
  /// Shows a capture as a camera would send it.
  func show(_ capture: Capture, sequence: Int) {
    show(
      frame: StreamFrame(sequence: sequence, capture: capture).encoded(), sequence: sequence,
      moment: nil)
  }
}
