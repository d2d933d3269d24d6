internal import PlumblineModel
internal import PlumblineNumerics

/// Registers two keyframes to each other both ways, and believes what both ways agree on.
///
/// Neither way knows of the other's points: a registration that slid along a wall, or that found another surface
/// that looks alike from one side, seldom does the same twice.
struct KeyframeRegistration: Sendable {
  /// Registers the frames.
  var tracker: FrameTracker
  /// The share of the points of either frame that must meet the other one's surface.
  var minimumOverlap: Double
  /// The share of those that must fit.
  var minimumInlierShare: Double
  /// The median of the residuals in σ, at most; 0.67 is expected.
  var maximumMedianSigmas = 2.0
  /// The length of the correction of the expected motion in its σ, at most: 99.7 % of six dimensions.
  var maximumCorrectionSigmas = 4.5
  /// The least share of information of the weakest translation, 0 to 1; 0 where an unmeasured direction is kept.
  var minimumWeakestShare = 0.0
  /// The square of the difference of both ways in their covariance, at most: 99 % of χ² of six degrees.
  var agreement = PoseGraph.loopLimit

  /// The error of a translation that registration does not know of, as a share of the distance to what is seen: near
  /// pixels share errors of depth, half of 0.4 % on a LiDAR recording (`Documentation/scan.md`).
  var sharedShare = 0.002

  /// Neighbors on the path, whose motion is expected within millimeters, and whose errors of depth are nearly the
  /// same.
  static let step = KeyframeRegistration(
    tracker: FrameTracker(), minimumOverlap: 0.3, minimumInlierShare: 0.5, sharedShare: 0.0005)
  /// The side of a patch whose pixels have one error where views lie far apart in time, as a share of the width.
  ///
  /// What neighbors share slowly is new then, and reaches farther than their noise: 8° of a view of 60°. With the patches of
  /// tracking (1/32) loops of a simulated room with that error were ten times as far off as their ±.
  private static let loopPatchShare = 1.0 / 8
  /// A place that may have been seen again, up to 10° and a tenth of the depth away.
  static let loop: KeyframeRegistration = {
    var settings = TrackingSettings()
    settings.levels = TrackingSettings.wideLevels
    settings.patchShare = loopPatchShare
    return KeyframeRegistration(
      tracker: FrameTracker(settings: settings), minimumOverlap: 0.3, minimumInlierShare: 0.6)
  }()

  /// A place of which nothing is expected: nearly all of either view must fit.
  static let anywhere: KeyframeRegistration = {
    var registration = loop
    registration.minimumOverlap = 0.6
    registration.minimumInlierShare = 0.85
    registration.minimumWeakestShare = 0.02
    return registration
  }()

  /// The error of a rotation that registration does not know of.
  static let sharedRadians = 0.0005
  /// A direction of translation with less information than this share of the strongest one is not measured.
  ///
  /// Noise in the normals makes about 0.001 of nothing; a corner in view gives more than 0.05.
  static let weakestShare = 0.005

  /// The motion between two keyframes.
  ///
  /// - Parameters:
  ///   - b: The frame whose points are registered first.
  ///   - a: The frame with the surface.
  ///   - prior: The expected `aFromB`.
  /// - Returns: The mean of both ways with a covariance that counts shared errors; a direction that the surface
  ///   does not fix has that of the prior. `nil` where they do not overlap, fit or agree. Cost: about 3 ms.
  func measured(_ b: ScanFrame, in a: ScanFrame, prior: PosePrior) -> PoseEstimate? {
    measured(
      b, around: b.surfaceView(worldFromCamera: .identity, threads: 1), in: a,
      around: a.surfaceView(worldFromCamera: .identity, threads: 1), prior: prior)
  }

  /// The motion between two keyframes whose surroundings are known, each in the axes of its own camera.
  func measured(
    _ b: ScanFrame, around viewOfB: SurfaceView, in a: ScanFrame, around viewOfA: SurfaceView,
    prior: PosePrior
  ) -> PoseEstimate? {
    guard let forth = oneWay(b, to: viewOfA, prior: prior),
      let back = oneWay(a, to: viewOfB, prior: PosePrior(prior.estimate.inverse))
    else { return nil }
    let turned = back.inverse
    let difference = forth.difference(to: turned)
    var sum = forth.covariance
    sum += turned.covariance
    guard let information = sum.scaledInverse,
      zip(difference, information * difference).reduce(0, { $0 + $1.0 * $1.1 }) <= agreement
    else { return nil }
    let half = difference.map { $0 / 2 }
    // Both ways see the same two frames: their mean is no better than one of them.
    return PoseEstimate(
      aFromB: forth.aFromB.moved(
        rotation: [half[0], half[1], half[2]], translation: [half[3], half[4], half[5]]
      ).orthonormal, covariance: sum.scaled(by: 0.5))
  }

  /// Registers the points of one frame to the surface of the other one.
  private func oneWay(_ b: ScanFrame, to view: SurfaceView, prior: PosePrior) -> PoseEstimate? {
    let points = TrackedPoints.of(b, levels: tracker.settings.levels)
    let result = tracker.register(points, to: view, prior: prior, threads: 1)
    let quality = result.quality
    guard points.count >= 100, quality.overlap >= minimumOverlap,
      quality.inlierShare >= minimumInlierShare, quality.medianSigmas <= maximumMedianSigmas,
      quality.correctionSigmas <= maximumCorrectionSigmas,
      quality.weakestShare >= minimumWeakestShare
    else { return nil }
    var estimate = result.estimate.widened(
      sigmaRadians: Self.sharedRadians, sigmaMeters: sharedShare * points.meanMeters)
    if quality.weakestShare < Self.weakestShare {
      let weak = quality.weakestDirection
      let variance = prior.estimate.covariance
      // The prior's mean variance of translation, along the direction that is not measured.
      let part = (variance[3, 3] + variance[4, 4] + variance[5, 5]) / 3
      for row in 0..<3 {
        for column in 0..<3 {
          estimate.covariance[row + 3, column + 3] += part * weak[row] * weak[column]
        }
      }
    }
    return estimate
  }
}

extension TrackedPoints {
  /// The mean depth of the coarsest level's points, in meters; 0 without any.
  fileprivate var meanMeters: Double {
    guard let count = counts.first, count > 0 else { return 0 }
    let depths = values[2 * capacity..<2 * capacity + count]
    return Double(depths.reduce(0, +)) / Double(count)
  }
}
