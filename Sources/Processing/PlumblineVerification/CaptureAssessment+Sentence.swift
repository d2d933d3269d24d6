import PlumblineCorrection
import PlumblineModel

extension CaptureAssessment {
  /// The verdict in a sentence, with its numbers.
  func sentence(
    for findings: [Finding], _ corrected: CorrectedDepth, _ estimate: EstimateOrigin?
  ) -> String {
    let faults = findings.filter { $0.severity == .fault }
    switch verdict {
    case .measurable, .corrected:
      return measurableSentence(for: findings, corrected, estimate)
    case .relative:
      if let estimate, estimate.fittedTo == nil {
        let published =
          estimate.publishedError.map { " As published the model errs by \($0)." } ?? ""
        return
          "Relative only: an estimate of \(estimate.model) from one image, fitted to nothing "
          + "that was measured, so nothing here is a meter.\(published)"
      }
      if let estimate, let target = estimate.fittedTo {
        return
          "Relative only: an estimate of \(estimate.model) fitted to \(target), of which nobody "
          + "says how far its own meters can be trusted."
      }
      let more = faults.contains { $0.code.family == .calibration }
      return "Relative only: \(Self.unknownScale(findings)), so nothing here is a meter"
        + (more ? ", and there is no calibration to be trusted." : ".")
    case .untrusted:
      return Self.sentence("Do not measure: " + (faults.first?.message ?? "the map is empty"))
    }
  }

  private func measurableSentence(
    for findings: [Finding], _ corrected: CorrectedDepth, _ estimate: EstimateOrigin?
  ) -> String {
    let median = statistics?.medianMeters ?? 0
    let sigma = (uncertainty?.total.sigmaMeters(atDepth: median) ?? 0) * 1000
    var how = verdict == .corrected ? "Meters after correction" : "Meters as it is"
    if isStated {
      how = "Meters as you said" + (verdict == .corrected ? ", after correction" : "")
    }
    if corrected.distanceFit == nil,
      let told = findings.first(where: { $0.code == .stereoGeometryTold })
    {
      how =
        told.saysGeometryIsAssumed
        ? "Meters by a geometry that was told, not measured"
        : "Meters by a geometry that was told with its ±"
    }
    if findings.contains(where: \.saysDepthIsUncertain),
      !findings.contains(where: \.saysGeometryIsAssumed)
    {
      how = "Rough meters"
    }
    if let estimate {
      let target = estimate.fittedTo ?? "known distances"
      how += ", an estimate of \(estimate.model) fitted to \(target)"
    }
    let isLengthLimited = limits.contains { $0.quantity == .length }
    let isFocalAssumed = findings.contains { $0.code == .estimateFocalAssumed }
    let lengths =
      uncertainty?.lengthPercent.map {
        ", lengths across the image \(isLengthLimited ? "only to " : "")± "
          + "\($0.fixed($0 < 0.095 ? 3 : 1)) %"
          + (isFocalAssumed ? " with a focal length that was not measured" : "")
      } ?? ""
    let noise =
      limits.contains { $0.quantity == .depth }
      ? " without the sensor's noise, which is not known" : ""
    return "\(how): depth ± \(sigma.fixed(1)) mm at \(median.fixed(2)) m\(noise)\(lengths)."
  }

  /// What keeps a measured map from being in meters.
  private static func unknownScale(_ findings: [Finding]) -> String {
    for finding in findings {
      switch finding.code {
      case .depthUnitUnknown: return "the numbers of the map have no unit"
      case .depthAccuracyUnknown: return "the file does not say that its depths are absolute"
      default: continue
      }
    }
    return "depths have no known scale and offset"
  }

  static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
