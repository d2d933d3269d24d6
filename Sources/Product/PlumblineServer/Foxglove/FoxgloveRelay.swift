import PlumblineImages
internal import Synchronization

/// Brings a hub's latest frame to the clients that are ready for it.
///
/// One frame at a time becomes messages, on no thread of a source or of a socket.
final class FoxgloveRelay: LiveWatcher {
  private struct State {
    var clients: [Int: FoxgloveClient] = [:]
    var lastClient = 0
    var newest: FoxgloveSourceFrame?
    var lastFrame = 0
    var source = 0
    var feed: LiveFeed?
    var isWorking = false
  }

  /// Changes with each run of the server.
  let session = String(UInt64.random(in: .min ... .max), radix: 16)
  private let state = Mutex(State())
  private let encoder: FoxgloveEncoder

  init(limits: ReadingLimits) { encoder = FoxgloveEncoder(limits: limits) }

  // MARK: - From the hub

  var viewerCount: Int { state.withLock { $0.clients.count } }

  func beginWithoutSource() {}

  // Clients subscribe to frames that come.
  func begin(after ended: EndedFeed) {}

  func begin(_ feed: LiveFeed) {
    let clients = state.withLock { state in
      state.source += 1
      state.feed = feed
      state.newest = nil
      return Array(state.clients.values)
    }
    for client in clients { client.tell(.info, Self.shows(feed.name)) }
    if let newest = feed.newest { offer(newest, of: feed) }
  }

  func offer(_ frame: LiveFrame, of feed: LiveFeed) {
    state.withLock { state in
      guard state.feed === feed else { return }
      state.lastFrame += 1
      state.newest = FoxgloveSourceFrame(
        frame: frame, number: state.lastFrame, source: state.source)
    }
    wake()
  }

  func end(reason: String) {
    let clients = state.withLock { state in
      state.newest = nil
      state.feed = nil
      return Array(state.clients.values)
    }
    for client in clients { client.tell(.info, "the source is over: \(reason)") }
  }

  // MARK: - From clients

  func join(_ client: FoxgloveClient) -> Int {
    let (number, name) = state.withLock { state in
      state.lastClient += 1
      state.clients[state.lastClient] = client
      return (state.lastClient, state.feed?.name)
    }
    client.tell(.info, name.map { Self.shows($0) } ?? "there is no source yet")
    return number
  }

  func leave(_ number: Int) { state.withLock { $0.clients[number] = nil } }

  /// Starts work if a client is ready for the latest frame.
  func wake() {
    let isNeeded = state.withLock { state in
      guard !state.isWorking, Self.isWanted(state) else { return false }
      state.isWorking = true
      return true
    }
    if isNeeded { Task { await work() } }
  }

  private func work() async {
    while let (frame, clients, channels) = next() {
      let made = await encoder.frame(frame, channels: channels)
      for client in clients { client.take(made) }
    }
  }

  /// The latest frame, the clients that are ready for it, and the channels they want.
  private func next() -> (FoxgloveSourceFrame, [FoxgloveClient], Set<Int>)? {
    state.withLock { state in
      guard let newest = state.newest else {
        state.isWorking = false
        return nil
      }
      var ready: [FoxgloveClient] = []
      var channels: Set<Int> = []
      for client in state.clients.values {
        let wanted = client.wanted(of: newest)
        if !wanted.isEmpty { ready.append(client) }
        channels.formUnion(wanted)
      }
      guard !ready.isEmpty else {
        state.isWorking = false
        return nil
      }
      return (newest, ready, channels)
    }
  }

  private static func isWanted(_ state: State) -> Bool {
    guard let newest = state.newest else { return false }
    return state.clients.values.contains { !$0.wanted(of: newest).isEmpty }
  }

  private static func shows(_ name: String) -> String { "the source is \(name)" }
}
