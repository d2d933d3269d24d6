internal import PlumblineModel

/// Frames become a surface: each is registered to what is fused so far, and fused at the pose that was found.
///
/// A frame that does not fit is not fused. After some of them in a row a new surface begins, a fragment with a
/// pose of its own; the surfaces before it stay as they are.
package struct ScanFuser<Model: FusedModel>: Sendable {
  /// Registers the frames.
  package let tracker: FrameTracker
  /// When a frame counts as tracked.
  package let limits: FusionLimits
  /// The pose, the state and the quality of each frame so far.
  package private(set) var trajectory = Trajectory()
  /// The surfaces, in the order in which they began.
  package private(set) var fragments: [Model] = []
  /// Fused frames that moved far enough since the last one, of all surfaces.
  package private(set) var keyframes = KeyframeStore()
  /// What the device's motion sensors say.
  package private(set) var sensors: SensorPrior
  private var lostInRow = 0
  /// Which frames of the latest surface are fused.
  private var pace: FusionPace
  /// The surface that frames were registered to last, and how many were.
  private var latestView: (view: SurfaceView, uses: Int)?
  /// The fused frame whose colors fix what the surface leaves open; `nil` without color.
  private var colorReference: ColorReference?
  private let makeModel: @Sendable () -> Model

  /// Creates a fuser without frames.
  ///
  /// - Parameters:
  ///   - tracker: Registers the frames.
  ///   - limits: When a frame counts as tracked.
  ///   - sensed: What the device's motion sensors say, on the clock of the frames.
  ///   - makeModel: An empty surface, for each fragment.
  package init(
    tracker: FrameTracker = FrameTracker(), limits: FusionLimits = FusionLimits(),
    sensed: SensedRotations = SensedRotations([]),
    makeModel: @escaping @Sendable () -> Model
  ) {
    self.tracker = tracker
    self.limits = limits
    sensors = SensorPrior(sensed, maximumSeconds: limits.sensedSeconds)
    self.makeModel = makeModel
    pace = FusionPace(limits)
  }

  /// Registers a frame, and fuses it if its pose is known.
  ///
  /// - Parameters:
  ///   - frame: The next frame in time.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: What became of it; it is the last of the trajectory.
  /// - Throws: What the model throws; the frame is then not part of the trajectory.
  @discardableResult
  package mutating func add(_ frame: ScanFrame, threads: Int) throws -> TrackedFrame {
    let points = TrackedPoints.of(frame, levels: tracker.settings.levels)
    var tracked = TrackedFrame(
      index: trajectory.frames.count, timestampSeconds: frame.timestampSeconds,
      recordedWorldFromCamera: frame.worldFromCamera, state: .skipped,
      fragment: max(fragments.count - 1, 0))
    if points.count >= limits.minimumPoints {
      if fragments.isEmpty {
        start(&tracked)
      } else {
        locate(points, of: frame, in: &tracked, threads: threads)
      }
    }
    if tracked.isFused, let pose = tracked.estimate?.aFromB {
      try fuse(frame, tracked, at: pose, threads: threads)
    }
    keep(tracked)
    return tracked
  }

  /// Adds a registered frame to the trajectory, and to what is known of the sensors.
  private mutating func keep(_ tracked: TrackedFrame) {
    sensors.compare(tracked, with: latestFused.last)
    trajectory.frames.append(tracked)
  }

  /// Fuses a frame at its recorded pose, without registering it.
  ///
  /// - Parameters:
  ///   - frame: The next frame in time; one without a pose is lost.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: What became of it; it is the last of the trajectory.
  /// - Throws: What the model throws; the frame is then not part of the trajectory.
  @discardableResult
  package mutating func addAtRecordedPose(
    _ frame: ScanFrame, threads: Int
  ) throws -> TrackedFrame {
    var tracked = TrackedFrame(
      index: trajectory.frames.count, timestampSeconds: frame.timestampSeconds,
      recordedWorldFromCamera: frame.worldFromCamera, state: .lost(.noOverlap), fragment: 0)
    if let pose = frame.worldFromCamera {
      if fragments.isEmpty { beginSurface() }
      tracked.state = .followed
      tracked.estimate =
        PosePrior(worldFromCamera: pose, sigmaRadians: 1e-6, sigmaMeters: 1e-6).estimate
      try fuse(frame, tracked, at: pose, threads: threads)
    }
    trajectory.frames.append(tracked)
    return tracked
  }

  /// Fuses a frame as an earlier run of the same frames decided, without registering it.
  ///
  /// Where all frames before it are known as well, everything is as if it had been registered: frames that
  /// follow get the same poses.
  ///
  /// - Parameters:
  ///   - frame: The next frame in time.
  ///   - known: What ``add(_:threads:)`` gave for the frame at that place.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Throws: What the model throws; the frame is then not part of the trajectory.
  /// - Precondition: ``isNext(_:)`` of what is known.
  package mutating func add(
    _ frame: ScanFrame, known: TrackedFrame, threads: Int
  ) throws {
    precondition(isNext(known), "frame \(known.index) of surface \(known.fragment) is not the next")
    switch known.state {
    case .started:
      beginSurface()
    case .tracked, .followed:
      // Frames that follow may be registered to the same view.
      if let model = fragments.last {
        let near = prior(for: known).0.estimate.aFromB
        _ = view(of: model, for: frame, near: near, threads: threads)
      }
    case .relocalized, .lost: latestView = nil
    case .skipped: break
    }
    if known.isFused, let pose = known.estimate?.aFromB {
      try fuse(frame, known, at: pose, threads: threads)
      lostInRow = 0
    } else if case .lost = known.state {
      lostInRow += 1
    }
    keep(known)
  }

  /// Whether a frame of an earlier run can follow those that are there.
  package func isNext(_ known: TrackedFrame) -> Bool {
    let expected = known.state == .started ? fragments.count : max(fragments.count - 1, 0)
    let hasSurface = known.state == .started || !fragments.isEmpty
    return known.index == trajectory.frames.count && known.fragment == expected
      && (!known.isFused || known.estimate != nil && hasSurface)
  }

  /// Begins a surface with a frame.
  private mutating func start(_ tracked: inout TrackedFrame) {
    let latest = latestFused.last?.estimate?.aFromB
    let pose = tracked.recordedWorldFromCamera ?? latest ?? .identity
    tracked.fragment = fragments.count
    tracked.state = .started
    // The first pose is given, so it is exact by definition; the covariance only has to be positive.
    tracked.estimate =
      PosePrior(worldFromCamera: pose, sigmaRadians: 1e-6, sigmaMeters: 1e-6).estimate
    beginSurface()
    lostInRow = 0
  }

  private mutating func beginSurface() {
    fragments.append(makeModel())
    latestView = nil
    colorReference = nil
    pace = FusionPace(limits)
  }

  /// Adds a frame to its surface, unless the one before it stands for both.
  private mutating func fuse(
    _ frame: ScanFrame, _ tracked: TrackedFrame, at pose: RigidTransform, threads: Int
  ) throws {
    if pace.takes(seconds: frame.timestampSeconds, worldFromCamera: pose) {
      try fragments[tracked.fragment].integrate(frame, worldFromCamera: pose, threads: threads)
    }
    keyframes.add(tracked, frame)
    keepColors(of: frame, at: pose)
  }

  /// Compares the frames that follow with a fused one, once the camera is far enough from the one before.
  private mutating func keepColors(of frame: ScanFrame, at worldFromCamera: RigidTransform) {
    guard frame.color != nil, colorReference?.isNear(worldFromCamera) != true else { return }
    colorReference =
      .of(frame, worldFromCamera: worldFromCamera, levels: tracker.settings.levels)
      ?? colorReference
  }

  /// The surface near a pose, which serves several frames while the camera hardly moves.
  private mutating func view(
    of model: Model, for frame: ScanFrame, near pose: RigidTransform, threads: Int
  ) -> SurfaceView {
    let camera = frame.viewCamera
    if let latest = latestView, latest.uses < limits.viewFrames, latest.view.camera == camera,
      limits.isNear(latest.view.worldFromCamera, pose)
    {
      latestView?.uses += 1
      return latest.view
    }
    let view = model.view(camera: camera, worldFromCamera: pose, threads: threads)
    latestView = (view, 1)
    return view
  }

  /// Finds the pose of a frame, or begins a new surface.
  private mutating func locate(
    _ points: TrackedPoints, of frame: ScanFrame, in tracked: inout TrackedFrame, threads: Int
  ) {
    guard let model = fragments.last else { return }
    let (prior, isRecorded) = prior(for: tracked)
    let view = view(of: model, for: frame, near: prior.estimate.aFromB, threads: threads)
    let colors = ColorMatch(frame, with: colorReference, settings: tracker.settings)
    let before = latestFused.last?.quality
    let isContinued =
      lostInRow == 0 && before?.keptDirections == 0 && before?.colorDirections == 0
      && before?.sensedDirections == 0
    let result = tracker.register(
      points, to: view, colors: colors, prior: prior, isContinued: isContinued, threads: threads)
    tracked.quality = result.quality
    tracked.estimate = result.estimate
    tracked.state = limits.state(of: result.quality, hasRecordedMotion: isRecorded)
    if case .followed = tracked.state { tracked.estimate = prior.estimate }
    guard case .lost = tracked.state else {
      lostInRow = 0
      return
    }
    tracked.estimate = nil
    latestView = nil
    if case .lost(.jump) = tracked.state {
      tracked.refusedWorldFromCamera = result.estimate.aFromB
    }
    // Where the recorded motion is possible, a pose elsewhere that fits is another place that looks alike.
    if !isRecorded, relocalize(frame, in: &tracked, model: model, threads: threads) {
      lostInRow = 0
      return
    }
    lostInRow += 1
    // A surface of such frames would be one frame each: what the next one sees does not fix its pose either.
    guard tracked.state != .lost(.undetermined) else { return }
    if lostInRow > limits.maximumLostFrames { start(&tracked) }
  }

  /// Registers a frame to the surface as seen from earlier poses, the latest first.
  private func relocalize(
    _ frame: ScanFrame, in tracked: inout TrackedFrame, model: Model, threads: Int
  ) -> Bool {
    var wide = tracker
    wide.settings.levels = TrackingSettings.wideLevels
    var poses = keyframes.latestPoses(
      of: fragments.count - 1, count: limits.relocalizationPoses)
    if let latest = latestFused.last?.estimate?.aFromB { poses.append(latest) }
    let before = latest(30) { $0.state == .tracked }
    let search = Relocalization(
      tracker: wide, limits: limits, tracked: before.compactMap(\.quality))
    guard
      let result = search.result(
        of: frame, on: model, from: poses.reversed(), threads: threads)
    else { return false }
    tracked.estimate = result.estimate
    tracked.quality = result.quality
    tracked.state = .relocalized
    return true
  }

  /// The last two fused frames of the current fragment.
  var latestFused: [TrackedFrame] { latest(2, where: \.isFused) }

  /// The last frames of the current fragment that are asked for, in the order of time.
  private func latest(
    _ count: Int, where isWanted: (TrackedFrame) -> Bool
  ) -> [TrackedFrame] {
    var found: [TrackedFrame] = []
    for frame in trajectory.frames.reversed() where isWanted(frame) {
      guard frame.fragment == fragments.count - 1, found.count < count else { break }
      found.append(frame)
    }
    return found.reversed()
  }
}
