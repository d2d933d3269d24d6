/// Decides from one reading after the other whether something is too near, without flutter.
///
/// Something is *near* when the nearest depth minus one sigma is at most ``nearMeters``, so a less
/// certain source warns earlier. The state becomes *clear* again only ``hysteresisMeters`` farther away,
/// and changes only after several frames that agree. When too little is measured the state is
/// *unknown*, never *clear*. One exception: *near* then stays *near*, since a thing that comes closer
/// than the sensor can measure turns into a hole.
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
    /// Whether to sound, to vibrate or to speak: something is near, and the last signal is at least
    /// ``ProximityAlert/leastIntervalSeconds`` ago.
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
  /// How much farther than ``nearMeters`` it must be to become clear again, in meters.
  public var hysteresisMeters: Double
  /// The least time between two signals, in seconds.
  public var leastIntervalSeconds: Double
  /// The number of frames in a row that must agree before the state changes.
  public var confirmingFrames: Int
  /// The share of the region that must be measured for the state to become *clear*.
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
  ///   - nearMeters: The distance that is too near, in meters.
  ///   - hysteresisMeters: The additional distance to become clear again; a tenth of `nearMeters`
  ///     unless given.
  ///   - leastIntervalSeconds: The least time between two signals, in seconds.
  ///   - confirmingFrames: The number of frames in a row that must agree; at 30 frames a second, two
  ///     delay a change by 33 ms.
  ///   - leastMeasuredShare: The share of the region that must be measured to become *clear*.
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
  ///   - reading: The frame's nearest depth and measured share.
  ///   - seconds: The time of the frame on the source's own clock. If it steps back, as when a
  ///     recording starts again, the next signal is due at once.
  /// - Returns: A change of state or a signal; `nil` if there is neither.
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
    // A time that stepped back, or is not a number, must not keep the alert silent.
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
