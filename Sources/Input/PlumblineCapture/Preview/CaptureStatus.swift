public import PlumblineModel

/// What a person wants to know of a running camera, in numbers and words.
public struct CaptureStatus: Sendable {
  /// Captures so far.
  public private(set) var frames = 0
  /// Frames per second over the last second; `nil` before two frames with times.
  public private(set) var framesPerSecond: Double?
  /// Lost frames by reason.
  public private(set) var drops: [DroppedFrame.Reason: Int] = [:]
  /// Lost motion samples.
  public private(set) var lostMotionSamples = 0
  /// The thermal state of the device.
  public private(set) var thermal = ThermalReading(.nominal)
  /// The last change of the rate of depth because of warmth; `nil` for none.
  public private(set) var depthRate: DepthRateChange?
  private var meter = FrameRateMeter()

  /// Starts with nothing.
  public init() {}

  /// Takes an event of the camera; O(1).
  public mutating func take(_ event: DepthCameraEvent) {
    switch event {
    case .capture(let capture):
      frames += 1
      if let seconds = capture.timestampSeconds {
        framesPerSecond = meter.rate(afterFrameAt: seconds)
      }
    case .motion: break
    case .motionLost(let count): lostMotionSamples += count
    case .dropped(let frames): drops[frames.reason, default: 0] += frames.count
    case .thermal(let reading): thermal = reading
    case .depthRate(let change): depthRate = change
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

  /// The warmth, and what was done about it.
  public var warmthText: String {
    if let depthRate { return depthRate.description }
    return thermal.state == .nominal ? "temperature normal" : "device \(thermal.state.rawValue)"
  }

  /// Losses in words, for a recording too.
  public static func lossText(
    _ drops: [DroppedFrame.Reason: Int], motionSamples: Int = 0
  ) -> String {
    var parts = DroppedFrame.Reason.allCases.compactMap { reason in
      drops[reason].map { "\($0) \(reason.words)" }
    }
    if motionSamples > 0 { parts.append("\(motionSamples) motion samples") }
    return parts.isEmpty ? "nothing lost" : "lost: " + parts.joined(separator: ", ")
  }

  /// The room on the disk, and for how long it lasts at the rate so far.
  ///
  /// - Parameters:
  ///   - freeBytes: The room; `nil` where the system does not say.
  ///   - bytesPerSecond: What a recording writes; `nil` for none.
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
  /// A few words after a number.
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

/// A capture as small upright images for a screen; nothing to measure with.
public struct CapturePreview: Sendable {
  /// Color; `nil` where the capture has none.
  public let color: Raster<RGB8>?
  /// Depth in colors; `nil` where the capture has none.
  public let depth: Raster<RGB8>?

  /// Draws a capture; O(*n*).
  ///
  /// - Parameters:
  ///   - capture: A capture of a live camera.
  ///   - colors: How depth looks.
  ///   - isMirror: Whether it looks like a mirror, as users expect of a camera at the front.
  ///   - maximumSide: The longest side of the color image in pixels, at least 1.
  public init(
    _ capture: Capture, colors: DepthColors, isMirror: Bool = false, maximumSide: Int = 640
  ) {
    func shown(_ raster: Raster<RGB8>, _ orientation: ImageOrientation) -> Raster<RGB8> {
      raster.oriented(by: isMirror ? orientation.followed(by: .upMirrored) : orientation)
    }
    color = capture.color.map {
      shown($0.reduced(toMaximumSide: maximumSide), capture.colorOrientation)
    }
    depth = capture.depth.map { shown(colors.colors(of: $0.values), $0.orientation) }
  }
}
