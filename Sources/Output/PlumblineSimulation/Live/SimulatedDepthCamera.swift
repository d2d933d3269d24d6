public import PlumblineCapture
public import PlumblineModel

/// A simulated live depth camera for users without one: a scene, two outputs, thermal states and
/// all faults, in real time or as fast as possible.
///
/// Equal settings give equal events at any pace; only a consumer that is slower than a live camera
/// gets different ones, since it loses frames.
public struct SimulatedDepthCamera: DepthCameraSource {
  /// The scene, the rates and the simulated faults.
  public let settings: LiveCameraSettings
  /// The rate at which frames are delivered.
  public let pace: FramePace
  private let clock: any Clock<Duration>
  private let capacity: Int

  /// Creates a camera; views are rendered when it starts.
  ///
  /// - Parameters:
  ///   - settings: The scene, rates and faults; rates are above 0.
  ///   - pace: The rate of delivery.
  ///   - capacity: The maximum number of queued captures.
  ///   - clock: The clock of a live pace.
  /// - Precondition: Rates are above 0, and fractions are from 0 to 1.
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
      // The clock starts with the first frame, not with the rendering.
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

  /// A time at which the device's thermal state changes.
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
  /// The depth frames per second: the video rate divided by an integer.
  public var depthFramesPerSecond = 60.0
  /// The number of color frames; `nil` for no limit.
  public var frameLimit: Int?
  /// The number of rendered views; frames show them forward and backward.
  ///
  /// Rendering takes about 0.2 s per view of 640×480, too long for 60 frames per second.
  public var viewCount = 6
  /// The relative change of the focal length from view to view, as caused by focusing.
  public var focalBreathing = 0.0002
  /// The fraction of depth frames lost for each reason; the sum is at most 1.
  public var dropShares: [DroppedFrame.Reason: Double] = [:]
  /// The standard deviation of the time stamps around their grid, in seconds.
  public var jitterSeconds = 0.0
  /// The delay of depth behind color, in seconds.
  public var depthLatencySeconds = 0.02
  /// The mean of an additional, exponentially distributed delay, in seconds.
  public var latencySpreadSeconds = 0.0
  /// The delay in seconds after which depth counts as late and is lost.
  public var lateSeconds = 0.2
  /// The time ranges in which the stream is interrupted, in seconds from the start.
  public var interruptions: [Range<Double>] = []
  /// The time at which the camera fails for good; `nil` for never.
  public var failureSeconds: Double?
  /// The thermal states of the device, in ascending order of time.
  public var thermalScript: [ThermalMoment] = []
  /// The time for which the device must be cooler before the depth rate rises again, in seconds.
  public var coolingSeconds = 30.0
  /// Motion samples per second; 0 for none.
  public var motionFramesPerSecond = 100.0
  /// The faults in every frame's depth or claimed calibration.
  public var faults: [DepthFault] = []
  /// The device's clock at the start, in seconds.
  public var startSeconds = 1000.0
  /// The seed of all random numbers.
  public var seed: UInt64 = 1

  /// Creates settings: a room at 640×480 and 60 frames per second, without faults.
  public init() {}
}
