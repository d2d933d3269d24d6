public import PlumblineCapture

/// A live camera's frames estimated one after another, each time the latest.
///
/// There is no queue: a frame that comes while the network runs replaces the one that waits, and is
/// counted. So what is shown is never older than one frame and one run of the network.
public struct LiveEstimation: Sendable {
  /// How many frames came, were estimated, and were replaced by a newer one.
  public struct Counts: Sendable, Hashable {
    /// Frames that the camera gave.
    public var received = 0
    /// Frames that were estimated.
    public var estimated = 0
    /// Frames that a newer one replaced, and those that the camera itself dropped.
    public var dropped = 0
  }

  private let source: any DepthCameraSource
  private let estimator: CaptureEstimator
  private let frameLimit: Int?
  private let secondsLimit: Double?

  /// Prepares.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - estimator: Estimates each frame.
  ///   - frameLimit: After how many estimated frames it ends; `nil` for no bound.
  ///   - secondsLimit: After how many seconds of the frames' own clock; `nil` for no bound.
  public init(
    _ source: any DepthCameraSource, by estimator: CaptureEstimator, frameLimit: Int? = nil,
    secondsLimit: Double? = nil
  ) {
    self.source = source
    self.estimator = estimator
    self.frameLimit = frameLimit
    self.secondsLimit = secondsLimit
  }

  /// Estimates until a limit, the camera's end or `stop`.
  ///
  /// - Parameters:
  ///   - stop: Ends it from elsewhere, such as a signal.
  ///   - show: Takes each result with its number in the order of the camera.
  /// - Returns: The counts.
  /// - Throws: What estimating or `show` throws; ``DepthCameraError`` of the camera.
  public func run(
    stop: RecordingStop = RecordingStop(),
    show: @Sendable (EstimateResult, _ number: Int) throws -> Void
  ) async throws -> Counts {
    var estimated = 0
    let frames = LatestFrames(source: source, secondsLimit: secondsLimit)
    let counts = try await frames.run(stop: stop) { entry, _ in
      let analysis = try CaptureAnalyzer().analyze(
        entry.capture, fileName: "frame \(entry.sequence)")
      try show(estimator.estimate(analysis), entry.sequence)
      estimated += 1
      return estimated != frameLimit
    }
    return Counts(received: counts.received, estimated: estimated, dropped: counts.dropped)
  }
}
