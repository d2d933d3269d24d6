package import PlumblineModel

/// The errors of the points of a cloud: what each has for itself, and what all share.
///
/// A cloud that one camera saw, whose σ is that of `z`, has the errors of a depth map: along its rays, with
/// the camera's and those of depth shared. Of other points neither a ray nor the camera is known: their σ
/// counts along any direction, and what they share is at most a share of all lengths.
package struct CloudErrors: Hashable, Sendable {
  /// The directions that the errors of points have.
  package var direction: MeasurementPoint.ErrorDirection
  /// What all points share.
  package var shared: SharedErrors
  /// What of the σ of a point is no error of its own but shared: errors of depth that are in ``shared``.
  package var heldInSigma: SigmaCurve
  /// Whether the noise of the sensor is in the σ of points; without it they have no ± of their own.
  package var isNoiseKnown: Bool
  /// The curve of the noise by depth, by which a plane weighs points; `nil` where each has its own.
  package var noise: SigmaCurve?
  /// What the noise of neighbors has in common.
  package var region: RegionNoise

  /// Points of which nothing is known but the σ of each.
  package static let unknown = CloudErrors(direction: .unknown, shared: .unknown)

  /// Creates errors from what is known; the rest is as in ``unknown``.
  package init(
    direction: MeasurementPoint.ErrorDirection, shared: SharedErrors,
    heldInSigma: SigmaCurve = SigmaCurve(), isNoiseKnown: Bool = true, noise: SigmaCurve? = nil,
    region: RegionNoise = .unknown
  ) {
    self.direction = direction
    self.shared = shared
    self.heldInSigma = heldInSigma
    self.isNoiseKnown = isNoiseKnown
    self.noise = noise
    self.region = region
  }

  /// A point with the error that it has for itself: its σ without what it shares, in squares.
  ///
  /// - Parameters:
  ///   - position: In the frame of the cloud, meters.
  ///   - sigma: One standard deviation as the file states it, in meters; `nil`, NaN and numbers below 0 are
  ///     none.
  /// - Returns: The point; without an error of its own where none is known.
  /// - Precondition: With rays, `z` is above 0.
  package func point(at position: SIMD3<Double>, sigma: Double?) -> MeasurementPoint {
    var own: Double?
    if isNoiseKnown, let sigma, sigma >= 0, sigma.isFinite {
      let held = direction == .ray ? heldInSigma.sigmaMeters(atDepth: position.z) : 0
      own = max(0, sigma * sigma - held * held).squareRoot()
    }
    return MeasurementPoint(position: position, sensorSigma: own, direction: direction)
  }
}
