import PlumblineIO
import PlumblineServer

extension WireClient {
  /// A frame as it came from the server.
  struct Frame: Sendable {
    var opcode: UInt8
    var payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: payload) }
    /// The code of a farewell.
    var code: Int? {
      opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
    }
  }

  static let upgradeHeaders = [
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  /// Requests a WebSocket.
  func upgrade(
    _ path: String, host: String? = nil, headers: [String] = []
  ) async throws -> Answer {
    try await request(path, host: host, headers: Self.upgradeHeaders + headers)
  }

  /// A client that has a WebSocket.
  static func webSocket(
    _ server: ViewServer, _ path: String, headers: [String] = []
  ) async throws -> WireClient {
    let client = try await connect(server)
    let answer = try await client.upgrade(path, headers: headers)
    guard answer.status == 101 else { throw Stuck(description: "no WebSocket: \(answer)") }
    return client
  }

  /// A client's frame, sound unless requested otherwise.
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true,
    reserved: UInt8 = 0, statedCount: Int? = nil, mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
  ) -> [UInt8] {
    let count = statedCount ?? payload.count
    var bytes: [UInt8] = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
    let maskBit: UInt8 = isMasked ? 0x80 : 0
    switch count {
    case ..<126: bytes.append(maskBit | UInt8(count))
    case ..<65536: bytes += [maskBit | 126, UInt8(count >> 8), UInt8(count & 255)]
    default: bytes += [maskBit | 127] + (0..<8).map { UInt8(count >> (8 * (7 - $0)) & 255) }
    }
    guard isMasked else { return bytes + payload }
    bytes += mask
    if mask == [0, 0, 0, 0] { return bytes + payload }
    bytes.reserveCapacity(bytes.count + payload.count)
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
    return bytes
  }

  func send(text: String) async throws { try await send(Self.frame(1, Array(text.utf8))) }

  func send(binary: [UInt8]) async throws { try await send(Self.frame(2, binary)) }

  /// The next frame from the server.
  func nextFrame() async throws -> Frame {
    try await wait("frame") { inbox in
      let bytes = inbox.bytes
      guard bytes.count >= 2 else { return nil }
      var (count, start) = (Int(bytes[1] & 127), 2)
      if count >= 126 {
        let width = count == 126 ? 2 : 8
        guard bytes.count >= 2 + width else { return nil }
        count = bytes[2..<(2 + width)].reduce(0) { $0 << 8 | Int($1) }
        start += width
      }
      guard bytes.count >= start + count else { return nil }
      inbox.bytes.removeFirst(start + count)
      return Frame(opcode: bytes[0] & 15, payload: Array(bytes[start..<(start + count)]))
    }
  }

  /// The next text message of a type; others are ignored.
  func next(_ type: String) async throws -> JSONValue {
    while true {
      let frame = try await nextFrame()
      if frame.opcode == 8 {
        throw Stuck(description: "closed with \(frame.code ?? 0) before \(type)")
      }
      if frame.opcode == 1, let json = frame.json, json["type"]?.string == type { return json }
    }
  }

  /// The next message that is neither a status nor a ping.
  func nextContent() async throws -> Frame {
    while true {
      let frame = try await nextFrame()
      if frame.opcode == 2 || frame.opcode == 1 && frame.json?["type"]?.string != "status" {
        return frame
      }
    }
  }

  /// The next binary message; others are ignored.
  func nextBinary() async throws -> [UInt8] {
    while true {
      let frame = try await nextFrame()
      if frame.opcode == 8 { throw Stuck(description: "closed with \(frame.code ?? 0)") }
      if frame.opcode == 2 { return frame.payload }
    }
  }

  /// The code with which the server closes.
  func farewell() async throws -> Int? {
    while true {
      let frame = try await nextFrame()
      if frame.opcode == 8 { return frame.code }
    }
  }
}
