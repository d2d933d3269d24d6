package import PlumblineModel
internal import PlumblineNumerics

/// Finds the pose of a frame on a surface after frames that were lost, where nothing says how the camera moved.
///
/// A frame that fits is no proof: a smooth surface, such as the back of a head, fits itself in several places. So a
/// pose counts only if the frame fits there as well as the frames that were tracked, and if every search that
/// ends in such a fit ends at the same pose.
package struct Relocalization: Sendable {
  /// Registers with levels for starting poses that are far off.
  package let tracker: FrameTracker
  /// What a frame that fits must reach.
  package let limits: FusionLimits
  /// The quality of frames that were tracked on this surface.
  package let tracked: [TrackingQuality]

  /// Creates a search; without qualities a frame need only reach the limits.
  package init(tracker: FrameTracker, limits: FusionLimits, tracked: [TrackingQuality]) {
    self.tracker = tracker
    self.limits = limits
    self.tracked = tracked
  }

  /// Searches from earlier poses, the first one first.
  ///
  /// - Parameters:
  ///   - frame: The frame; its recorded pose is not used.
  ///   - model: The surface.
  ///   - poses: Where the search begins, `worldFromCamera`.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: The best fit; `nil` where none is good enough, or where two of them are different places.
  ///   Cost: a view and a registration for each pose.
  package func result<Model: FusedModel>(
    of frame: ScanFrame, on model: Model, from poses: [RigidTransform], threads: Int
  ) -> TrackingResult? {
    let points = TrackedPoints.of(frame, levels: tracker.settings.levels)
    var best: TrackingResult?
    for pose in poses {
      let prior = PosePrior(worldFromCamera: pose, sigmaRadians: 0.2, sigmaMeters: 0.1)
      let view = model.view(camera: frame.viewCamera, worldFromCamera: pose, threads: threads)
      let result = tracker.register(points, to: view, prior: prior, threads: threads)
      guard limits.isRelocalized(result.quality), isUsual(result.quality) else { continue }
      guard let found = best else {
        best = result
        continue
      }
      guard limits.isNear(found.estimate.aFromB, result.estimate.aFromB) else { return nil }
      if result.quality.overlap > found.quality.overlap { best = result }
    }
    return best
  }

  /// Whether a frame fits as well as those that were tracked.
  private func isUsual(_ quality: TrackingQuality) -> Bool {
    guard let residual = tracked.map(\.medianSigmas).median,
      let share = tracked.map(\.inlierShare).median
    else { return true }
    return quality.medianSigmas <= limits.relocalizedResidual * residual
      && quality.inlierShare >= limits.relocalizedShare * share
  }
}
