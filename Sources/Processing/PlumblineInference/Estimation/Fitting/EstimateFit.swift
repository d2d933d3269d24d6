import PlumblineModel

/// An estimate fitted to what was measured: its scale, or scale and shift, with their ± and what is
/// left.
///
/// - Source: scale and shift in inverse depth for relative models, R. Ranftl et al., *Towards
///   Robust Monocular Depth Estimation*, TPAMI 2022, 3; robustness as ``RobustLine`` says.
public struct EstimateFit: Sendable {
  /// The free parameters of a fit.
  public enum Shape: String, Sendable, CaseIterable {
    /// A factor alone.
    case scale
    /// A factor and an offset.
    case scaleAndShift
  }

  /// The quantity in which the line is fitted.
  public enum Space: String, Sendable, CaseIterable {
    /// Depth in meters.
    case depth
    /// Its reciprocal, in 1/m.
    case disparity
  }

  /// The measurements that the estimate was fitted to.
  public let target: FitTarget
  /// The parameters that were free.
  public let shape: Shape
  /// Whether the line was fitted in depth or in inverse depth.
  public let space: Space
  /// The factor; its unit is that of the space over that of the estimate.
  public let scale: Double
  /// The offset, in m or 1/m as the space says; 0 where it was not free.
  public let shift: Double
  /// One standard deviation of the factor.
  public let scaleSigma: Double
  /// One standard deviation of the offset.
  public let shiftSigma: Double
  /// The number of measured positions that the estimate has a value for.
  public let sampleCount: Int
  /// The share of positions that took no part in the end.
  public let outlierShare: Double
  /// What is left at all of them; it says nothing where ``hasResidual`` is false.
  public let residuals: FitResiduals
  /// The residuals by distance.
  public let bands: [FitBand]
  /// What is left at each half of the positions when only the other half was fitted; `nil` for too
  /// few.
  public let heldOut: FitResiduals?
  /// Why the fit is not to be believed, in a sentence; `nil` for a good one.
  public let refusal: String?
  let rule: OutputRule
  let sigma: FitSigma

  /// No fit with a larger residual is believed, as a share of the depth: beyond it δ₁ counts a
  /// depth as wrong (Eigen et al., NIPS 2014).
  package static let maximumShare = 0.25
  /// Shift and scale can be separated from this ratio of measured depths on, far over near.
  package static let leastRelief = 1.1

  /// Fits an estimate.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - samples: Where the depth was measured.
  ///   - target: What they are.
  ///   - shape: What is free; `nil` for what suits: a relative model has both free; meters have a
  ///     scale alone unless a shift lowers what is left at held-out positions by a tenth.
  /// - Returns: The fit, with what speaks against it. O(*n*).
  /// - Throws: `.missing` where no place has an estimate, `.degenerate` where they determine nothing.
  package static func fitted(
    _ estimate: DepthEstimate, to samples: [FitSample], target: FitTarget, shape: Shape? = nil
  ) throws(EstimationError) -> EstimateFit {
    let places = FitPlace.places(of: estimate, at: samples)
    guard !places.isEmpty else {
      throw EstimationError(
        .missing, expected: "a measured place where the estimate has a value",
        found: "\(samples.count) measured and none of them estimated")
    }
    let ratio = FitPlace.relief(places)
    let kinds = FitKind.choices(for: estimate, shape: shape, count: places.count, relief: ratio)
    guard let (kind, line, heldOut) = best(of: kinds, places) else {
      throw EstimationError(
        .degenerate, expected: "places with different estimates",
        found: "\(places.count) that no line goes through")
    }
    let rule = kind.rule(line)
    let pairs = places.compactMap { place -> (estimate: Double, measured: Double)? in
      let depth = rule(place.value)
      return depth.isNaN ? nil : (depth, place.sample.meters)
    }
    guard let residuals = FitResiduals(pairs) else {
      throw EstimationError(
        .degenerate, expected: "depths above 0 after the fit",
        found: "none at \(places.count) places: the estimate runs against what was measured")
    }
    let bands = FitBand.bands(pairs)
    return EstimateFit(
      target: target, shape: kind.shape, space: kind.space, scale: line.scale, shift: line.shift,
      scaleSigma: max(line.covariance.scale, 0).squareRoot(),
      shiftSigma: max(line.covariance.shift, 0).squareRoot(), sampleCount: places.count,
      outlierShare: line.outlierShare, residuals: residuals, bands: bands, heldOut: heldOut,
      refusal: refusal(
        kind, line, residuals: residuals, heldOut: heldOut, count: places.count,
        lost: places.count - pairs.count, relief: ratio),
      rule: rule,
      sigma: FitSigma(
        bands: bands, residuals: residuals, heldOut: heldOut, kind: kind, line: line,
        places: places))
  }

  /// The kind of fit that misses places left out by least: a later one only where it lowers that by a tenth.
  private static func best(
    of kinds: [FitKind], _ places: [FitPlace]
  ) -> (kind: FitKind, line: RobustLine, heldOut: FitResiduals?)? {
    var best: (kind: FitKind, line: RobustLine, heldOut: FitResiduals?)?
    for kind in kinds {
      guard let line = RobustLine(kind.samples(places), hasShift: kind.shape == .scaleAndShift)
      else { continue }
      let heldOut = kind.heldOut(places)
      let isBetter =
        best.map { found in
          guard let mine = heldOut?.sigmaPercent, let other = found.heldOut?.sigmaPercent else {
            return false
          }
          return mine < 0.9 * other
        } ?? true
      if isBetter { best = (kind, line, heldOut) }
    }
    return best
  }

  /// The reason why a fit is not reliable.
  private static func refusal(
    _ kind: FitKind, _ line: RobustLine, residuals: FitResiduals, heldOut: FitResiduals?,
    count: Int, lost: Int, relief: Double
  ) -> String? {
    let unknowns = kind.shape == .scale ? 1 : 2
    let limit = (maximumShare * 100).fixed(0)
    if !(line.scale > 0) { return "near and far are exchanged: the fitted scale is not above 0" }
    if count <= unknowns {
      let what = unknowns == 1 ? "the scale" : "scale and shift"
      let check = "nothing to check \(unknowns == 1 ? "it" : "them") with"
      if count < unknowns { return "1 measured place does not determine scale and shift" }
      return count == 1
        ? "1 measured place determines \(what) and leaves \(check)"
        : "\(count) measured places determine \(what) and leave \(check)"
    }
    if kind.shape == .scaleAndShift, relief < leastRelief {
      return
        "the measured depths differ by \(((relief - 1) * 100).fixed(0)) % only, which does not "
        + "tell shift from scale"
    }
    if lost * 2 > count {
      return "more than half of the places have no depth above 0 after the fit"
    }
    if line.outlierShare > 0.5 {
      return "\((line.outlierShare * 100).fixed(0)) % of the measured places do not fit"
    }
    if residuals.sigmaPercent > 100 * maximumShare {
      return
        "the residual is \(residuals.sigmaPercent.fixed(0)) % of the depth, more than \(limit) %"
    }
    if let share = heldOut?.sigmaPercent, share > 100 * maximumShare {
      return "places left out are missed by \(share.fixed(0)) % of the depth, more than \(limit) %"
    }
    return nil
  }

  /// Whether anything can be left: only with more positions than numbers to find.
  package var hasResidual: Bool { sampleCount > unknowns }

  private var unknowns: Int { shape == .scale ? 1 : 2 }

  /// One standard deviation of a fitted depth, in meters; NaN where the depth is missing, and for
  /// all depths where no residual shows it.
  ///
  /// It is never below what is left at measured positions of that distance, and grows with it.
  public func sigmaMeters(atDepth meters: Double) -> Double { sigma.meters(atDepth: meters) }

  /// In one line: the numbers of the fit with their ±.
  public var summary: String {
    let unit = space == .depth ? "m" : "1/m"
    let offset =
      shape == .scale ? "" : ", shift \(shift.fixed(4)) ± \(shiftSigma.fixed(4)) \(unit)"
    return "\(target.words): scale \(scale.fixed(5)) ± \(scaleSigma.fixed(5))\(offset) in "
      + "\(space.rawValue); \(sampleCount.counting("place")), "
      + (hasResidual
        ? "\((outlierShare * 100).fixed(1)) % outliers, residual "
          + "\(residuals.sigmaPercent.fixed(1)) % of the depth"
        : sampleCount == 1
          ? "no residual: one place determines one number"
          : "no residual: two places determine two numbers")
  }
}

/// A measured place with what was estimated there.
struct FitPlace {
  var sample: FitSample
  /// In the space of ``DepthEstimate/values``.
  var value: Double
  /// Positions of one block share the estimate's errors.
  var block: Int

  /// The positions where the estimate has a value.
  static func places(of estimate: DepthEstimate, at samples: [FitSample]) -> [FitPlace] {
    let size = estimate.grid.placement.imageSize
    // An estimate errs surface by surface; an eighth of the image is about one.
    let blocks = 8.0
    return samples.compactMap { sample in
      let value = Double(estimate.grid.value(at: sample.pixel, in: estimate.values))
      guard value.isFinite, !estimate.isMetric || value > 0 else { return nil }
      let column = Int(blocks * (sample.pixel.x + 0.5) / Double(size.width))
      let row = Int(blocks * (sample.pixel.y + 0.5) / Double(size.height))
      return FitPlace(sample: sample, value: value, block: row * 8 + column)
    }
  }

  /// Far over near: the 95 % over the 5 % quantile of the measured depths.
  static func relief(_ places: [FitPlace]) -> Double {
    let depths = places.map(\.sample.meters).sorted()
    let last = Double(depths.count - 1)
    return depths[Int((0.95 * last).rounded())] / depths[Int((0.05 * last).rounded())]
  }
}
