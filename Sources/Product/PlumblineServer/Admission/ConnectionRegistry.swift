internal import NIOCore
internal import Synchronization

/// All connections of a server, how many there may be, and what is known of each.
///
/// A small limit would make it easy to keep everybody else out; so where the share of an address is
/// used up, its connection that waits longest for a first or next request makes room.
final class ConnectionRegistry: Sendable {
  /// A connection that has requested something it may have.
  struct Client: Sendable {
    let number: Int
    let address: String
    let since: ContinuousClock.Instant
    let kind: ClientKind
    let isWebSocket: Bool
    /// The number of its login.
    let session: Int?
  }

  private struct Entry {
    let channel: any Channel
    let peer: String
    let since = ContinuousClock.now
    var isIdle = true
    var kind: ClientKind?
    var isWebSocket = false
    var session: Int?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var isStopping = false
  }

  private let settings: ServerSettings
  private let state = Mutex(State())

  init(_ settings: ServerSettings) { self.settings = settings }

  var count: Int { state.withLock { $0.entries.count } }

  /// Those that have requested something they may have, oldest first.
  var clients: [Client] {
    state.withLock { state in
      state.entries.compactMap { number, entry in
        entry.kind.map {
          Client(
            number: number, address: entry.peer, since: entry.since, kind: $0,
            isWebSocket: entry.isWebSocket, session: entry.session)
        }
      }
    }.sorted { $0.number < $1.number }
  }

  /// Takes a connection in; O(*n*).
  ///
  /// - Returns: Its number; `nil` where there is no room for it.
  func admit(_ channel: any Channel) -> Int? {
    let peer = Self.plain(channel.remoteAddress)
    let share =
      Self.isLoopback(peer)
      ? settings.connectionLimitOfLoopback : settings.connectionLimitPerPeer
    let (number, evicted) = state.withLock { state -> (Int?, (any Channel)?) in
      guard !state.isStopping else { return (nil, nil) }
      let ofPeer = state.entries.filter { $0.value.peer == peer }
      var evicted: (any Channel)?
      if state.entries.count >= settings.connectionLimit || ofPeer.count >= share {
        guard let oldest = ofPeer.filter({ $0.value.isIdle }).keys.min() else { return (nil, nil) }
        evicted = state.entries.removeValue(forKey: oldest)?.channel
      }
      state.lastNumber += 1
      state.entries[state.lastNumber] = Entry(channel: channel, peer: peer)
      return (state.lastNumber, evicted)
    }
    evicted?.close(promise: nil)
    if let number { channel.closeFuture.whenComplete { [self] _ in remove(number) } }
    return number
  }

  /// An address as it is written; an IPv4 client of a socket for both comes as an IPv6 address.
  static func plain(_ address: SocketAddress?) -> String {
    let text = address?.ipAddress ?? ""
    let mapped = "::ffff:"
    guard text.hasPrefix(mapped), text.contains(".") else { return text }
    return String(text.dropFirst(mapped.count))
  }

  private static func isLoopback(_ address: String) -> Bool {
    address == "::1" || address.hasPrefix("127.")
  }

  /// Whether the other end of a connection is on this machine: at a loopback address, or at the very
  /// address that it connected to.
  static func isHere(_ channel: any Channel) -> Bool {
    let peer = plain(channel.remoteAddress)
    return isLoopback(peer) || !peer.isEmpty && peer == plain(channel.localAddress)
  }

  /// Says whether a connection waits for a request.
  func set(_ number: Int, isIdle: Bool) {
    state.withLock { $0.entries[number]?.isIdle = isIdle }
  }

  /// Says what a connection has requested.
  func set(_ number: Int, kind: ClientKind, isWebSocket: Bool, session: Int?) {
    state.withLock { state in
      state.entries[number]?.kind = kind
      state.entries[number]?.isWebSocket = isWebSocket
      state.entries[number]?.session = session
    }
  }

  private func remove(_ number: Int) { state.withLock { $0.entries[number] = nil } }

  /// Ends connections: WebSockets with a word, responses under way after their last byte.
  func end(_ numbers: [Int]) {
    let channels = state.withLock { state in numbers.compactMap { state.entries[$0]?.channel } }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ClientEnding()) }
  }

  /// Ends the connections of a login.
  func end(session: Int) { end(clients.filter { $0.session == session }.map(\.number)) }

  /// Ends all connections; others may come.
  func endAll() { end(state.withLock { Array($0.entries.keys) }) }

  /// Takes no more, and hands out those that are.
  func stop() -> [any Channel] {
    state.withLock { state in
      state.isStopping = true
      return state.entries.values.map(\.channel)
    }
  }
}

/// Tells the handlers of a connection that its end was requested.
struct ClientEnding: Sendable {
  /// The code with which a WebSocket ends; one of those for applications (RFC 6455, 7.4.2).
  static let code: UInt16 = 4001
  static let reason = "ended by whoever serves this"
}
