import PlumblineEstimation
public import PlumblineGeometry
import PlumblineInference
import PlumblineModel

extension ProximityWatch {
  /// The sources of a reading's ±.
  public enum SigmaSource: String, Sendable, CaseIterable {
    /// The sensor, a filter or a stereo match.
    case measured
    /// The residuals of a fit at measured positions.
    case fit
    /// The model's own error on test data, as published.
    case published
  }

  /// Takes the next frame by its estimate.
  ///
  /// Meters are those of a believed fit, else the model's own; their ± is that of the fit, else the
  /// model's published one. A model without a scale whose fit is not believed has seen nothing: the
  /// frame counts as a hole.
  ///
  /// - Returns: What to tell; `nil` where there is nothing new.
  /// - Throws: ``ProximityError/relativeEstimate(model:)`` where a model without a scale had nothing to
  ///   be fitted to. Cost: O(*n*) of the region.
  public mutating func next(_ run: EstimateRun) throws(ProximityError) -> ProximityAlert.Event? {
    let estimated = run.estimated
    let name = run.estimator.card.name
    guard estimated.depth != nil || estimated.fit != nil else {
      throw .relativeEstimate(model: name)
    }
    return next(
      reading(of: estimated, published: run.estimator.card.publishedError),
      timestampSeconds: run.before.capture.timestampSeconds, estimate: run.after.capture.estimate)
  }

  private mutating func reading(
    of estimated: EstimatedDepth, published: PublishedError?
  ) -> ProximityReading {
    guard let depth = estimated.depth else {
      unfittedFrameCount += 1
      return ProximityReading(nearestMeters: nil, sigmaMeters: nil, measuredShare: 0)
    }
    var uncertainty = PointUncertainty.unknown
    sigmaSource = nil
    if let sigma = estimated.sigmaMeters {
      (uncertainty, sigmaSource) = (.meters(sigma), .fit)
    } else if let published {
      // One number for all distances is what there is.
      (uncertainty, sigmaSource) = (
        .curve(SigmaCurve(constantMeters: published.rmseMeters)), .published
      )
    }
    return ProximityReading(
      depth, in: region.pixels(of: depth.size),
      focalLength: Self.focalLength(of: estimated.estimate.camera.calibration, at: depth.size),
      uncertainty: uncertainty)
  }
}
