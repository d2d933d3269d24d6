internal import PlumblineModel
internal import PlumblineNumerics

/// Registers a frame to a surface as a camera sees it.
///
/// Each point of the frame is projected into the view, from coarse to fine, and its distance from the plane of the
/// nearest pixel is a residual `r`. The pose `T` minimizes
/// `(n_eff/n)·Σ ρ(r²/σ²) + ‖log(T_prior⁻¹·T)‖²_Σ` by Gauss–Newton steps: ρ is Tukey's biweight, σ the ± of
/// the pixel along the normal with that of the surface, and `n_eff` the number of patches whose errors are
/// independent. Directions that the surface does not fix get their part from colors where there are any
/// (``ColorMatch``), and keep the prior else.
///
/// - Source: R. Newcombe et al., *KinectFusion*, ISMAR 2011, for projective association; Y. Chen and
///   G. Medioni 1992 for the distance from the plane; the prior and `n_eff`: `Documentation/scan.md`.
package struct FrameTracker: Sendable {
  /// How frames are registered.
  package var settings: TrackingSettings

  /// Creates a tracker.
  package init(settings: TrackingSettings = TrackingSettings()) { self.settings = settings }

  /// Registers a frame.
  ///
  /// - Parameters:
  ///   - frame: Its own recorded pose is not used.
  ///   - view: A surface, of any camera.
  ///   - prior: The expected pose.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: The pose in the world of the view; the prior where frame and view have nothing in common.
  ///   Cost: O(pixels / stride²) for each step.
  package func register(
    _ frame: ScanFrame, to view: SurfaceView, prior: PosePrior, threads: Int
  ) -> TrackingResult {
    register(.of(frame, levels: settings.levels), to: view, prior: prior, threads: threads)
  }

  /// Registers the points of a frame, which may be registered to several views.
  ///
  /// - Precondition: The points have the levels of these settings.
  package func register(
    _ points: TrackedPoints, to view: SurfaceView, prior: PosePrior, threads: Int
  ) -> TrackingResult {
    register(points, to: view, colors: nil, prior: prior, isContinued: false, threads: threads)
  }

  /// Registers the points of a frame, and where the surface leaves directions open its colors; less is called open
  /// where it continues a frame without open directions.
  func register(
    _ points: TrackedPoints, to view: SurfaceView, colors: ColorMatch?, prior: PosePrior,
    isContinued: Bool, threads: Int
  ) -> TrackingResult {
    precondition(points.counts.count == settings.levels.count, "points of other levels")
    let cameraFromWorld = view.worldFromCamera.inverse
    var search = PoseSearch(
      pose: prior.estimate.aFromB, prior: prior, settings: settings, size: points.size,
      isContinued: isContinued)
    var colors = colors
    for (place, level) in settings.levels.enumerated() {
      let count = points.counts[place]
      for _ in 0..<max(level.iterations, 1) {
        let sums = TrackingSums.of(
          points, count: count, against: view,
          step: search.step(cameraFromWorld, level: level), threads: threads)
        guard sums.used >= 6 else { break }
        let pose = search.pose
        let goesOn = search.advance(sums, level: level) {
          colors?.equations(points, level: place, worldFromCamera: pose)
        }
        guard goesOn else { break }
      }
    }
    return result(search, points: points, view: view, colors: colors, threads: threads)
  }

  /// The quality and the covariance at the pose that was found.
  private func result(
    _ search: PoseSearch, points: TrackedPoints, view: SurfaceView, colors: ColorMatch?,
    threads: Int
  ) -> TrackingResult {
    guard let level = settings.levels.last, let coarsest = points.counts.first else {
      preconditionFailure("settings without a level")
    }
    let step = search.step(view.worldFromCamera.inverse, level: level)
    let sums = TrackingSums.of(
      points, count: points.count, against: view, step: step, threads: threads)
    // The median of the coarsest level's points, which are spread over the whole frame.
    var residuals = [Float](repeating: .nan, count: coarsest)
    residuals.withUnsafeMutableBufferPointer {
      _ = TrackingSums.of(
        points, count: coarsest, against: view, step: step, residuals: $0, threads: threads)
    }
    let magnitudes = residuals.filter(\.isFinite).map { Double(abs($0)) }
    var colors = colors
    let (covariance, fixed) = search.covariance(sums, level: level) {
      colors?.equations(
        points, level: settings.levels.count - 1, worldFromCamera: search.pose)
    }
    let weakest = search.weakestTranslation(sums)
    let correction = search.priorResidual
    return TrackingResult(
      estimate: PoseEstimate(aFromB: search.pose, covariance: covariance),
      quality: TrackingQuality(
        pointCount: points.count,
        overlap: points.count == 0 ? 0 : Double(sums.seen) / Double(points.count),
        inlierShare: sums.seen == 0 ? 0 : Double(sums.used) / Double(sums.seen),
        medianMeters: magnitudes.median ?? .nan,
        rootMeanSquareMeters: sums.weight > 0 ? (sums.cost / sums.weight).squareRoot() : .nan,
        medianSigmas: sums.medianSigmas ?? .nan, scale: search.scale,
        weakestDirection: weakest.direction, weakestShare: weakest.share,
        keptDirections: fixed.kept, colorDirections: fixed.byColor,
        sensedDirections: fixed.bySensors, correctionSigmas: correction))
  }
}
