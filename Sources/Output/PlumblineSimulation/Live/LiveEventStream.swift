import PlumblineCapture
import PlumblineModel

/// The events of a simulated camera with their times, without a clock.
///
/// Color and depth are two outputs that ``CaptureSynchronizer`` combines, with color as the master,
/// as on a phone. Equal settings give equal events.
struct LiveEventStream: Sequence, IteratorProtocol {
  /// An event, and the time when it reaches the consumer, in seconds from the start.
  struct Moment {
    let seconds: Double
    let event: DepthCameraEvent
  }

  private let settings: LiveCameraSettings
  private let views: LiveViews
  private var generator: SeededGenerator
  private var depth: LiveDepthOutput
  private var synchronizer = CaptureSynchronizer<Int>(outputCount: 2, capacity: 64)
  private var governor: ThermalGovernor
  private var moments: [Moment] = []
  private var nextMoment = 0
  private var frame = 0
  private var lastSeconds = -1.0
  private var nextThermal = 0
  private var nextMotion = 0
  private var depthCredit: Double
  private var hasEnded = false

  init(_ settings: LiveCameraSettings, views: LiveViews) {
    self.settings = settings
    self.views = views
    var seeds = SeededGenerator(seed: settings.seed)
    generator = seeds.split()
    // With this value the first frame has depth.
    depthCredit = 1 - settings.depthFramesPerSecond / settings.videoFramesPerSecond
    depth = LiveDepthOutput(settings, generator: seeds.split())
    governor = ThermalGovernor(
      ThermalPolicy(
        fullFramesPerSecond: settings.depthFramesPerSecond,
        coolingSeconds: settings.coolingSeconds))
  }

  /// The next event; `nil` at the end.
  mutating func next() -> Moment? {
    while nextMoment == moments.count {
      moments.removeAll(keepingCapacity: true)
      nextMoment = 0
      guard !hasEnded else { return nil }
      advance()
    }
    defer { nextMoment += 1 }
    return moments[nextMoment]
  }

  /// Exposes one color frame and emits the events that are complete by then.
  private mutating func advance() {
    let interval = 1 / settings.videoFramesPerSecond
    let grid = Double(frame) * interval
    if frame == settings.frameLimit || grid >= settings.failureSeconds ?? .infinity {
      end(at: grid)
      return
    }
    let jitter = settings.jitterSeconds * generator.gaussian()
    // Time stamps stay in order, since the jitter is at most two fifths of the interval.
    let seconds = grid + Swift.max(-0.4 * interval, Swift.min(jitter, 0.4 * interval))
    warm(at: grid)
    guard !hasEnded else { return }
    handOut(depth.arrivals(until: seconds), at: seconds)
    move(until: seconds)
    let isInterrupted = settings.interruptions.contains { $0.contains(grid) }
    if isInterrupted {
      collect(synchronizer.drop(.discontinuity, at: seconds, from: 0), at: seconds)
    } else {
      collect(synchronizer.deliver(frame, at: seconds, from: 0), at: seconds)
    }
    // Depth runs at an integer fraction of the video rate; the next depth frame is due after the
    // skipped ones.
    depthCredit += governor.framesPerSecond / settings.videoFramesPerSecond
    if depthCredit >= 1 - 1e-9 {
      depthCredit -= 1
      depth.expose(frame, at: seconds, isInterrupted: isInterrupted)
    }
    lastSeconds = seconds
    frame += 1
  }

  private mutating func end(at seconds: Double) {
    hasEnded = true
    handOut(depth.arrivals(until: .infinity), at: seconds)
    collect(synchronizer.finish(), at: seconds)
  }

  private mutating func warm(at seconds: Double) {
    var reading = governor.reading
    while nextThermal < settings.thermalScript.count,
      settings.thermalScript[nextThermal].seconds <= seconds
    {
      reading = settings.thermalScript[nextThermal].reading
      nextThermal += 1
      moments.append(Moment(seconds: seconds, event: .thermal(reading)))
    }
    guard let change = governor.take(reading, at: seconds) else { return }
    moments.append(Moment(seconds: seconds, event: .depthRate(change)))
    if change.isStop { end(at: seconds) }
  }

  /// Small, smooth and bounded hand motion; invented.
  private mutating func move(until seconds: Double) {
    guard settings.motionFramesPerSecond > 0 else { return }
    var samples: [MotionSample] = []
    while Double(nextMotion) / settings.motionFramesPerSecond <= seconds {
      let time = Double(nextMotion) / settings.motionFramesPerSecond
      var sample = MotionSample(timestampSeconds: settings.startSeconds + time)
      let phase = (time / 2).truncatingRemainder(dividingBy: 1)
      let sway = 1 - 4 * abs(phase - 0.5)
      sample.rotationRate = [0.02 * sway, 0.1 * sway, 0]
      sample.specificForce = [0.05 * sway, 9.81, 0.02 * sway]
      samples.append(sample)
      nextMotion += 1
    }
    if !samples.isEmpty { moments.append(Moment(seconds: seconds, event: .motion(samples))) }
  }

  private mutating func handOut(_ arrivals: [LiveDepthOutput.Arrival], at limit: Double) {
    for arrival in arrivals {
      let seconds = Swift.min(arrival.arrivalSeconds, limit)
      if let reason = arrival.reason {
        collect(synchronizer.drop(reason, at: arrival.timestampSeconds, from: 1), at: seconds)
      } else {
        collect(
          synchronizer.deliver(arrival.frame, at: arrival.timestampSeconds, from: 1), at: seconds)
      }
    }
  }

  private mutating func collect(
    _ collections: CaptureSynchronizer<Int>.Collections, at seconds: Double
  ) {
    for collection in collections {
      moments.append(Moment(seconds: seconds, event: event(of: collection)))
    }
  }

  private func event(of collection: SynchronizedData<Int>) -> DepthCameraEvent {
    let time = settings.startSeconds + collection.timestampSeconds
    if let frame = collection.datum(of: 0), collection.datum(of: 1) != nil {
      var capture = views.capture(ofFrame: frame)
      capture.timestampSeconds = time
      return .capture(capture)
    }
    let reason =
      collection.droppedReason(of: 0) ?? collection.droppedReason(of: 1) ?? .noDepth
    return .dropped(DroppedFrame(timestampSeconds: time, reason: reason))
  }
}

/// The depth output of a simulated camera: which frames arrive, when, and which are lost.
struct LiveDepthOutput {
  /// A pending depth frame, or its loss.
  struct Arrival {
    let arrivalSeconds: Double
    let timestampSeconds: Double
    let frame: Int
    let reason: DroppedFrame.Reason?
  }

  private let settings: LiveCameraSettings
  private var generator: SeededGenerator
  private var waiting: [Arrival] = []
  private var lastArrival = -Double.infinity

  init(_ settings: LiveCameraSettings, generator: SeededGenerator) {
    self.settings = settings
    self.generator = generator
  }

  /// Exposes a frame; it arrives later.
  mutating func expose(_ frame: Int, at seconds: Double, isInterrupted: Bool) {
    // All random draws happen for every frame, so that one effect never changes the draws of
    // another.
    let fate = generator.uniform()
    let spread = -portableLogarithm(max(1 - generator.uniform(), 1e-12))
    let latency = settings.depthLatencySeconds + settings.latencySpreadSeconds * spread
    var reason: DroppedFrame.Reason?
    if isInterrupted {
      reason = .discontinuity
    } else {
      var passed = 0.0
      for candidate in DroppedFrame.Reason.allCases {
        passed += settings.dropShares[candidate] ?? 0
        if reason == nil, fate < passed { reason = candidate }
      }
      if reason == nil, latency > settings.lateSeconds { reason = .lateData }
    }
    // An output delivers its frames in order.
    lastArrival = max(lastArrival, seconds + min(latency, settings.lateSeconds))
    waiting.append(
      Arrival(
        arrivalSeconds: lastArrival, timestampSeconds: seconds, frame: frame, reason: reason))
  }

  /// The frames that have arrived by a time, in order.
  mutating func arrivals(until seconds: Double) -> [Arrival] {
    let count = waiting.prefix { $0.arrivalSeconds <= seconds }.count
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }
}
