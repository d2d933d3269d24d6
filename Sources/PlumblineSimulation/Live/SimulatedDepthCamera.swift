public import PlumblineCapture

/// A live depth camera for those without one: a scene, two outputs, warmth and everything that goes
/// wrong, at a camera's speed or as fast as possible.
///
/// Equal settings give equal events, whatever the pace; only a consumer that is slower than a live
/// camera sees other ones, since it loses frames.
public struct SimulatedDepthCamera: DepthCameraSource {
  /// The scene, the rates and the simulated faults.
  public let settings: LiveCameraSettings
  /// The rate at which frames are delivered.
  public let pace: FramePace
  private let clock: any Clock<Duration>
  private let capacity: Int

  /// Prepares a camera; views are drawn when it starts.
  ///
  /// - Parameters:
  ///   - settings: What it sees; rates are above 0.
  ///   - pace: How fast.
  ///   - capacity: The most captures that wait for the consumer.
  ///   - clock: The clock of a live pace.
  /// - Precondition: Rates are above 0, shares lie between 0 and 1.
  public init(
    _ settings: LiveCameraSettings, pace: FramePace = .live(speed: 1), capacity: Int = 4,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    precondition(
      settings.videoFramesPerSecond > 0 && settings.depthFramesPerSecond > 0
        && settings.depthFramesPerSecond <= settings.videoFramesPerSecond,
      "depth at \(settings.depthFramesPerSecond) of \(settings.videoFramesPerSecond) fps")
    self.settings = settings
    self.pace = pace
    self.capacity = capacity
    self.clock = clock
  }

  /// Starts the camera.
  public func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: capacity) { buffer throws(DepthCameraError) in
      // The clock starts with the first frame, not with the drawing.
      let views = LiveViews(settings)
      let pacer = Self.pacer(clock)
      for moment in LiveEventStream(settings, views: views) {
        switch pace {
        case .live(let speed):
          guard await pacer.wait(untilSeconds: moment.seconds / speed) else { return }
          guard buffer.offer(moment.event) else { return }
        case .asFastAsPossible:
          guard !Task.isCancelled, await buffer.send(moment.event) else { return }
        }
      }
      if let seconds = settings.failureSeconds,
        Double(settings.frameLimit ?? .max) / settings.videoFramesPerSecond > seconds
      {
        throw .failed("simulated failure after \(seconds) s")
      }
    }
  }

  private static func pacer(_ clock: some Clock<Duration>) -> FramePacer { FramePacer(clock) }
}
