internal import NIOCore
internal import PlumblineCapture
import PlumblineIO
internal import PlumblineModel
import PlumblineStreams
internal import Synchronization

/// One connection over which a remote camera sends its captures.
final class IngestConnection: WebSocketReceiver {
  private struct State {
    var camera: RemoteCamera?
    var frames: RateLimit
    var clocks: [(id: Int, sentAt: Double)] = []
    var lastClock = 0
    var lastReceipt: (sequence: Int, stored: Int?) = (-1, nil)
    var timer: RepeatedTask?
  }

  /// Clock questions that may be open at a time; older ones are forgotten.
  private static let clockLimit = 16
  private static let helloSeconds = 5.0

  private let endpoint: IngestEndpoint
  private let connection: WebSocketConnection
  private let state: Mutex<State>

  init(endpoint: IngestEndpoint, connection: WebSocketConnection) {
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

  func binaryBegins() -> Bool {
    guard state.withLock({ $0.camera }) == nil else { return true }
    fail("hello", "frames before hello")
    return false
  }

  func received(binary: [UInt8]) {
    guard let camera = state.withLock({ $0.camera }) else { return }
    let pause = state.withLock { state in
      state.frames.take(atSeconds: camera.seconds) ? 0 : state.frames.waitSeconds
    }
    if pause > 0 { rest(seconds: pause) }
    do throws(CaptureReadingError) {
      let frame = try ReceivedFrame(binary)
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
    let message: StreamMessage?
    do throws(CaptureReadingError) { message = try StreamMessage(Array(text.utf8)) } catch {
      return fail(Self.code(of: error), "\(error)")
    }
    guard let camera = state.withLock({ $0.camera }) else {
      guard case .hello(let session, let name) = message else {
        return fail("hello", "another message before hello")
      }
      return greet(session, name ?? "")
    }
    var mayMoreCome = true
    switch message {
    case .clock(let id, let seconds?): compareClocks(id, seconds, camera)
    case .thermal(let thermal): mayMoreCome = camera.report(thermal)
    case .dropped(let reason, let count) where count > 0:
      // A reason of a newer client is a loss all the same.
      mayMoreCome = camera.report(
        DroppedFrame(
          timestampSeconds: nil, reason: DroppedFrame.Reason(rawValue: reason) ?? .discontinuity,
          count: min(count, 1_000_000)))
    case .bye:
      acknowledge(camera)
      endpoint.end(camera, reason: "the camera ended")
    default: break
    }
    if !mayMoreCome { connection.setReading(false, .room) }
  }

  /// The code of a message that cannot be read, `Documentation/formats/stream.md`.
  private static func code(of error: CaptureReadingError) -> String {
    switch error.path.last {
    case "schema": "schema"
    case "session": "session"
    default: "text"
    }
  }

  func closed() {
    let (camera, timer) = state.withLock { ($0.camera, $0.timer) }
    timer?.cancel()
    endpoint.leave()
    guard let camera, let count = camera.detach(connection), !camera.isOver else { return }
    endpoint.wait(for: camera, connectionCount: count)
  }

  private func greet(_ session: String, _ name: String) {
    let given = String(name.prefix(100))
    guard
      let camera = endpoint.camera(session: session, name: given.isEmpty ? session : given),
      let (next, stored) = camera.attach(connection)
    else { return fail("busy", "there are too many cameras already") }
    state.withLock { $0.camera = camera }
    connection.send(.welcome(session: session, next: next, stored: stored))
    askClock(camera)
  }

  private func tick() {
    guard let camera = state.withLock({ $0.camera }), !camera.isOver else { return }
    acknowledge(camera)
    askClock(camera)
  }

  private func acknowledge(_ camera: RemoteCamera) {
    let receipt = camera.receipt
    let isNews = state.withLock { state in
      defer { state.lastReceipt = receipt }
      return receipt != state.lastReceipt
    }
    // Before the first frame there is nothing to acknowledge.
    guard isNews, receipt.sequence >= 0 else { return }
    connection.send(.received(sequence: receipt.sequence, stored: receipt.stored))
  }

  private func askClock(_ camera: RemoteCamera) {
    let id = state.withLock { state in
      state.lastClock += 1
      state.clocks.append((state.lastClock, camera.seconds))
      state.clocks = state.clocks.suffix(Self.clockLimit)
      return state.lastClock
    }
    connection.send(.clock(id: id, seconds: nil))
  }

  private func compareClocks(_ id: Int, _ seconds: Double, _ camera: RemoteCamera) {
    let sentAt = state.withLock { state -> Double? in
      guard let index = state.clocks.firstIndex(where: { $0.id == id }) else { return nil }
      return state.clocks.remove(at: index).sentAt
    }
    if let sentAt { camera.compareClocks(sentAt: sentAt, clientSeconds: seconds) }
  }

  private func fail(_ code: String, _ message: String) {
    guard !connection.isClosed else { return }
    let words = printable(text: String(message.prefix(300)))
    connection.send(.error(code: code, message: words))
    connection.close(code: 1008, reason: code)
  }
}
