/// Sends the events of a camera to `plumbline serve`, across network interruptions.
///
/// ```swift
/// let publisher = StreamPublisher(to: link, through: connector, name: "Desk phone")
/// let outcome = await publisher.run(relay, stop: stop) { print($0.countText) }
/// ```
///
/// It is an additional consumer of the camera. If the network is slow, the stream loses frames,
/// which are counted and reported to the server; a recording of the same `DepthCameraRelay` loses
/// none. Depth is sent without loss of a bit, color as encoded, and motion is not sent. Frames are
/// numbered and kept until the server has acknowledged them; after a disconnection they are sent
/// again from the first one that the server lacks. For limits and waiting times see
/// ``PublishingSettings`` and `Documentation/capture.md`.
public final class StreamPublisher: Sendable {
  private let link: StreamLink
  private let connector: any StreamConnector
  private let session: String
  private let name: String
  private let settings: PublishingSettings
  private let color: any StreamColorEncoder
  private let clock: SenderClock

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - link: The server.
  ///   - connector: The platform's connections.
  ///   - name: The display name of the camera.
  ///   - session: The server's name for the stream, 1 to 64 of `A-Z a-z 0-9 -`; random by default.
  ///   - settings: The limits and waiting times.
  ///   - color: The encoder for color that is not already a file.
  ///   - clock: The clock of the camera's times.
  /// - Precondition: `session` contains only these characters.
  public init(
    to link: StreamLink, through connector: any StreamConnector, name: String,
    session: String? = nil, settings: PublishingSettings = PublishingSettings(),
    color: any StreamColorEncoder = JPEGStreamColor(), clock: SenderClock = .uptime
  ) {
    let session = session ?? Self.randomSession()
    precondition(
      (1...64).contains(session.utf8.count)
        && session.utf8.allSatisfy { $0 == 0x2D || UInt8.isLetterOrDigit($0) },
      "a session called \(session)")
    self.link = link
    self.connector = connector
    self.name = name
    self.session = session
    self.settings = settings
    self.color = color
    self.clock = clock
  }

  /// Streams until the camera ends, the stream is stopped, or it cannot continue.
  ///
  /// Then the remaining frames are sent, until ``PublishingSettings/farewellSeconds`` pass without
  /// progress.
  ///
  /// The camera starts when the server first accepts the session. A canceled task ends at once, and
  /// frames that were not acknowledged are lost.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - stop: Requests the end of the stream.
  ///   - generator: The source of the random part of the waits between attempts to connect.
  ///   - progress: Called after each frame and each change; it must return quickly, since the
  ///     stream waits for it.
  /// - Returns: Why the stream ended, and what was sent.
  public func run(
    _ source: any DepthCameraSource, stop: RecordingStop = RecordingStop(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    progress: @escaping @Sendable (PublishingStatus) -> Void = { _ in }
  ) async -> PublishingOutcome {
    let state = SharedPublishingState(
      PublishingStateMachine(settings), clock: SenderClockReading(clock), progress: progress)
    stop.onRequest { state.change { $0.endSource() } }
    let encoder = StreamEncoderTask(state: state, color: color)
    let sender = ReconnectingSender(
      state: state, link: link, connector: connector, session: session, name: name,
      settings: settings)
    async let cameraEnd = encoder.run(source)
    let failure = await sender.run(generator)
    // A task that still waits for the camera has no server to send to.
    state.change { $0.endSource() }
    state.finish()
    let cameraFailure = await cameraEnd
    let status = state.change { machine in
      machine.end()
      return machine.status(at: state.now)
    }
    let ending: PublishingOutcome.Ending =
      if let failure { .failed(failure) } else if let cameraFailure {
        .cameraFailed(cameraFailure)
      } else if stop.isRequested { .stopped } else { .sourceEnded }
    return PublishingOutcome(ending: ending, status: status)
  }

  /// 128 random bits, since a client that knows a session's name could take the session over.
  private static func randomSession() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    return words.map { String($0, radix: 36) }.joined(separator: "-")
  }
}

extension UInt8 {
  /// Whether a byte is one of `A-Z a-z 0-9`.
  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// The limits and waiting times of a stream.
public struct PublishingSettings: Hashable, Sendable {
  /// The maximum number of frames that are kept until the server has acknowledged them.
  public var keptFrames = 300
  /// The number of kept bytes from which on no further frame is taken.
  public var keptBytes = 64 << 20
  /// The maximum number of frames that wait for the network while connected.
  ///
  /// Further frames are lost by the stream, so that frames arrive with little delay. The limit is
  /// not applied while frames are sent again.
  public var waitingFrames = 2
  /// The maximum silence of a server in seconds; a server requests the clock each second.
  public var silenceSeconds = 10.0
  /// The maximum time without progress, after the source has ended, for sending the rest and
  /// receiving acknowledgments, in seconds.
  public var farewellSeconds = 15.0
  /// The waiting times between attempts to connect.
  package var backoff = ReconnectBackoff()

  /// Creates settings.
  public init() {}
}

/// The wait before the next attempt to connect.
///
/// It doubles each time up to a maximum and is reduced by a random part, so that many cameras do
/// not reconnect at the same time.
///
/// - Source: exponential backoff with "equal jitter", AWS Architecture Blog, *Exponential Backoff
///   And Jitter* (2015).
package struct ReconnectBackoff: Hashable, Sendable {
  /// The wait after the first failure in seconds, before it is reduced by a random part.
  package var firstSeconds = 0.5
  /// The maximum wait in seconds; a server keeps a session for 30 s, which allows several attempts.
  package var longestSeconds = 8.0
  private var failures = 0

  /// Creates a backoff without failures.
  package init() {}

  /// The wait after one more failure in seconds: between half and all of the maximum for this
  /// attempt.
  package mutating func nextSeconds(using generator: inout some RandomNumberGenerator) -> Double {
    // At 2³⁰ every maximum is reached.
    let doubled = firstSeconds * Double(1 << min(failures, 30))
    failures += 1
    let bound = max(min(doubled, longestSeconds), 0)
    return bound * Double.random(in: 0.5...1, using: &generator)
  }

  /// Resets the wait after a success.
  package mutating func reset() { failures = 0 }
}
