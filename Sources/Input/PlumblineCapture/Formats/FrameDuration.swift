/// An exact duration as a whole number of fractions of a second, in lowest terms; `CMTime` without
/// its flags.
///
/// Rates such as 29.97 frames per second have no exact decimal number. A camera refuses a duration
/// outside its ranges with an exception, so its own numbers are passed on and never rounded.
package struct FrameDuration: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of fractions, above 0.
  package let value: Int64
  /// The number of fractions in a second, above 0.
  package let timescale: Int32

  /// Creates a duration; `nil` unless both numbers are above 0.
  package init?(value: Int64, timescale: Int32) {
    guard value > 0, timescale > 0 else { return nil }
    let divisor = Self.commonDivisor(value, Int64(timescale))
    self.value = value / divisor
    self.timescale = Int32(clamping: Int64(timescale) / divisor)
  }

  /// The duration of a frame at a rate, exact for rates with up to three decimals.
  ///
  /// Other rates are rounded to a millionth of a second.
  /// - Precondition: The rate is from 0.001 to 1,000,000 frames per second.
  package init(framesPerSecond rate: Double) {
    precondition((0.001...1_000_000).contains(rate), "frames at \(rate) per second")
    for denominator in [1, 2, 3, 4, 5, 6, 7, 8, 10, 100, 1000] {
      let numerator = rate * Double(denominator)
      guard abs(numerator - numerator.rounded()) <= 1e-9 * numerator,
        let timescale = Int32(exactly: numerator.rounded()),
        let duration = FrameDuration(value: Int64(denominator), timescale: timescale)
      else { continue }
      self = duration
      return
    }
    let microseconds = Int64((1_000_000 / rate).rounded())
    self = FrameDuration(value: max(microseconds, 1), timescale: 1_000_000) ?? .second
  }

  /// One second.
  package static let second = FrameDuration(whole: 1)

  private init(whole seconds: Int64) { (value, timescale) = (seconds, 1) }

  /// Frames per second at this duration.
  package var framesPerSecond: Double { Double(timescale) / Double(value) }

  /// The duration in seconds.
  package var seconds: Double { Double(value) / Double(timescale) }

  /// A whole multiple; `nil` for a factor below 1 and where the number of fractions overflows.
  package func multiplied(by factor: Int) -> FrameDuration? {
    let (product, overflows) = value.multipliedReportingOverflow(by: Int64(factor))
    return overflows ? nil : FrameDuration(value: product, timescale: timescale)
  }

  /// Whether a duration is shorter than another one; exact.
  package static func < (a: FrameDuration, b: FrameDuration) -> Bool {
    let left = a.value.multipliedFullWidth(by: Int64(b.timescale))
    let right = b.value.multipliedFullWidth(by: Int64(a.timescale))
    return (left.high, left.low) < (right.high, right.low)
  }

  /// The duration as `1001/30000 s`.
  package var description: String { "\(value)/\(timescale) s" }

  private static func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

/// A range of frame durations that a format supports; `AVFrameRateRange`.
package struct FrameRateRange: Hashable, Sendable {
  /// The difference between two rates that count as the same, in frames per second: a request for
  /// 30 accepts 29.97.
  package static let toleranceFramesPerSecond = 0.05

  /// `minFrameDuration`, of the maximum rate.
  package let shortest: FrameDuration
  /// `maxFrameDuration`, of the minimum rate.
  package let longest: FrameDuration

  /// Creates a range; `nil` if the shortest duration is longer than the longest one.
  package init?(shortest: FrameDuration, longest: FrameDuration) {
    guard shortest <= longest else { return nil }
    self.shortest = shortest
    self.longest = longest
  }

  /// Creates a range from rates, for tables of formats.
  ///
  /// - Precondition: Both rates are from 0.001 to 1,000,000 frames per second.
  package init(framesPerSecond rates: ClosedRange<Double>) {
    shortest = FrameDuration(framesPerSecond: rates.upperBound)
    longest = FrameDuration(framesPerSecond: rates.lowerBound)
  }

  /// The rates in frames per second.
  package var framesPerSecond: ClosedRange<Double> {
    longest.framesPerSecond...shortest.framesPerSecond
  }

  /// Whether the camera accepts a duration; exact.
  package func contains(_ duration: FrameDuration) -> Bool {
    duration >= shortest && duration <= longest
  }

  /// The duration in this range that is next to another one.
  package func nearest(to duration: FrameDuration) -> FrameDuration {
    min(max(duration, shortest), longest)
  }

  /// The duration for a rate, which the camera accepts; `nil` for a rate outside of the range.
  ///
  /// A rate within ``toleranceFramesPerSecond`` of a bound has exactly the duration of the bound.
  /// - Precondition: The rate is from 0.001 to 1,000,000 frames per second.
  package func duration(framesPerSecond rate: Double) -> FrameDuration? {
    let tolerance = Self.toleranceFramesPerSecond
    guard rate >= framesPerSecond.lowerBound - tolerance,
      rate <= framesPerSecond.upperBound + tolerance
    else { return nil }
    if abs(rate - framesPerSecond.upperBound) <= tolerance { return shortest }
    if abs(rate - framesPerSecond.lowerBound) <= tolerance { return longest }
    return nearest(to: FrameDuration(framesPerSecond: rate))
  }
}

extension [FrameRateRange] {
  /// The duration for a rate in the first range that has it; `nil` for none.
  package func duration(framesPerSecond rate: Double) -> FrameDuration? {
    lazy.compactMap { $0.duration(framesPerSecond: rate) }.first
  }

  /// The nearest duration of any range; `nil` without ranges.
  package func nearest(to duration: FrameDuration) -> FrameDuration? {
    map { $0.nearest(to: duration) }.min {
      abs($0.seconds - duration.seconds) < abs($1.seconds - duration.seconds)
    }
  }

  /// The rates from the minimum to the maximum; 0 without ranges.
  package var framesPerSecond: ClosedRange<Double> {
    let (least, most) = (map(\.longest).max(), map(\.shortest).min())
    guard let least, let most else { return 0...0 }
    return least.framesPerSecond...most.framesPerSecond
  }
}
