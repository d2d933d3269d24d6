import PlumblineModel
import PlumblineNumerics

/// The status of a stream that is being sent, for a user, in numbers and words.
public struct PublishingStatus: Hashable, Sendable {
  /// The phases of a stream.
  package enum Phase: Hashable, Sendable {
    /// A connection is being established.
    case connecting
    /// Current frames are sent.
    case connected
    /// Frames that the previous connection did not deliver are sent.
    case catchingUp
    /// The stream waits before the next attempt.
    case waiting(seconds: Double, reason: String)
    /// The stream is over.
    case ended
  }

  /// The phase of the stream.
  package var phase = Phase.connecting
  /// The number of frames that the system accepted for sending, each counted once.
  public var sentFrames = 0
  /// The number of frames that were sent again after a disconnection.
  public var resentFrames = 0
  /// The number of frames that the server has acknowledged.
  public var acknowledgedFrames = 0
  /// The number of frames in the server's recording that would survive a power failure; `nil` if
  /// the server does not record.
  public var storedFrames: Int?
  /// The number of frames kept until the server acknowledges them.
  public var keptFrames = 0
  /// The number of frames that are not yet sent.
  public var waitingFrames = 0
  /// The number of lost frames by reason: losses of the camera, and `slowConsumer` for the network.
  public var drops: [DroppedFrame.Reason: Int] = [:]
  /// The number of frames that the server refused.
  public var refusedFrames = 0
  /// The number of frames sent without color, since it could not be encoded.
  public var framesWithoutColor = 0
  /// The number of connections after the first one.
  public var reconnects = 0
  /// How often the server had lost the session and a new one was started.
  public var newBeginnings = 0
  /// The number of frames in the last second.
  public var framesPerSecond = 0
  /// The number of bytes in the last second.
  public var bytesPerSecond = 0
  /// The delay from the camera's event until the system has accepted the last byte, in
  /// milliseconds.
  ///
  /// It is the median of the last second; `nil` if nothing was sent. Delays in the network after
  /// that are not included.
  public var delayMilliseconds: Double?

  /// Creates the status of a stream that has not started.
  package init() {}

  /// The connection in words.
  public var phaseText: String {
    switch phase {
    case .connecting: "connecting"
    case .connected: "connected"
    case .catchingUp: "connected, \(waitingFrames.counting("frame")) behind"
    case .waiting(let seconds, let reason): "\(reason); again in \(Int(seconds.rounded(.up))) s"
    case .ended: "ended"
    }
  }

  /// The numbers in words.
  public var countText: String {
    var parts = [
      "\(sentFrames) sent", "\(acknowledgedFrames) acknowledged",
    ]
    if let storedFrames { parts.append("\(storedFrames) stored there") }
    parts.append("\(framesPerSecond) frames/s")
    let tenths = bytesPerSecond / 100_000
    parts.append("\(tenths / 10).\(tenths % 10) MB/s")
    if let delayMilliseconds {
      parts.append("\(Int(delayMilliseconds.rounded())) ms to the network")
    }
    return parts.joined(separator: ", ")
  }

  /// The losses in words; `nothing lost` for none.
  public var lossText: String {
    var text = CaptureStatus.lossText(drops)
    if refusedFrames > 0 { text += ", \(refusedFrames) refused by the server" }
    if framesWithoutColor > 0 { text += ", \(framesWithoutColor) without color" }
    return text
  }
}

/// The result of a stream: why it ended, and what was sent.
public struct PublishingOutcome: Sendable {
  /// Why a stream ended.
  public enum Ending: Sendable {
    /// The camera has ended.
    case sourceEnded
    /// The end was requested.
    case stopped
    /// The camera failed; the frames before that were sent.
    case cameraFailed(DepthCameraError)
    /// The stream could not continue.
    case failed(PublishingFailure)
  }

  /// Why the stream ended.
  public let ending: Ending
  /// The numbers at the end; frames in ``PublishingStatus/keptFrames`` may or may not have arrived.
  public let status: PublishingStatus

  /// A summary for the user.
  public var summary: String {
    var text = "streamed \(status.acknowledgedFrames.counting("frame")), \(status.lossText)"
    if status.keptFrames > 0 { text += ", \(status.keptFrames) not acknowledged" }
    switch ending {
    case .sourceEnded, .stopped: return text
    case .cameraFailed(let error): return "\(text); \(error)"
    case .failed(let failure): return "\(failure); \(text)"
    }
  }
}

/// An error that ends a stream for good.
public enum PublishingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no connection, and another attempt would fail in the same way.
  case connection(StreamTransportError)
  /// The server refused the stream, with a code of `Documentation/formats/stream.md` and a message.
  case refused(code: String, message: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .connection(let error): error.description
    case .refused("schema", let message): "the server speaks another version: \(message)"
    case .refused(let code, let message): "the server refused the stream (\(code)): \(message)"
    }
  }
}

/// The frame rate, data rate and delay of the frames sent in the last second.
struct SendingMeter: Sendable {
  private struct Sample {
    var at: Double
    var byteCount: Int
    var delay: Double
  }

  /// No camera has more relevant frames per second.
  private static let sampleLimit = 1000
  private var samples: [Sample] = []

  /// Adds a frame; times are in seconds of the publisher's own clock.
  mutating func add(at now: Double, byteCount: Int, delaySeconds: Double) {
    forget(before: now)
    if samples.count < Self.sampleLimit {
      samples.append(Sample(at: now, byteCount: byteCount, delay: delaySeconds))
    }
  }

  /// The number of bytes in the last second.
  mutating func bytesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.reduce(0) { $0 + $1.byteCount }
  }

  /// The number of frames in the last second.
  mutating func framesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.count
  }

  /// The median delay of the last second; `nil` without frames.
  mutating func medianDelaySeconds(at now: Double) -> Double? {
    forget(before: now)
    return samples.map(\.delay).upperMedian
  }

  private mutating func forget(before now: Double) {
    samples.removeFirst(samples.firstIndex { $0.at >= now - 1 } ?? samples.endIndex)
  }
}
