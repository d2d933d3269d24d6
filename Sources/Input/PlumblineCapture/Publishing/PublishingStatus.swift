import PlumblineModel
import PlumblineNumerics

/// What a person wants to know of a stream that is being sent, in numbers and words.
public struct PublishingStatus: Hashable, Sendable {
  /// The phases of a stream.
  package enum Phase: Hashable, Sendable {
    /// The connection is being made.
    case connecting
    /// Frames go out.
    case connected
    /// Frames go out that the connection before this one did not deliver.
    case catchingUp
    /// The stream waits before the next attempt.
    case waiting(seconds: Double, reason: String)
    /// The stream is over.
    case ended
  }

  /// The phase that the stream is in.
  package var phase = Phase.connecting
  /// Frames that the system took for the network, each once.
  public var sentFrames = 0
  /// Frames that were sent again after a break.
  public var resentFrames = 0
  /// Frames that the server has.
  public var acknowledgedFrames = 0
  /// Frames of the server's recording that a power cut would leave; `nil` where it records nothing.
  public var storedFrames: Int?
  /// Frames that are kept until the server acknowledges them.
  public var keptFrames = 0
  /// Frames that are not sent yet.
  public var waitingFrames = 0
  /// Frames that the stream lost, by reason: those of the camera, and `slowConsumer` for the network.
  public var drops: [DroppedFrame.Reason: Int] = [:]
  /// Frames that the server refused to read.
  public var refusedFrames = 0
  /// Frames that went without color, since it could not be encoded.
  public var framesWithoutColor = 0
  /// Connections that were made after the first one.
  public var reconnects = 0
  /// Times that the server had forgotten the session and began a new one.
  public var newBeginnings = 0
  /// Frames of the last second.
  public var framesPerSecond = 0
  /// Bytes of the last second.
  public var bytesPerSecond = 0
  /// From the camera's event to the system's taking of the last byte, in milliseconds.
  ///
  /// The median of the last second; `nil` where nothing was sent. What the network does after that is not
  /// in it.
  public var delayMilliseconds: Double?

  /// A stream that has not begun.
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

/// The result of a stream: why it ended and what was sent.
public struct PublishingOutcome: Sendable {
  /// Why a stream ended.
  public enum Ending: Sendable {
    /// The camera has nothing more.
    case sourceEnded
    /// The end was requested.
    case stopped
    /// The camera failed; what came before was sent.
    case cameraFailed(DepthCameraError)
    /// The stream could not continue.
    case failed(PublishingFailure)
  }

  /// Why the stream ended.
  public let ending: Ending
  /// What was sent; ``PublishingStatus/keptFrames`` are those that may or may not have arrived.
  public let status: PublishingStatus

  /// A summary for people, at the end.
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
  /// No connection, and another attempt would end in the same way.
  case connection(StreamTransportError)
  /// The server refused what was sent; a code of `Documentation/formats/stream.md` and its words.
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

/// The rate, the bytes and the delay of the frames that were sent within the last second.
struct SendingMeter: Sendable {
  private struct Sample {
    var at: Double
    var byteCount: Int
    var delay: Double
  }

  /// No camera has more frames in a second that count.
  private static let sampleLimit = 1000
  private var samples: [Sample] = []

  /// Takes a frame; times in seconds of the publisher's own clock.
  mutating func add(at now: Double, byteCount: Int, delaySeconds: Double) {
    forget(before: now)
    if samples.count < Self.sampleLimit {
      samples.append(Sample(at: now, byteCount: byteCount, delay: delaySeconds))
    }
  }

  /// The bytes of the last second.
  mutating func bytesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.reduce(0) { $0 + $1.byteCount }
  }

  /// The number of frames of the last second.
  mutating func framesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.count
  }

  /// The median delay of the last second; `nil` for no frame.
  mutating func medianDelaySeconds(at now: Double) -> Double? {
    forget(before: now)
    return samples.map(\.delay).sorted().middleOfSorted
  }

  private mutating func forget(before now: Double) {
    samples.removeFirst(samples.firstIndex { $0.at >= now - 1 } ?? samples.endIndex)
  }
}
