package import PlumblineModel

/// How a device turned between two times, by its motion sensors.
///
/// Where samples have an orientation, two of them give the rotation; else the rotation rate is integrated.
package struct SensedRotations: Sendable {
  /// Samples with an orientation or a rotation rate, in the order of their times.
  private let samples: [MotionSample]
  /// Over a longer time without a sample nothing is known: at 1 rad/s² of a hand the rate changes by 0.05 rad/s.
  static let maximumGapSeconds = 0.05

  /// Keeps the samples that say something of rotation; O(*n* log *n*).
  ///
  /// - Parameter samples: In any order; those with a time or a value that is not finite are left out.
  package init(_ samples: [MotionSample]) {
    let useful = samples.filter { sample in
      guard sample.timestampSeconds.isFinite else { return false }
      guard let rate = sample.rotationRate else { return sample.worldFromSensor != nil }
      return (rate * rate).sum().isFinite
    }
    self.samples = useful.enumerated().sorted {
      ($0.element.timestampSeconds, $0.offset) < ($1.element.timestampSeconds, $1.offset)
    }.map(\.element)
  }

  /// Whether nothing is known.
  package var isEmpty: Bool { samples.isEmpty }

  /// The rotation from the sensor's axes at one time to those at an earlier time.
  ///
  /// - Parameters:
  ///   - start: In seconds, on the clock of the samples.
  ///   - end: The same, not before `start`.
  /// - Returns: `startFromEnd` of the sensor's axes; `nil` where samples are missing in between. Cost: O(log *n*)
  ///   with orientations, else O(samples in between).
  package func rotation(from start: Double, to end: Double) -> Rotation? {
    guard start.isFinite, end.isFinite, start <= end, !samples.isEmpty else { return nil }
    if let first = orientation(at: start), let last = orientation(at: end) {
      return first.inverse * last
    }
    return integratedRate(from: start, to: end)
  }

  /// The orientation at a time, between the samples before and after it.
  private func orientation(at seconds: Double) -> Rotation? {
    guard let (before, after) = neighbors(of: seconds), let first = before.worldFromSensor,
      let last = after.worldFromSensor
    else { return nil }
    let step = after.timestampSeconds - before.timestampSeconds
    guard step > 0 else { return first }
    let share = (seconds - before.timestampSeconds) / step
    let turn = (first.inverse * last).axisAngle
    return Rotation(axisAngle: turn * share).map { first * $0 }
  }

  /// The samples next to a time; one that is the time itself stands for both.
  private func neighbors(of seconds: Double) -> (MotionSample, MotionSample)? {
    let next = firstIndex(notBefore: seconds)
    guard next < samples.count else { return nil }
    if samples[next].timestampSeconds == seconds { return (samples[next], samples[next]) }
    guard next > 0, isContinuous(next) else { return nil }
    return (samples[next - 1], samples[next])
  }

  /// The product of the rotations of short times, each with the mean rate of its ends.
  ///
  /// - Source: The midpoint rule; its error is of the third order in the time of a step, below 1e-6 rad for
  ///   100 Hz and 30 rad/s².
  private func integratedRate(from start: Double, to end: Double) -> Rotation? {
    var total = Rotation.identity
    var time = start
    var index = firstIndex(notBefore: start)
    while time < end {
      guard index > 0, index < samples.count, isContinuous(index),
        let first = samples[index - 1].rotationRate, let last = samples[index].rotationRate
      else { return nil }
      let begin = samples[index - 1].timestampSeconds
      let step = samples[index].timestampSeconds - begin
      let until = min(samples[index].timestampSeconds, end)
      if step > 0, until > time {
        let share = ((time + until) / 2 - begin) / step
        let rate = first + (last - first) * share
        guard let turn = Rotation(axisAngle: rate * (until - time)) else { return nil }
        total = total * turn
      }
      time = max(time, until)
      index += 1
    }
    return total
  }

  private func isContinuous(_ index: Int) -> Bool {
    samples[index].timestampSeconds - samples[index - 1].timestampSeconds
      <= Self.maximumGapSeconds
  }

  /// The first sample that is not before a time; the number of samples where all are.
  private func firstIndex(notBefore seconds: Double) -> Int {
    var (low, high) = (0, samples.count)
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].timestampSeconds < seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
