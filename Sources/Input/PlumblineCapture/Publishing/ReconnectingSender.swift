/// Sends a stream to its server; after a disconnection it waits and connects again.
struct ReconnectingSender: Sendable {
  /// Why a connection ended.
  private enum End: Sendable {
    case over
    case broken(String)
    case final(PublishingFailure)
  }

  let state: SharedPublishingState
  let link: StreamLink
  let connector: any StreamConnector
  let session: String
  let name: String
  let settings: PublishingSettings

  /// Runs until everything is sent and acknowledged, the stream cannot continue, or the task is
  /// canceled.
  ///
  /// - Returns: Why the stream cannot continue; `nil` for a regular end.
  func run(_ generator: any RandomNumberGenerator & Sendable) async -> PublishingFailure? {
    await withTaskGroup(of: PublishingFailure??.self) { group in
      group.addTask { .some(await connectRepeatedly(generator)) }
      group.addTask {
        guard await state.wait(until: { $0.isSourceOver }) else { return nil }
        var last = -1
        while case let count = state.read({ $0.progressCount }), count != last {
          last = count
          do { try await Task.sleep(for: .seconds(settings.farewellSeconds)) } catch { return nil }
        }
        return .some(nil)
      }
      defer { group.cancelAll() }
      while let outcome = await group.next() {
        if let outcome { return outcome }
      }
      return nil
    }
  }

  private func connectRepeatedly(
    _ generator: any RandomNumberGenerator & Sendable
  ) async -> PublishingFailure? {
    var generator = generator
    var backoff = settings.backoff
    while !Task.isCancelled {
      // A session that never started has nothing to send.
      if state.read({ $0.isSourceOver && !$0.hasBegun }) { return nil }
      let begun = state.read { $0.status.reconnects + ($0.hasBegun ? 1 : 0) }
      let reason: String
      switch await connect() {
      case .over: return nil
      case .final(let failure): return failure
      case .broken(let words): reason = words
      }
      if state.read({ $0.status.reconnects + ($0.hasBegun ? 1 : 0) }) > begun { backoff.reset() }
      let seconds = backoff.nextSeconds(using: &generator)
      state.change { $0.disconnect(waitingSeconds: seconds, reason: reason) }
      try? await Task.sleep(for: .seconds(seconds))
    }
    return nil
  }

  private func connect() async -> End {
    state.change { $0.begin() }
    let transport: any StreamTransport
    do throws(StreamTransportError) {
      transport = try await connector.connect(to: link)
    } catch {
      return error.isPassing ? .broken(error.description) : .final(.connection(error))
    }
    return await withTaskCancellationHandler {
      await run(StreamConnection(state: state, transport: transport, session: session))
    } onCancel: {
      transport.close()
    }
  }

  /// The first loop that ends closes the connection, which ends the other loops.
  private func run(_ connection: StreamConnection) async -> End {
    await withTaskGroup(of: StreamConnection.End.self) { group in
      group.addTask { await connection.receiveLoop() }
      group.addTask { await connection.sendLoop(as: name) }
      group.addTask { await connection.watchSilence(limitSeconds: settings.silenceSeconds) }
      var first: StreamConnection.End?
      while let end = await group.next() {
        // When there is nothing more to send, this waits for the server's last message.
        if case .allSent = end { continue }
        first = first ?? end
        connection.transport.close()
        group.cancelAll()
      }
      // All frames are then acknowledged, and the server would treat another connection as a new
      // session.
      if state.read({ $0.isFarewellSent }) { return .over }
      switch first {
      case .broken(let words): return .broken(words)
      case .final(let failure): return .final(failure)
      case .allSent, nil: return .broken("the connection ended")
      }
    }
  }
}
