/// How far a scan is.
public struct ScanProgress: Sendable, Hashable {
  /// What is being done.
  public enum Stage: String, Sendable, CaseIterable {
    /// Frames are read before the first one is fused: what is known of the depths, the size of voxels.
    case reading
    /// Frames are registered and fused.
    case fusing
    /// Places that were seen again are looked for.
    case loops
    /// Frames are fused once more, at the poses that loops correct.
    case fusingAgain
    /// The surface is made.
    case surface
    /// The surface is written.
    case writing
  }

  /// What is being done.
  public var stage: Stage
  /// The frames that are done, of this pass.
  public var doneCount = 0
  /// The frames of this pass in all; `nil` for a live camera.
  public var frameCount: Int?
  /// The frames that are part of the surface.
  public var fusedCount = 0
  /// The frames that are not: their pose is not known, or they cannot be used.
  public var lostCount = 0
  /// Of those that are done, the frames whose pose was known from an earlier run.
  public var knownCount = 0
  /// The frames of a live camera that came while another one was fused.
  public var droppedCount = 0
  /// Whether the last frame is part of the surface.
  public var isTracked = true
  /// The residual of the last frame along the normal in the median, in meters; `nil` where it was not registered.
  public var medianMeters: Double?
  /// The same in standard deviations.
  public var medianSigmas: Double?
  /// The frames in a second, of the last seconds; `nil` before the second frame.
  public var framesPerSecond: Double?

  /// What the volume will take; set once, before the first frame of a recording is fused.
  public var memory: Memory?

  /// What a volume will take before any of it is taken.
  public struct Memory: Sendable, Hashable {
    /// The side of a voxel, in meters.
    public var voxelMeters: Double
    /// The memory that is foreseen by recorded poses, in bytes; `nil` without these.
    public var foreseenBytes: Int?
    /// The most that it may take, in bytes.
    public var limitBytes: Int
  }

  /// The seconds that the other frames take if they go on as the last ones; `nil` where that is not known.
  public var secondsLeft: Double? {
    guard let frameCount, let framesPerSecond, framesPerSecond > 0,
      stage == .fusing || stage == .fusingAgain
    else { return nil }
    return Double(frameCount - doneCount) / framesPerSecond
  }

  /// A scan of which nothing is done.
  public init(stage: Stage = .reading, frameCount: Int? = nil) {
    self.stage = stage
    self.frameCount = frameCount
  }

  /// A scan whose voxels are chosen, and of which no frame is fused.
  init(memory: Memory, frameCount: Int) {
    self.init(frameCount: frameCount)
    self.memory = memory
  }
}

/// How fast frames go by: those of the last seconds.
struct ScanRate: Sendable {
  private static let windowSeconds = 3.0
  private var times: [ContinuousClock.Instant] = []

  /// Takes a frame that is done now.
  mutating func add(at now: ContinuousClock.Instant = .now) {
    let start = now - .seconds(Self.windowSeconds)
    // Two are kept in any case, so that slow frames have a rate too.
    let old = times.dropLast().prefix { $0 < start }.count
    times.removeFirst(old)
    times.append(now)
  }

  /// Frames in a second; `nil` before the second one.
  var framesPerSecond: Double? {
    guard let first = times.first, let last = times.last, times.count > 1 else { return nil }
    let span = (last - first) / .seconds(1)
    return span > 0 ? Double(times.count - 1) / span : nil
  }
}
