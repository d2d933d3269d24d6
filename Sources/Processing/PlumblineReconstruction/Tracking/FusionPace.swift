package import PlumblineModel

/// Which of the frames whose poses are known are fused.
///
/// A frame that follows the last fused one within ``FusionLimits/fusionSeconds``, from nearly the same place, shares
/// nearly all its errors with it. A volume weighs frames by the time since the last one, so that the next one counts
/// for those that are passed over.
package struct FusionPace: Sendable {
  private let limits: FusionLimits
  private var last: (seconds: Double, worldFromCamera: RigidTransform)?

  /// Begins before the first frame of a surface.
  package init(_ limits: FusionLimits) { self.limits = limits }

  /// Whether a frame is fused.
  ///
  /// - Parameters:
  ///   - seconds: Its time; a frame without one always is.
  ///   - worldFromCamera: Its pose.
  /// - Returns: `false` where the last fused frame stands for it.
  package mutating func takes(seconds: Double?, worldFromCamera: RigidTransform) -> Bool {
    guard let seconds, seconds.isFinite else { return true }
    if let last, seconds >= last.seconds, seconds - last.seconds < limits.fusionSeconds,
      limits.isNear(last.worldFromCamera, worldFromCamera)
    {
      return false
    }
    last = (seconds, worldFromCamera)
    return true
  }
}
