/// Passes fewer frames than a camera delivers, where the camera itself cannot be slowed down.
///
/// ARKit has no limit for its depth rate; converting fewer frames is what an app can do for a warm
/// device. Frames that are not passed are no losses: the lower rate was reported before.
package struct FrameThinning: Hashable, Sendable {
  /// The camera's own rate in frames per second, at which every frame is passed.
  package let fullFramesPerSecond: Double
  private var nextSeconds: Double?

  /// Starts with the first frame.
  package init(fullFramesPerSecond: Double) { self.fullFramesPerSecond = fullFramesPerSecond }

  /// Whether a frame is passed.
  ///
  /// - Parameters:
  ///   - seconds: The time of the frame; after a time that goes back counting starts anew.
  ///   - framesPerSecond: The rate to pass; 0 for no frame.
  /// - Returns: `true` if at least the time of a frame has passed since the last one that was, within
  ///   a tenth of it, since camera times scatter.
  package mutating func passes(at seconds: Double, framesPerSecond: Double) -> Bool {
    guard framesPerSecond > 0 else { return false }
    // However early a frame comes, at the full rate it is not held back.
    guard framesPerSecond < fullFramesPerSecond else { return true }
    let step = 1 / framesPerSecond
    if let next = nextSeconds, seconds < next - step / 10, seconds >= next - 2 * step {
      return false
    }
    // Counted from the planned time, so that the mean rate is the wanted one.
    let planned = nextSeconds.flatMap { seconds - $0 < step && seconds >= $0 - step ? $0 : nil }
    nextSeconds = (planned ?? seconds) + step
    return true
  }
}
