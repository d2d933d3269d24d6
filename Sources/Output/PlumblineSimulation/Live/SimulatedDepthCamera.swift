public import PlumblineCapture
public import PlumblineModel

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

/// The options of a simulated live camera: scene, rate and faults.
public struct LiveCameraSettings: Sendable {
  /// A fault of ``SimulationFault`` with its value.
  public struct DepthFault: Hashable, Sendable {
    /// The fault.
    public var fault: SimulationFault
    /// Its value; within the fault's range.
    public var value: Double

    /// Creates a fault.
    public init(_ fault: SimulationFault, _ value: Double) {
      self.fault = fault
      self.value = value
    }
  }

  /// A moment at which the device's warmth changes.
  public struct ThermalMoment: Hashable, Sendable {
    /// Seconds from the start.
    public var seconds: Double
    /// The thermal reading from then on.
    public var reading: ThermalReading

    /// Creates a moment.
    public init(seconds: Double, reading: ThermalReading) {
      self.seconds = seconds
      self.reading = reading
    }
  }

  /// The camera.
  public var camera = CameraPreset.iPad4
  /// The scene that the camera sees.
  public var scene = SimulationScene.room
  /// The size of color images, and of depth maps where the camera has one sensor for both.
  public var size = RasterSize(width: 640, height: 480)
  /// Color frames per second.
  public var videoFramesPerSecond = 60.0
  /// Depth frames per second, the video rate over a whole number.
  public var depthFramesPerSecond = 60.0
  /// The number of color frames; `nil` for no end.
  public var frameLimit: Int?
  /// The number of views that are drawn; frames show them to and fro.
  ///
  /// Drawing takes about 0.2 s for 640×480 where 60 frames a second are wanted.
  public var viewCount = 6
  /// The share by which the focal length breathes from view to view, as focusing makes it.
  public var focalBreathing = 0.0002
  /// The share of depth frames that are lost for each reason, 0 to 1 in all.
  public var dropShares: [DroppedFrame.Reason: Double] = [:]
  /// The standard deviation of the time stamps around their grid, in seconds.
  public var jitterSeconds = 0.0
  /// The delay of depth behind color, in seconds.
  public var depthLatencySeconds = 0.02
  /// The mean of what comes on top of it, exponentially distributed, in seconds.
  public var latencySpreadSeconds = 0.0
  /// Depth that arrives later than this counts as late and is lost, in seconds.
  public var lateSeconds = 0.2
  /// Times in which the stream is interrupted, in seconds from the start.
  public var interruptions: [Range<Double>] = []
  /// The time at which the camera fails for good; `nil` for never.
  public var failureSeconds: Double?
  /// The thermal states of the device, times ascending.
  public var thermalScript: [ThermalMoment] = []
  /// How long it must be cooler before depth gets faster again, in seconds.
  public var coolingSeconds = 30.0
  /// Motion samples per second; 0 for none.
  public var motionFramesPerSecond = 100.0
  /// The faults of every frame's depth or claims.
  public var faults: [DepthFault] = []
  /// The device's clock at the start, in seconds.
  public var startSeconds = 1000.0
  /// The seed of everything.
  public var seed: UInt64 = 1

  /// Creates settings: a room at 640×480 and 60 frames a second, without any fault.
  public init() {}
}
