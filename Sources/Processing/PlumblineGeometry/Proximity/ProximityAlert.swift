/// Decides from one reading after the other whether something is too near, without flutter.
///
/// It is near where the depth less its one sigma is at most ``nearMeters``: the less certain a
/// source, the earlier. It is clear again only beyond the hysteresis. A state changes after several
/// frames that agree. Where too little is measured the state is *unknown*, never *clear*; only what
/// was near stays so, since a thing that comes nearer than a sensor can measure turns into a hole.
public struct ProximityAlert: Sendable {
  /// Whether something is near.
  public enum State: String, Sendable, CaseIterable {
    /// Nothing is near.
    case clear
    /// Something is near.
    case near
    /// Too little was measured to say.
    case unknown
  }

  /// A change of state or a signal, for the caller to present.
  public struct Event: Sendable, Hashable {
    /// The current state.
    public var state: State
    /// Whether to sound, to vibrate or to speak: something is near, and the last signal is long ago.
    public var isSignal: Bool
    /// Whether the state differs from the one before.
    public var isChange: Bool
    /// The reading of the frame.
    public var reading: ProximityReading
    /// The moment of the frame, in seconds of its own clock.
    public var seconds: Double
  }

  /// The distance that is too near, in meters along the optical axis.
  public var nearMeters: Double
  /// How much farther away it must be to be clear again, in meters.
  public var hysteresisMeters: Double
  /// The least time between two signals, in seconds.
  public var leastIntervalSeconds: Double
  /// The number of frames in a row that must agree before the state changes.
  public var confirmingFrames: Int
  /// The least measured share of the region that allows to say *clear*.
  public var leastMeasuredShare: Double
  /// The state so far.
  public private(set) var state = State.unknown

  private var candidate: State?
  private var agreeing = 0
  private var signaledAt: Double?
  private var hasSpoken = false

  /// Creates an alert that knows nothing yet.
  ///
  /// - Parameters:
  ///   - nearMeters: What is too near.
  ///   - hysteresisMeters: A tenth of it unless given.
  ///   - leastIntervalSeconds: Between two signals.
  ///   - confirmingFrames: In a row; at 30 frames a second two of them cost 33 ms.
  ///   - leastMeasuredShare: Below it nothing is said to be clear.
  /// - Precondition: All are finite; the distance is above 0, the others at least 0, the frames at
  ///   least 1, the share at most 1.
  public init(
    nearMeters: Double, hysteresisMeters: Double? = nil, leastIntervalSeconds: Double = 1,
    confirmingFrames: Int = 2, leastMeasuredShare: Double = 0.1
  ) {
    let hysteresis = hysteresisMeters ?? nearMeters / 10
    precondition(nearMeters > 0 && nearMeters < .infinity, "what is near must be above 0 m")
    precondition(hysteresis >= 0 && hysteresis < .infinity, "a hysteresis cannot be negative")
    precondition(leastIntervalSeconds >= 0, "an interval cannot be negative")
    precondition(confirmingFrames >= 1, "at least one frame confirms")
    precondition((0...1).contains(leastMeasuredShare), "a share lies in 0…1")
    self.nearMeters = nearMeters
    self.hysteresisMeters = hysteresis
    self.leastIntervalSeconds = leastIntervalSeconds
    self.confirmingFrames = confirmingFrames
    self.leastMeasuredShare = leastMeasuredShare
  }

  /// Takes the next frame's reading.
  ///
  /// - Parameters:
  ///   - reading: Of the frame.
  ///   - seconds: Its moment on a clock of its own. A clock that steps back, as where a recording
  ///     starts again, ends the wait for the next signal.
  /// - Returns: What to tell; `nil` where there is nothing new.
  public mutating func next(_ reading: ProximityReading, at seconds: Double) -> Event? {
    let seen = seen(reading)
    if seen == state && hasSpoken {
      candidate = nil
    } else {
      agreeing = seen == candidate ? agreeing + 1 : 1
      candidate = seen
    }
    var isChange = false
    if candidate != nil, agreeing >= confirmingFrames {
      isChange = true
      state = seen
      hasSpoken = true
      candidate = nil
    }
    let isSignal = state == .near && seen == .near && isDue(at: seconds)
    guard isChange || isSignal else { return nil }
    if isSignal { signaledAt = seconds }
    return Event(
      state: state, isSignal: isSignal, isChange: isChange, reading: reading, seconds: seconds)
  }

  private func isDue(at seconds: Double) -> Bool {
    guard let signaledAt else { return true }
    // Neither a clock that stepped back nor one that is not a number may keep the alert silent.
    return !(seconds >= signaledAt && seconds - signaledAt < leastIntervalSeconds)
  }

  /// What one reading alone says, given the state so far.
  private func seen(_ reading: ProximityReading) -> State {
    let isMeasured = reading.measuredShare >= leastMeasuredShare
    if let nearest = reading.nearestMeters {
      let limit = state == .near ? nearMeters + hysteresisMeters : nearMeters
      if nearest - (reading.sigmaMeters ?? 0) <= limit { return .near }
      if isMeasured { return .clear }
    } else if isMeasured {
      return .clear
    }
    return state == .near ? .near : .unknown
  }
}
