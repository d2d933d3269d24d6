import PlumblineModel
import PlumblineStereo

extension StereoMatch.Removals {
  /// The number of pixels that each check removed, in a line.
  var inWords: String {
    "\(uncovered) pixels that the other image does not show, \(ambiguous) that fit in several places, "
      + "\(inconsistent) that another pixel fits better, \(speckles) in small patches"
  }
}

extension StereoRun {
  /// The share of the left image's pixels that got a depth.
  public var density: Double {
    let count = match.disparity.pixels.samples.count { !$0.isNaN }
    return Double(count) / Double(max(1, match.disparity.size.pixelCount))
  }

  /// The median of the depths and the median ± of those within a tenth of it, in the map's unit;
  /// `nil` without a depth.
  public var medianDepth: (depth: Double, sigma: Double)? {
    guard let record = check.capture.depth, case .depth(let map) = record.values,
      let sigmas = record.sigmaMeters
    else { return nil }
    let depths = map.meters.samples.filter { !$0.isNaN }.sorted()
    guard !depths.isEmpty else { return nil }
    let median = depths[depths.count / 2]
    let near = zip(map.meters.samples, sigmas.samples)
      .filter { abs($0.0 - median) <= 0.1 * median && !$0.1.isNaN }.map(\.1).sorted()
    return near.isEmpty ? nil : (Double(median), Double(near[near.count / 2]))
  }

  /// The median ± of a pixel disparity, in pixels; `nil` without one.
  public var medianSigmaPixels: Double? {
    let sigmas = match.sigmaPixels.samples.filter { !$0.isNaN }.sorted()
    return sigmas.isEmpty ? nil : Double(sigmas[sigmas.count / 2])
  }

  /// Rows beyond this differ by more than matching tolerates.
  static let maximumVerticalPixels = 1.0

  static func findings(
    _ survey: PairSurvey, _ match: StereoMatch, _ isRangeFound: Bool,
    _ rectification: StereoRectification
  ) -> [Finding] {
    var findings: [Finding] = []
    let isSurveyed = survey.agreeingCount >= PairSurvey.leastMatches
    if isSurveyed, survey.verticalResidualPixels > maximumVerticalPixels {
      findings.append(
        Finding(
          .stereoVerticalResidual, .caution,
          "The calibration does not fit these images: the same points lie "
            + "\(survey.verticalResidualPixels.fixed(2)) px off a common row, of which "
            + "\(survey.verticalShiftPixels.fixed(2)) px are a shift of all.",
          evidence: "\(survey.agreeingCount) points"))
    }
    if !isSurveyed {
      findings.append(
        Finding(
          .stereoFewPoints, .caution,
          "Only \(survey.agreeingCount.counting("point")) were found in both images on one row: "
            + "neither the calibration nor the order of the images could be tested"
            + (isRangeFound ? "." : ", and the range of disparities is a guess or as told."),
          evidence: "\(survey.matchCount) points on any row"))
    }
    let count = match.disparity.pixels.samples.count { !$0.isNaN }
    let share = Double(count) / Double(max(1, match.disparity.size.pixelCount))
    if share < 0.3 {
      findings.append(
        Finding(
          .stereoLowOverlap, .caution,
          "Only \((share * 100).fixed(1)) % of the left image's pixels were matched.",
          evidence: "\(rectification.size)"))
    }
    return findings
  }
}
