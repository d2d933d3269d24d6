internal import NIOCore
internal import Synchronization

/// All connections of a server, and how many there may be.
///
/// A small limit would make it easy to keep everybody else out; so where the share of an address is
/// used up, its connection that waits longest for a first or next request makes room.
final class ConnectionRegistry: Sendable {
  private struct Entry {
    let channel: any Channel
    let peer: String
    var isIdle = true
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var isStopping = false
  }

  private let limit: Int
  private let limitPerPeer: Int
  private let state = Mutex(State())

  init(limit: Int, limitPerPeer: Int) {
    self.limit = limit
    self.limitPerPeer = limitPerPeer
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// Takes a connection in; O(*n*).
  ///
  /// - Returns: Its number; `nil` where there is no room for it.
  func admit(_ channel: any Channel) -> Int? {
    let peer = channel.remoteAddress?.ipAddress ?? ""
    let (number, evicted) = state.withLock { state -> (Int?, (any Channel)?) in
      guard !state.isStopping else { return (nil, nil) }
      let ofPeer = state.entries.filter { $0.value.peer == peer }
      var evicted: (any Channel)?
      if state.entries.count >= limit || ofPeer.count >= limitPerPeer {
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

  /// Says whether a connection waits for a request.
  func set(_ number: Int, isIdle: Bool) {
    state.withLock { $0.entries[number]?.isIdle = isIdle }
  }

  private func remove(_ number: Int) { state.withLock { $0.entries[number] = nil } }

  /// Takes no more, and hands out those that are.
  func stop() -> [any Channel] {
    state.withLock { state in
      state.isStopping = true
      return state.entries.values.map(\.channel)
    }
  }
}
