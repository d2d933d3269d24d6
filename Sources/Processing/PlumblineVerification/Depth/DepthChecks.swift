import PlumblineCorrection
import PlumblineModel

/// The findings about the depth map itself.
struct DepthChecks {
  let record: DepthRecord
  let corrected: CorrectedDepth
  let statistics: DepthStatistics
  let flying: FlyingPixels
  /// That the map is an estimate; `nil` for a measured one.
  let estimate: EstimateOrigin?
  /// Surfaces that are too flat to be measured; `nil` where nothing completes them.
  var completed: CompletedSurface?

  /// All findings, in the order of the pipeline.
  var findings: [Finding] {
    let all = [
      estimated, accuracy, unit, scaled, filter, quality, confidence, fill, step, flyingPixels,
      completed?.finding,
    ]
    return all.compactMap(\.self)
  }

  /// What an estimate is worth: nothing in meters unless it was fitted.
  private var estimated: Finding? {
    guard let estimate else { return nil }
    let isScaled = corrected.distanceFit != nil
    guard let target = estimate.fittedTo else {
      return Finding(
        .estimateUnfitted, isScaled ? .note : .fault,
        "the depth is an estimate of \(estimate.model) from one image, fitted to nothing",
        evidence: EstimateOrigin.estimatedStep, correction: isScaled ? .applied : .available,
        remedies: isScaled ? [] : [.measureDistances])
    }
    return Finding(
      .estimateFitted, .note, "an estimate of \(estimate.model), fitted to \(target)",
      evidence: EstimateOrigin.fittedStep, correction: .applied)
  }

  private var accuracy: Finding? {
    // An estimate that was not fitted has its own fault.
    guard record.hasUnit, estimate == nil || estimate?.fittedTo != nil else { return nil }
    let correction: Finding.Correction = corrected.distanceFit == nil ? .available : .applied
    let remedies: [Remedy] = corrected.distanceFit == nil ? [.measureDistances] : []
    switch record.accuracy {
    case .absolute: return nil
    case .relative:
      return Finding(
        .depthRelative, corrected.distanceFit == nil ? .fault : .note,
        "depths are relative: scale and offset of the disparity are unknown",
        evidence: "Accuracy = relative", correction: correction, remedies: remedies)
    case .unknown:
      return Finding(
        .depthAccuracyUnknown, corrected.distanceFit == nil ? .fault : .note,
        "the file does not say whether depths are absolute; they are treated as relative",
        evidence: "no Accuracy key", correction: correction,
        remedies: (estimate == nil && !remedies.isEmpty ? [.stateMetric] : []) + remedies)
    }
  }

  private var unit: Finding? {
    guard !record.hasUnit, estimate == nil else { return nil }
    // Numbers that are relative by their file, such as those of two images, have no unit to be stated.
    let isOpen = record.accuracy != .relative
    return Finding(
      .depthUnitUnknown, corrected.distanceFit == nil ? .fault : .note,
      "the numbers of this map have no unit", evidence: "stored as \(record.storedType)",
      correction: corrected.distanceFit == nil ? .available : .applied,
      remedies: corrected.distanceFit == nil
        ? (isOpen ? [.stateUnit] : []) + [.measureDistances] : [])
  }

  private var scaled: Finding? {
    guard let fit = corrected.distanceFit, let median = statistics.medianMeters else { return nil }
    let sigma = fit.sigmaMeters(atDepth: median)
    // Such as centimeters given as meters: with one distance, the unknown offset then rules.
    let isUseless = sigma > median / 2
    let contradiction = isUseless ? nil : contradiction(of: fit)
    return Finding(
      .depthScaledByDistance, isUseless ? .fault : contradiction == nil ? .note : .caution,
      isUseless
        ? "the known distances leave a ± of more than half of the depth; check their unit, or give two"
        : contradiction ?? fit.description,
      effect: Finding.Effect(zMillimeters: sigma * 1000),
      evidence: fit.distances.map { "\($0.x),\($0.y) = \($0.meters.fixed(4)) m" }
        .joined(separator: "; "),
      correction: .applied)
  }

  /// What known distances say against a sensor that promises meters; `nil` when they agree within
  /// three times their ±, or the sensor promises nothing.
  private func contradiction(of fit: DistanceFit) -> String? {
    guard record.accuracy == .absolute, record.hasUnit else { return nil }
    let worst = zip(fit.distances, fit.disparities)
      .map { known, disparity in (known.meters * disparity - 1, known.meters) }
      .max { abs($0.0) < abs($1.0) }
    guard let (share, meters) = worst,
      abs(share) * meters > 3 * DistanceFit.tapeSigmaMeters
    else { return nil }
    let difference = "\((abs(share) * 100).fixed(1)) % \(share > 0 ? "more" : "less")"
    return "your distance is \(difference) than the meters that the sensor itself promises; the "
      + "map was rescaled to it: \(fit.description)"
  }

  private var filter: Finding? {
    if estimate != nil { return nil }
    switch record.isFiltered {
    case true:
      return Finding(
        .depthFiltered, .caution,
        "the phone filled holes and smoothed values; some pixels are invented",
        evidence: "Filtered = True, \(holes)")
    case false: return nil
    default:
      return Finding(
        .depthFilterUnknown, .note, "the file does not say whether holes were filled",
        evidence: holes)
    }
  }

  /// The pixels that could have been measured: those of the map without what was cropped.
  private var pixelCount: Int { corrected.depth.size.pixelCount }

  private var holes: String {
    "\(pixelCount - statistics.validCount) of \(pixelCount) pixels missing"
  }

  private var quality: Finding? {
    guard record.quality == "low" else { return nil }
    return Finding(
      .depthLowQuality, .caution, "the phone rates this map low", evidence: "Quality = low")
  }

  /// What the sensor itself trusts least, where that is a large share of what it measured.
  ///
  /// Low are levels under half of the maximum: 0 of ARKit's 0, 1, 2.
  ///
  /// - Source: Apple, *ARConfidenceLevel*: `low` is what the framework is less confident of. No one
  ///   publishes a share from which a map is useless, so that the shares are those of ``fill``: to
  ///   who leaves such pixels out, as the filters do, they are pixels that were not measured.
  private var confidence: Finding? {
    guard let map = record.confidence, map.maximumLevel > 0, map.levels.size == record.size else {
      return nil
    }
    let values =
      switch record.values {
      case .depth(let map): map.meters
      case .disparity(let map): map.inverseMeters
      case .range(let map): map.meters
      }
    // Invented pixels have no confidence either, and a finding of their own.
    let invented = record.inventedPixels.flatMap { $0.size == record.size ? $0 : nil }
    var (measured, low) = (0, 0)
    for y in 0..<record.size.height {
      for x in 0..<record.size.width where values[x, y] > 0 && invented?[x, y] != 1 {
        measured += 1
        if 2 * Int(map.levels[x, y]) < Int(map.maximumLevel) { low += 1 }
      }
    }
    guard measured > 0 else { return nil }
    let percent = 100 * Double(low) / Double(measured)
    guard percent > 30 else { return nil }
    return Finding(
      .depthLowConfidence, percent > 80 ? .caution : .note,
      "the sensor itself trusts \(percent.fixed(1)) % of the measured pixels little",
      evidence: "\(low) of \(measured) pixels below half of the maximum level, "
        + "\(map.maximumLevel)")
  }

  private var fill: Finding? {
    let percent = statistics.validFraction * 100
    if statistics.validCount == 0 { return .emptyDepth(pixelCount: pixelCount) }
    guard percent < 70 else { return nil }
    return Finding(
      .depthSparse, percent < 20 ? .caution : .note,
      "only \(percent.fixed(1)) % of the pixels were measured",
      evidence: "\(statistics.validCount) of \(pixelCount) pixels")
  }

  private var step: Finding? {
    guard let median = statistics.medianMeters,
      let step = record.stepMeters(
        atDepth: median, disparityScale: corrected.distanceFit?.scale ?? 1)
    else { return nil }
    let (length, place) =
      corrected.isMetric
      ? ("\((step * 1000).fixed(2)) mm", "\(median.fixed(3)) m")
      : ("\(step.fixed(5))", "\(median.fixed(3)), without a unit")
    return Finding(
      .depthQuantized, step > 0.005 ? .caution : .note,
      "depths step by \(length) at the median \(place)",
      effect: Finding.Effect(
        zMillimeters: corrected.isMetric ? step * 1000 / 12.0.squareRoot() : nil),
      evidence: record.quantization.map {
        "\(record.storedType): codes \($0.minimumCode) to \($0.maximumCode) mean "
          + "\($0.minimumValue.fixed(6)) to \($0.maximumValue.fixed(6))"
      } ?? record.storedType)
  }

  private var flyingPixels: Finding? {
    guard flying.count > 0 else { return nil }
    let percent = flying.fraction * 100
    return Finding(
      .depthFlyingPixels, percent > 1 ? .caution : .note,
      "\(percent.fixed(2)) % of the measured pixels hang between two surfaces",
      evidence: "\(flying.count) pixels inside steps of more than 5 % of the depth")
  }
}

extension Finding {
  /// A depth map without a measured pixel.
  static func emptyDepth(pixelCount: Int) -> Finding {
    Finding(
      .depthEmpty, .fault, "no pixel was measured", evidence: "0 of \(pixelCount) pixels")
  }
}
