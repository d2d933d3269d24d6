internal import PlumblineModel

/// When a frame counts as tracked.
///
/// The shares are set so that the frames of the recordings in `Documentation/scan.md` pass with a margin of two
/// and frames of another place, or with half of the view moved, do not.
package struct FusionLimits: Hashable, Sendable {
  /// A frame with fewer points with a normal is skipped.
  package var minimumPoints = 100
  /// With a smaller share on the surface the frame says nothing of its pose.
  package var minimumOverlap = 0.15
  /// With a smaller share of those that fits, the frame does not agree with the surface.
  package var minimumInlierShare = 0.4
  /// The residuals' median in σ, from which a frame does not agree; 0.67 is expected.
  package var maximumMedianSigmas = 3.0
  /// The length of a correction in the prior's σ, of six dimensions.
  package var maximumCorrectionSigmas = 8.0
  /// The overlap and the share that fits of a frame that is found again; above those of a tracked one,
  /// since the pose is a guess.
  package var relocalizedOverlap = 0.5
  package var relocalizedInlierShare = 0.7
  /// The same beside the medians of the frames tracked before it: residuals in σ at most, and share that fits at
  /// least; see ``Relocalization``.
  package var relocalizedResidual = 1.5
  package var relocalizedShare = 0.9
  /// The earlier poses that are tried.
  package var relocalizationPoses = 5
  /// After more lost frames in a row a new surface begins.
  package var maximumLostFrames = 10
  /// A recorded motion that is quicker is an error of the recording: m/s and rad/s.
  package var maximumSpeed = 5.0
  package var maximumRotationRate = 12.0
  /// So many frames are registered to one view of the surface, while the camera moves and turns by less.
  ///
  /// Frames that follow each other this soon share their errors, and drawing a view costs more than registering one.
  /// Twice the motion of before halved the views of a LiDAR recording, with the same agreement of its frames.
  package var viewFrames = 1
  package var viewMeters = 0.06
  package var viewRadians = 0.08
  /// How soon after a fused frame another one is registered and not fused, in seconds; 0 fuses all.
  ///
  /// That is so where it is as near as ``viewMeters`` and ``viewRadians``: see ``FusionPace``.
  package var fusionSeconds = 0.0

  /// Over a longer time rotations of the motion sensors are not used: seconds.
  package var sensedSeconds = 2.0

  /// The limits of a depth camera held by hand.
  package init() {}

  /// The state of a frame that was registered.
  func state(of quality: TrackingQuality, hasRecordedMotion: Bool) -> TrackingState {
    guard quality.overlap >= minimumOverlap else {
      return hasRecordedMotion ? .followed : .lost(.noOverlap)
    }
    guard quality.inlierShare >= minimumInlierShare,
      quality.medianSigmas <= maximumMedianSigmas
    else { return .lost(.disagreement) }
    if quality.keptDirections > 0 && !hasRecordedMotion { return .lost(.undetermined) }
    guard quality.correctionSigmas <= maximumCorrectionSigmas else { return .lost(.jump) }
    return .tracked
  }

  /// Whether a frame that was registered without an expected motion is found.
  func isRelocalized(_ quality: TrackingQuality) -> Bool {
    quality.overlap >= relocalizedOverlap && quality.inlierShare >= relocalizedInlierShare
      && quality.medianSigmas <= maximumMedianSigmas && quality.keptDirections == 0
  }

  /// Whether two cameras see nearly the same.
  func isNear(_ worldFromA: RigidTransform, _ worldFromB: RigidTransform) -> Bool {
    let motion = worldFromA.inverse * worldFromB
    return motion.distanceMeters <= viewMeters && motion.angleRadians <= viewRadians
  }

  /// Whether a camera can have moved so; without times any motion can be.
  func isPossible(_ motion: RigidTransform, _ seconds: Double?) -> Bool {
    guard let seconds, seconds > 0 else { return true }
    return motion.distanceMeters <= max(maximumSpeed * seconds, 0.02)
      && motion.angleRadians <= max(maximumRotationRate * seconds, 0.05)
  }
}
