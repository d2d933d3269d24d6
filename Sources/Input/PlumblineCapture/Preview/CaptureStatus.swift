import PlumblineModel

/// The status of a running camera for a user, in numbers and words.
public struct CaptureStatus: Sendable {
  /// The number of captures so far.
  public private(set) var frames = 0
  /// The frame rate over the last second; `nil` before two frames with times.
  public private(set) var framesPerSecond: Double?
  /// The number of lost frames by reason.
  public private(set) var drops: [DroppedFrame.Reason: Int] = [:]
  /// The number of lost frames by stream and reason; the streams add up to ``drops``.
  public private(set) var dropsByStream: [FrameStream: [DroppedFrame.Reason: Int]] = [:]
  /// What the camera was configured for; `nil` before it, and for cameras that do not say it.
  public private(set) var configuration: StreamSummary?
  /// The interruption that holds now; `nil` while frames may come.
  public private(set) var interruption: SessionInterruption?
  /// The number of interruptions so far.
  public private(set) var interruptionCount = 0
  /// The number of lost motion samples.
  public private(set) var lostMotionSamples = 0
  /// The thermal state of the device.
  public private(set) var thermal = ThermalReading(.nominal)
  /// The last change of the depth rate because of the thermal state; `nil` for none.
  public private(set) var depthRate: DepthRateChange?
  private var meter = FrameRateMeter()

  /// Creates a status without events.
  public init() {}

  /// Updates the status with an event of the camera; O(1).
  public mutating func take(_ event: DepthCameraEvent) {
    switch event {
    case .capture(let capture):
      frames += 1
      if let seconds = capture.timestampSeconds {
        framesPerSecond = meter.rate(afterFrameAt: seconds)
      }
    case .motion: break
    case .motionLost(let count): lostMotionSamples += count
    case .dropped(let frames):
      drops[frames.reason, default: 0] += frames.count
      dropsByStream[frames.stream, default: [:]][frames.reason, default: 0] += frames.count
    case .thermal(let reading): thermal = reading
    case .depthRate(let change): depthRate = change
    case .configured(let summary): configuration = summary
    case .interrupted(let reason):
      interruption = reason
      interruptionCount += 1
      // The rate before the interruption says nothing about the frames after it.
      (meter, framesPerSecond) = (FrameRateMeter(), nil)
    case .resumed: interruption = nil
    }
  }

  /// The rate, such as `29.9 frames/s`.
  public var rateText: String {
    guard let framesPerSecond else { return "no frames yet" }
    let tenths = Int((min(framesPerSecond, 1000) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) frames/s"
  }

  /// The losses by reason, in the order of the reasons; `nothing lost` for none.
  public var lossText: String { Self.lossText(drops, motionSamples: lostMotionSamples) }

  /// The losses of each stream by reason, a line for each stream that lost some, in their order.
  public var lossTextByStream: [String] {
    FrameStream.allCases.compactMap { stream in
      dropsByStream[stream].map { "\(stream.words) " + Self.lossText($0) }
    }
  }

  /// Why no frames come, and what to do; `nil` while they may come.
  public var interruptionText: String? {
    interruption.map { "Paused: \($0). \($0.advice)" }
  }

  /// The thermal state, and the resulting depth rate.
  public var warmthText: String {
    if let depthRate { return depthRate.description }
    return thermal.state == .nominal ? "temperature normal" : "device \(thermal.state.rawValue)"
  }

  /// The losses in words, also for a recording.
  public static func lossText(
    _ drops: [DroppedFrame.Reason: Int], motionSamples: Int = 0
  ) -> String {
    var parts = DroppedFrame.Reason.allCases.compactMap { reason in
      drops[reason].map { "\($0) \(reason.words)" }
    }
    if motionSamples > 0 { parts.append("\(motionSamples) motion samples") }
    return parts.isEmpty ? "nothing lost" : "lost: " + parts.joined(separator: ", ")
  }

  /// The free disk space, and how long it lasts at the current data rate.
  ///
  /// - Parameters:
  ///   - freeBytes: The free space; `nil` if the system does not state it.
  ///   - bytesPerSecond: The data rate of a recording; `nil` for none.
  /// - Returns: One clause.
  public static func diskText(freeBytes: Int64?, bytesPerSecond: Double? = nil) -> String {
    guard let freeBytes, freeBytes >= 0 else { return "free space unknown" }
    let tenths = freeBytes / 100_000_000
    let room = "\(tenths / 10).\(tenths % 10) GB free"
    guard let bytesPerSecond, bytesPerSecond >= 1 else { return room }
    let minutes = Double(freeBytes) / bytesPerSecond / 60
    return minutes < 1 ? room + ", less than a minute" : room + ", \(Int(min(minutes, 9999))) min"
  }
}

extension DroppedFrame.Reason {
  /// A description in a few words.
  fileprivate var words: String {
    switch self {
    case .lateData: "too late"
    case .outOfBuffers: "without a buffer"
    case .discontinuity: "by interruption"
    case .slowConsumer: "by a slow consumer"
    case .noDepth: "without depth"
    case .unreadable: "unreadable"
    }
  }
}

extension FrameStream {
  /// The frames of a stream, for a list of losses.
  fileprivate var words: String {
    switch self {
    case .color: "color frames"
    case .depth: "depth maps"
    case .capture: "captures"
    }
  }
}
