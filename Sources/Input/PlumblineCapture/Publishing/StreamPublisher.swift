/// Sends what a camera delivers to `plumbline serve`, over breaks of the network.
///
/// ```swift
/// let publisher = StreamPublisher(to: link, through: connector, name: "Desk phone")
/// let outcome = await publisher.run(relay, stop: stop) { print($0.countText) }
/// ```
///
/// It is one more consumer of the camera: where the network is slow, the stream loses frames, which are
/// counted and sent to the server, and a recording of the same `DepthCameraRelay` loses none. Depth
/// travels without loss of a bit, color as the encoder gives it, motion not at all. Frames have numbers
/// and are kept until the server has them; after a break they are sent again from the first one that it
/// lacks. What is kept, the waits and the order: ``PublishingSettings``, `Documentation/capture.md`.
public final class StreamPublisher: Sendable {
  private let link: StreamLink
  private let connector: any StreamConnector
  private let session: String
  private let name: String
  private let settings: PublishingSettings
  private let color: any StreamColorEncoder
  private let clock: SenderClock

  /// Prepares a stream.
  ///
  /// - Parameters:
  ///   - link: Where to.
  ///   - connector: The platform's connections.
  ///   - name: What people call the camera.
  ///   - session: 1 to 64 of `A-Z a-z 0-9 -`, the server's name for the stream; a random one without.
  ///   - settings: What is kept, and how long it waits.
  ///   - color: How color is encoded that is not a file already.
  ///   - clock: What the camera's times count.
  /// - Precondition: `session` has such characters only.
  package init(
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

  /// Streams until the camera ends, the stream is stopped, or it cannot go on; then what is left is sent, as long
  /// as ``PublishingSettings/farewellSeconds`` do not pass without progress.
  ///
  /// The camera starts with the first welcome of the server. A canceled task ends at once, and what was
  /// not acknowledged is lost.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - stop: Ends the stream well from elsewhere.
  ///   - generator: Decides how attempts to connect are spread.
  ///   - progress: Called after each frame and each change; quickly, since the stream waits for it.
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

  /// 128 random bits, since a client that knows a session could take it over.
  private static func randomSession() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    return words.map { String($0, radix: 36) }.joined(separator: "-")
  }
}

extension UInt8 {
  /// Of `A-Z a-z 0-9`.
  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// The limits and waiting times of a stream.
public struct PublishingSettings: Hashable, Sendable {
  /// The most frames that are kept until the server has acknowledged them.
  public var keptFrames = 300
  /// No frame is taken while so many bytes are kept.
  public var keptBytes = 64 << 20
  /// The most frames that wait for the network while it is there.
  ///
  /// What comes meanwhile is lost by the stream, and what arrives is recent. Not applied while frames are
  /// sent again.
  public var waitingFrames = 2
  /// The longest silence of a server, which requests the clock each second, in seconds.
  public var silenceSeconds = 10.0
  /// The longest time without progress after the source's end, while all is sent and acknowledged, in
  /// seconds.
  public var farewellSeconds = 15.0
  /// The waiting time between attempts to connect.
  package var backoff = ReconnectBackoff()

  /// Creates settings.
  package init() {}
}

/// How long to wait before the next attempt to connect: twice as long each time up to a bound, a random
/// part of it taken off, so that many cameras do not come back at once.
///
/// - Source: exponential backoff with "equal jitter", AWS Architecture Blog, *Exponential Backoff And
///   Jitter* (2015).
package struct ReconnectBackoff: Hashable, Sendable {
  /// The wait after the first failure, before the random part is taken off, in seconds.
  package var firstSeconds = 0.5
  /// The longest wait in seconds; a server keeps a session for 30 s, so that several attempts lie within.
  package var longestSeconds = 8.0
  private var failures = 0

  /// Creates one that has not failed yet.
  package init() {}

  /// The wait after one more failure, in seconds: between half of the bound of this attempt and all of
  /// it.
  package mutating func nextSeconds(using generator: inout some RandomNumberGenerator) -> Double {
    // Beyond 2³⁰ every bound is reached.
    let doubled = firstSeconds * Double(1 << min(failures, 30))
    failures += 1
    let bound = max(min(doubled, longestSeconds), 0)
    return bound * Double.random(in: 0.5...1, using: &generator)
  }

  /// Starts again after a success.
  package mutating func reset() { failures = 0 }
}
