public import PlumblineCapture
public import PlumblineModel

/// What a stream has delivered: synchronized frames, losses by reason, the camera's numbers of each frame.
public struct StreamFigures: Sendable {
  /// One row of the table of losses.
  public struct Loss: Hashable, Sendable {
    /// The stream that lost them.
    public let stream: FrameStream
    /// Why frames are missing.
    public let reason: DroppedFrame.Reason
    /// How many.
    public let count: Int

    /// What was lost and how often, such as `3 depth maps`.
    public var countText: String {
      switch stream {
      case .color: count.counting("color frame")
      case .depth: count.counting("depth map")
      case .capture: count.counting("capture")
      }
    }

    /// What the reason means, and what helps, in one sentence.
    public var explanation: String {
      switch reason {
      case .lateData:
        "A frame came after its partner had been delivered; fewer other tasks on the device help."
      case .outOfBuffers:
        "All of the camera's buffers were in use; a smaller format or a lower rate helps."
      case .discontinuity: "The system interrupted the camera."
      case .slowConsumer:
        "This app took frames more slowly than they came; a recording does not lose them by that."
      case .noDepth:
        "A color frame came without depth; a depth rate below the video rate does that too."
      case .unreadable: "A frame of a replayed recording could not be read."
      }
    }
  }

  /// Rate, losses and warmth.
  public private(set) var status = CaptureStatus()
  /// The number of frames with color and depth of the same moment.
  public private(set) var synchronizedFrames = 0
  /// The number of frames whose calibration came with the frame itself.
  public private(set) var calibratedFrames = 0
  /// The camera matrix of the latest frame at the size that it belongs to; `nil` without one.
  public private(set) var intrinsics: PinholeIntrinsics?
  /// Focal lengths of the last second by time, for their spread.
  private var focalLengths: [(seconds: Double, pixels: Double)] = []

  /// Starts without a frame.
  public init() {}

  /// Takes an event of the camera; O(frames of a second).
  public mutating func take(_ event: DepthCameraEvent) {
    status.take(event)
    guard case .capture(let capture) = event else { return }
    if capture.depth != nil, capture.color != nil || capture.colorFile != nil {
      synchronizedFrames += 1
    }
    let camera = (capture.colorCalibration ?? capture.depth?.calibration)?.intrinsics
    intrinsics = camera
    guard let camera else { return }
    calibratedFrames += 1
    guard let seconds = capture.timestampSeconds else { return }
    focalLengths.append((seconds, camera.focalLength.x))
    focalLengths.removeAll { $0.seconds < seconds - 1 || $0.seconds > seconds }
  }

  /// The losses that there were, in the order of the streams, and for each in that of the reasons.
  public var losses: [Loss] {
    FrameStream.allCases.flatMap { stream in
      DroppedFrame.Reason.allCases.compactMap { reason in
        status.dropsByStream[stream]?[reason].map {
          Loss(stream: stream, reason: reason, count: $0)
        }
      }
    }
  }

  /// What the camera was configured for, and what that means for measuring, one line each; empty for a
  /// camera that does not say it.
  public var configurationLines: [String] {
    guard let summary = status.configuration else { return [] }
    return ["video \(summary.video)", "depth \(summary.depth)"] + summary.remarks
  }

  /// How many frames have color and depth of the same moment.
  public var synchronizationText: String {
    guard status.frames > 0 else { return "no frames yet" }
    return "\(synchronizedFrames) of \(status.frames.counting("frame")) with color and depth"
  }

  /// The camera matrix of the latest frame, and how far its focal length moved within a second.
  ///
  /// Its ± is not known: the system states none.
  public var intrinsicsText: String {
    guard let intrinsics else { return "no camera matrix with these frames" }
    let (focal, center) = (intrinsics.focalLength, intrinsics.principalPoint)
    let matrix =
      "f = \(focal.x.fixed(2)) px, center (\(center.x.fixed(2)), \(center.y.fixed(2))) px of "
      + "\(intrinsics.size), as the system states it, ± unknown"
    guard let movement = focalMovement else { return matrix }
    return matrix + "; f moved by \(movement.fixed(2)) px within a second"
  }

  /// The largest focal length of the last second minus the smallest, in pixels; `nil` for fewer than two.
  public var focalMovement: Double? {
    let pixels = focalLengths.map(\.pixels)
    guard pixels.count >= 2, let lowest = pixels.min(), let highest = pixels.max() else {
      return nil
    }
    return highest - lowest
  }
}
