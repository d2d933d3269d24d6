/// Which rate depth runs at beside a video rate.
///
/// Depth never runs faster than video, and a whole number of video frames falls on each depth frame:
/// video 24 gives depth 24, video 30 gives depth 15 where depth can do 24.
/// - Source: WWDC17 session 507, *Depth Frame Rate Examples*; the cap is
///   `AVCaptureDevice.activeDepthDataMinFrameDuration`, iOS 12.
public struct DepthRateRule: Hashable, Sendable {
  /// The first system that lets a program cap the rate of depth.
  public static let firstSystemWithCap = SystemVersion(12)

  /// The system; it decides whether the rate can be capped.
  public var system: SystemVersion

  /// Creates the rule of a system.
  public init(system: SystemVersion) { self.system = system }

  /// Whether a program can request less than the fastest rate without slowing the video.
  public var canCap: Bool { system >= Self.firstSystemWithCap }

  /// The fastest rate of depth beside a video rate.
  ///
  /// - Parameters:
  ///   - video: Frames per second of the video, above 0.
  ///   - range: What the depth format can do.
  ///   - cap: The fastest rate that is wanted; without effect before iOS 12.
  /// - Returns: `video / n` for the smallest whole `n` that fits; `nil` when none does.
  public func framesPerSecond(
    besideVideo video: Double, in range: ClosedRange<Double>, cap: Double? = nil
  ) -> Double? {
    guard video > 0, video.isFinite else { return nil }
    let top = min(range.upperBound, canCap ? cap ?? .infinity : .infinity)
    guard top > 0 else { return nil }
    // A thousandth of rounding: 30/1.001 fps counts as no more than 29.97.
    let divisor = max(1, (video / top - 1e-3).rounded(.up))
    let rate = video / divisor
    return rate >= range.lowerBound - 1e-3 ? rate : nil
  }
}
