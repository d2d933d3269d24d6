import PlumblineIO
public import PlumblineImages
import PlumblineRecordings
import Synchronization

/// The endpoint for Foxglove and other clients of its protocol: `/foxglove`.
///
/// They get what recordings in MCAP hold, as it comes; `Documentation/formats/foxglove.md`. A frame is
/// decoded only while a client subscribes to something, and becomes messages of those topics alone. A
/// client that is slow misses frames; the source never waits.
public struct FoxgloveEndpoint: WebSocketEndpoint {
  /// `/foxglove`.
  public let path = "/foxglove"
  /// The protocol's own name, and the one that Foxglove's SDK uses for the same messages.
  ///
  /// - Source: `docs/spec.md` of github.com/foxglove/ws-protocol; `handshake.rs` of
  ///   github.com/foxglove/foxglove-sdk.
  public let subprotocols = ["foxglove.websocket.v1", "foxglove.sdk.v1"]
  /// A client subscribes some times when its panels change.
  public let messagesPerSecondLimit = 100.0
  /// ``ServerSettings/allowedOrigins``: Foxglove in a browser is a page of another site.
  public let allowedOrigins: Set<String>
  /// Foxglove has a field for an address, none for a header.
  public let takesTokenInQuery = true
  private let relay: FoxgloveRelay

  /// Shows what a hub shows.
  ///
  /// - Parameters:
  ///   - hub: Where frames come from.
  ///   - settings: Which origins may watch; those that are none are left out.
  ///   - limits: What may be spent on color that has to be decoded, and where that happens.
  public init(
    _ hub: LiveHub, settings: ServerSettings, limits: ReadingLimits = ReadingLimits()
  ) {
    relay = FoxgloveRelay(limits: limits)
    allowedOrigins = settings.allowedOrigins.filter { ServerSettings.isOrigin($0) }
    _ = hub.join(relay)
  }

  /// A client connects.
  public func open(_ connection: WebSocketConnection) -> any WebSocketReceiver {
    let client = FoxgloveClient(relay: relay, connection: connection)
    client.enter()
    return client
  }
}

/// One client of Foxglove's protocol.
///
/// It is ready for a next frame when the system has taken everything before; so what waits for it is
/// one frame at most.
final class FoxgloveClient: WebSocketReceiver {
  private struct Subscription {
    let id: UInt32
    /// The last frame that was considered for it.
    var frame = 0
    /// The source whose lasting message it has.
    var source = 0
  }

  private struct State {
    /// By channel.
    var subscriptions: [Int: Subscription] = [:]
    var faults = RateLimit(perSecond: FoxgloveClient.faultsPerSecondLimit)
    var problems = RateLimit(perSecond: 1)
    var number: Int?
  }

  /// Requests that make no sense each second; more end the connection.
  private static let faultsPerSecondLimit = 20.0

  private let relay: FoxgloveRelay
  private let connection: WebSocketConnection
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(relay: FoxgloveRelay, connection: WebSocketConnection) {
    self.relay = relay
    self.connection = connection
  }

  /// Says what there is, and enters the relay.
  func enter() {
    connection.send(FoxgloveMessage.json(FoxgloveChannels.serverInfo(session: relay.session)))
    connection.send(FoxgloveMessage.json(FoxgloveChannels.advertisement))
    let number = relay.join(self)
    state.withLock { $0.number = number }
  }

  func tell(_ level: FoxgloveMessage.Level, _ message: String) {
    connection.send(FoxgloveMessage.status(level, message))
  }

  // MARK: - From the relay, on any thread

  /// The channels that it wants of a frame now; none while something waits for it.
  func wanted(of frame: FoxgloveSourceFrame) -> Set<Int> {
    guard connection.pendingByteCount == 0, !connection.isClosed else { return [] }
    return state.withLock { state in
      Set(state.subscriptions.filter { Self.lacks($1, $0, frame.number, frame.source) }.keys)
    }
  }

  private static func lacks(
    _ subscription: Subscription, _ channel: Int, _ frame: Int, _ source: Int
  ) -> Bool {
    subscription.frame < frame
      && !(FoxgloveChannels.topic(channel).isStatic && subscription.source == source)
  }

  /// Sends what it wants of a frame.
  func take(_ frame: FoxgloveFrame) {
    let seconds = seconds
    let (messages, isProblemNew) = state.withLock { state in
      var messages: [(id: UInt32, payload: [UInt8])] = []
      for channel in frame.channels.sorted() {
        guard var subscription = state.subscriptions[channel],
          Self.lacks(subscription, channel, frame.number, frame.source)
        else { continue }
        subscription.frame = frame.number
        if let payload = frame.payloads[channel] {
          subscription.source = frame.source
          messages.append((subscription.id, payload))
        }
        state.subscriptions[channel] = subscription
      }
      return (messages, frame.problem != nil && state.problems.take(atSeconds: seconds))
    }
    if !messages.isEmpty { connection.send(FoxgloveMessage.time(nanoseconds: frame.nanoseconds)) }
    for message in messages {
      connection.send(
        FoxgloveMessage.data(
          subscription: message.id, nanoseconds: frame.nanoseconds, message.payload))
    }
    if let problem = frame.problem, isProblemNew { tell(.warning, problem) }
  }

  // MARK: - From the connection, on its own thread

  func received(text: String) {
    do throws(FoxgloveRequest.Refusal) {
      switch try FoxgloveRequest(text) {
      case .subscribe(let entries): try subscribe(entries)
      case .unsubscribe(let ids): try unsubscribe(ids)
      }
    } catch {
      fault(error.message)
    }
    relay.wake()
  }

  func received(binary: [UInt8]) { fault("this server takes no messages") }

  func drained() { relay.wake() }

  func closed() {
    let number = state.withLock { state in
      state.subscriptions = [:]
      return state.number
    }
    if let number { relay.leave(number) }
  }

  private func subscribe(
    _ entries: [(id: UInt32, channel: Int)?]
  ) throws(FoxgloveRequest.Refusal) {
    let leftAside = state.withLock { state in
      entries.count { entry in
        guard let entry, FoxgloveChannels.numbers.contains(entry.channel),
          state.subscriptions[entry.channel] == nil,
          !state.subscriptions.values.contains(where: { $0.id == entry.id })
        else { return true }
        state.subscriptions[entry.channel] = Subscription(id: entry.id)
        return false
      }
    }
    if leftAside > 0 {
      throw FoxgloveRequest.Refusal(
        message:
          "\(leftAside) subscriptions were left aside: their channel is none, or is subscribed"
          + " to already, or their id is in use")
    }
  }

  private func unsubscribe(_ ids: [UInt32?]) throws(FoxgloveRequest.Refusal) {
    let unknown = state.withLock { state in
      ids.count { id in
        guard let place = state.subscriptions.firstIndex(where: { $1.id == id }) else {
          return true
        }
        state.subscriptions.remove(at: place)
        return false
      }
    }
    if unknown > 0 {
      throw FoxgloveRequest.Refusal(message: "\(unknown) ids are of no subscription")
    }
  }

  private func fault(_ message: String) {
    let seconds = seconds
    if state.withLock({ $0.faults.take(atSeconds: seconds) }) {
      tell(.error, message)
    } else {
      connection.close(code: 1008, reason: "too many faults")
    }
  }

  private var seconds: Double { (ContinuousClock.now - start).seconds }
}
