internal import NIOCore
internal import PlumblineCapture
internal import PlumblineFormats
internal import PlumblineJSON
internal import Synchronization

/// One connection of a camera elsewhere.
final class Publisher: WebSocketReceiver {
  private struct State {
    var camera: PublishedCamera?
    var frames: RateLimit
    var clocks: [(id: Int, sentAt: Double)] = []
    var lastClock = 0
    var lastReceipt: (sequence: Int, stored: Int?) = (-1, nil)
    var timer: RepeatedTask?
  }

  /// Clock questions that may be open at a time; older ones are forgotten.
  private static let clockLimit = 16
  private static let helloSeconds = 5.0

  private let endpoint: PublishEndpoint
  private let connection: WebSocketConnection
  private let state: Mutex<State>

  init(endpoint: PublishEndpoint, connection: WebSocketConnection) {
    self.endpoint = endpoint
    self.connection = connection
    state = Mutex(State(frames: RateLimit(perSecond: endpoint.settings.framesPerSecondLimit)))
  }

  func start() {
    let loop = connection.channel.eventLoop
    loop.scheduleTask(in: .of(seconds: Self.helloSeconds)) { [weak self] in
      guard let self, state.withLock({ $0.camera }) == nil else { return }
      fail("hello", "no hello came")
    }
    let timer = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
      [weak self] _ in self?.tick()
    }
    state.withLock { $0.timer = timer }
  }

  func received(binary: [UInt8]) {
    guard let camera = state.withLock({ $0.camera }) else {
      return fail("hello", "frames before hello")
    }
    let pause = state.withLock { state in
      state.frames.take(atSeconds: camera.seconds) ? 0 : state.frames.waitSeconds
    }
    if pause > 0 { rest(seconds: pause) }
    do throws(CaptureReadingError) {
      let frame = try PublishedFrame(binary)
      if !camera.take(frame) { connection.setReading(false, .room) }
    } catch {
      fail("frame", "\(error)")
    }
  }

  /// Too many frames a second are not refused: the sender has to wait, as when it comes back and sends
  /// all that was lacking at once.
  private func rest(seconds: Double) {
    connection.setReading(false, .rate)
    connection.channel.eventLoop.scheduleTask(in: .of(seconds: seconds)) { [connection] in
      connection.setReading(true, .rate)
    }
  }

  func received(text: String) {
    guard let value = try? JSONValue(parsing: Array(text.utf8)), let type = value["type"]?.string
    else { return fail("text", "a text message that is no JSON object with a type") }
    guard let camera = state.withLock({ $0.camera }) else {
      return type == "hello" ? greet(value) : fail("hello", "\(type.prefix(20)) before hello")
    }
    switch type {
    case "clock": compareClocks(value, camera)
    case "thermal":
      if let thermal = value["state"]?.string.flatMap({ ThermalState(rawValue: $0) }) {
        camera.report(thermal)
      }
    case "dropped":
      // A reason of a newer client is a loss all the same.
      let reason = value["reason"]?.string.flatMap { DroppedFrame.Reason(rawValue: $0) }
      let count = min(max(value["count"]?.integer ?? 1, 1), 1_000_000)
      camera.report(
        DroppedFrame(timestampSeconds: nil, reason: reason ?? .discontinuity, count: count))
    case "bye":
      acknowledge(camera)
      endpoint.end(camera, reason: "the camera ended")
    default: break
    }
  }

  func closed() {
    let (camera, timer) = state.withLock { ($0.camera, $0.timer) }
    timer?.cancel()
    endpoint.leave()
    guard let camera, let count = camera.detach(connection), !camera.isOver else { return }
    endpoint.wait(for: camera, connectionCount: count)
  }

  private func greet(_ value: JSONValue) {
    guard value["schema"]?.string == "plumbline.stream/1" else {
      return fail("schema", "this server speaks plumbline.stream/1")
    }
    guard let session = value["session"]?.string, (1...64).contains(session.utf8.count),
      session.utf8.allSatisfy(Self.isSessionByte)
    else { return fail("session", "a session is 1 to 64 of A-Z a-z 0-9 -") }
    let given = printable(text: String((value["name"]?.string ?? "").prefix(100)))
    guard
      let camera = endpoint.camera(session: session, name: given.isEmpty ? session : given),
      let (next, stored) = camera.attach(connection)
    else { return fail("busy", "there are too many cameras already") }
    state.withLock { $0.camera = camera }
    tell([
      ("type", "welcome"), ("schema", "plumbline.stream/1"), ("session", .string(session)),
      ("next", .integer(next)), ("stored", .integer(stored)),
    ])
    askClock(camera)
  }

  private static func isSessionByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }

  private func tick() {
    guard let camera = state.withLock({ $0.camera }), !camera.isOver else { return }
    acknowledge(camera)
    askClock(camera)
  }

  private func acknowledge(_ camera: PublishedCamera) {
    let receipt = camera.receipt
    let isNews = state.withLock { state in
      defer { state.lastReceipt = receipt }
      return receipt != state.lastReceipt
    }
    // A number that is none yet is nothing to acknowledge.
    guard isNews, receipt.sequence >= 0 else { return }
    tell([
      ("type", "received"), ("sequence", .integer(receipt.sequence)),
      ("stored", .integer(receipt.stored)),
    ])
  }

  private func askClock(_ camera: PublishedCamera) {
    let id = state.withLock { state in
      state.lastClock += 1
      state.clocks.append((state.lastClock, camera.seconds))
      state.clocks = state.clocks.suffix(Self.clockLimit)
      return state.lastClock
    }
    tell([("type", "clock"), ("id", .integer(id))])
  }

  private func compareClocks(_ value: JSONValue, _ camera: PublishedCamera) {
    guard let id = value["id"]?.integer, let seconds = value["seconds"]?.number else { return }
    let sentAt = state.withLock { state -> Double? in
      guard let index = state.clocks.firstIndex(where: { $0.id == id }) else { return nil }
      return state.clocks.remove(at: index).sentAt
    }
    if let sentAt { camera.compareClocks(sentAt: sentAt, clientSeconds: seconds) }
  }

  private func fail(_ code: String, _ message: String) {
    guard !connection.isClosed else { return }
    tell([
      ("type", "error"), ("code", .string(code)),
      ("message", .string(printable(text: String(message.prefix(300))))),
    ])
    connection.close(code: 1008, reason: code)
  }

  private func tell(_ members: [(key: String, value: JSONValue)]) {
    connection.send(WebSocketMessage(text: JSONWriter(layout: .compact).bytes(.object(members))))
  }
}
