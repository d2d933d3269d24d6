internal import NIOCore
internal import Synchronization

/// The bytes of messages that have begun and not ended, of all connections of a server together.
///
/// A limit for each message alone allows as much as there are connections; where the sum is too large,
/// the connection that holds most of it is closed, so that no client can keep the others' share.
final class UnfinishedMessages: Sendable {
  /// Informs a connection's handlers that it holds too much.
  struct TooMuch: Sendable {}

  private struct State {
    var sum = 0
    var held: [ObjectIdentifier: (bytes: Int, channel: any Channel)] = [:]
  }

  private let byteLimit: Int
  private let state = Mutex(State())

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Says how many bytes a connection holds now; O(1), O(*n*) where the limit is reached.
  func set(_ bytes: Int, of channel: any Channel) {
    let evicted = state.withLock { state -> [any Channel] in
      let key = ObjectIdentifier(channel)
      state.sum += bytes - (state.held[key]?.bytes ?? 0)
      state.held[key] = bytes > 0 ? (bytes, channel) : nil
      var evicted: [any Channel] = []
      while state.sum > byteLimit,
        let most = state.held.max(by: { $0.value.bytes < $1.value.bytes })
      {
        state.held[most.key] = nil
        state.sum -= most.value.bytes
        evicted.append(most.value.channel)
      }
      return evicted
    }
    for channel in evicted { channel.pipeline.fireUserInboundEventTriggered(TooMuch()) }
  }
}
