public import PlumblineModel

/// The regularity of a recording's frame times.
public struct ClockAssessment: Sendable {
  /// A gap where frames are missing.
  public struct Gap: Sendable {
    /// The frame after the gap.
    public var frame: String
    /// The time without a frame, in seconds.
    public var seconds: Double
    /// The number of frames of the usual interval that would fit.
    public var missingFrames: Int
  }

  /// A step between two frames counts as a gap from this many usual intervals: half an interval
  /// late is jitter, since a missed frame makes two.
  static let gapIntervals = 1.5

  /// From the first frame's time to the last one's, in seconds; `nil` with fewer than two times.
  public var seconds: Double?
  /// The usual time between two frames, the middle one of all, in seconds; `nil` with fewer than
  /// two frames in order.
  public var intervalSeconds: Double?
  /// How far intervals usually differ from the usual one: their median absolute deviation in
  /// seconds.
  public var jitterSeconds: Double?
  /// The gaps where frames are missing, in the order of time.
  public var gaps: [Gap]
  /// Frames whose time is before that of the frame before them.
  public var backwardFrames: [String]
  /// Frames whose time is that of the frame before them.
  public var repeatedFrames: [String]
  /// Frames without a time.
  public var untimedFrames: [String]

  /// Frames each second where none is missing; `nil` when unknown.
  ///
  /// One over the mean of the intervals that are no gaps. The middle interval says less, since
  /// exposure times make intervals uneven.
  public var framesPerSecond: Double?

  /// All frames that are missing in gaps.
  public var missingFrames: Int { gaps.reduce(0) { $0 + $1.missingFrames } }

  /// Looks at the times of all frames; O(*n* log *n*).
  package init(_ frames: [FrameFacts]) {
    let timed = frames.compactMap { frame in
      frame.timestampSeconds.flatMap { $0.isFinite ? (name: frame.name, seconds: $0) : nil }
    }
    untimedFrames = frames.filter { $0.timestampSeconds?.isFinite != true }.map(\.name)
    gaps = []
    backwardFrames = []
    repeatedFrames = []
    guard let first = timed.map(\.seconds).min(), let last = timed.map(\.seconds).max(),
      timed.count > 1
    else { return }
    seconds = last - first
    var intervals: [Double] = []
    for (before, after) in zip(timed, timed.dropFirst()) {
      let interval = after.seconds - before.seconds
      if interval > 0 { intervals.append(interval) }
      if interval < 0 { backwardFrames.append(after.name) }
      if interval == 0 { repeatedFrames.append(after.name) }
    }
    guard let usual = intervals.lowerMedian else { return }
    intervalSeconds = usual
    let even = intervals.filter { $0 <= Self.gapIntervals * usual }
    framesPerSecond = Double(even.count) / even.reduce(0, +)
    jitterSeconds = intervals.map { abs($0 - usual) }.lowerMedian
    for (before, after) in zip(timed, timed.dropFirst()) {
      let interval = after.seconds - before.seconds
      guard interval > Self.gapIntervals * usual else { continue }
      // A clock may leap by anything; what no camera records is no count of frames.
      let missing = min((interval / usual).rounded() - 1, 1e9)
      gaps.append(
        Gap(frame: after.name, seconds: interval, missingFrames: max(1, Int(missing))))
    }
  }

  /// The findings about the clock.
  public var findings: [Finding] {
    var findings: [Finding] = []
    if let first = backwardFrames.first {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock goes backwards at \(backwardFrames.count.counting("frame")); speeds and "
            + "pairings by time are wrong there", evidence: "first at \(first)"))
    }
    if let first = repeatedFrames.first {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution,
          "the time of the frame before is repeated at \(repeatedFrames.count.counting("frame"))",
          evidence: "first at \(first)"))
    }
    if let longest = gaps.max(by: { $0.seconds < $1.seconds }) {
      findings.append(
        Finding(
          .sequenceDroppedFrames, .note,
          "about \(missingFrames.counting("missing frame")) in \(gaps.count.counting("gap")), "
            + "the longest of \(longest.seconds.fixed(3)) s", evidence: "before \(longest.frame)"))
    }
    return findings
  }
}

extension [Double] {
  /// The middle of the numbers when ordered, of two middles the lower; `nil` for none.
  var lowerMedian: Double? {
    let sorted = self.sorted()
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}
