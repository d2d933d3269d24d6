/// The depth rate that results from a video rate.
///
/// Depth never runs faster than video, and each depth frame spans an integer number of video
/// frames: video at 24 gives depth at 24; video at 30 gives depth at 15 if depth supports up to 24.
/// - Source: WWDC17 session 507, *Depth Frame Rate Examples*; the cap is
///   `AVCaptureDevice.activeDepthDataMinFrameDuration`, iOS 12.
package struct DepthRateRule: Hashable, Sendable {
  /// The first system version in which a program can cap the depth rate.
  package static let firstSystemWithCap = SystemVersion(12)

  /// The system version, which determines whether the rate can be capped.
  package var system: SystemVersion

  /// Creates the rule for a system version.
  package init(system: SystemVersion) { self.system = system }

  /// Whether a program can request less than the maximum depth rate without slowing the video.
  package var canCap: Bool { system >= Self.firstSystemWithCap }

  /// The maximum depth rate for a video rate.
  ///
  /// - Parameters:
  ///   - video: Frames per second of the video, above 0.
  ///   - range: The rates of the depth format.
  ///   - cap: The requested maximum rate; ignored before iOS 12.
  /// - Returns: `video / n` for the smallest integer `n` that fits; `nil` if none does.
  package func framesPerSecond(
    besideVideo video: Double, in range: ClosedRange<Double>, cap: Double? = nil
  ) -> Double? {
    guard video > 0, video.isFinite else { return nil }
    let top = min(range.upperBound, canCap ? cap ?? .infinity : .infinity)
    guard top > 0 else { return nil }
    // A tolerance of 0.001, so that 30/1.001 fps is treated as 29.97.
    let divisor = max(1, (video / top - 1e-3).rounded(.up))
    let rate = video / divisor
    return rate >= range.lowerBound - 1e-3 ? rate : nil
  }
}
