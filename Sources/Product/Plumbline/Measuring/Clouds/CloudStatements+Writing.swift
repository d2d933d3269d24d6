import PlumblineModel
import PlumblineVerification

extension CaptureAnalysis {
  /// What a file says of the errors of ``pointCloud``, so that measuring in it gives the ± of the capture: a
  /// line each, beside unit, frame and the meaning of σ.
  ///
  /// - Parameter isUpright: Whether the points were turned by ``upright(_:)``.
  /// - Returns: Printable ASCII; none for a relative map, whose lengths cannot be measured. Cost: O(*n*)
  ///   where pixels were filled in, else O(1).
  public func cloudStatements(isUpright: Bool = false) -> [String] {
    guard let corrected, corrected.isMetric else { return [] }
    var lines = CaptureMeasurer.reasons(of: self).map { CloudStatements.line(.caution, $0) }
    if let invented = capture.depth?.inventedPixels {
      let count = invented.samples.reduce(0) { $0 + ($1 == 0 ? 0 : 1) }
      if count > 0 {
        lines.append(
          CloudStatements.line(
            .caution,
            "\(count.counting("point")) of the cloud were filled in, not measured; which ones, the "
              + "file does not state."))
      }
    }
    guard let errors = measurementErrors, let uncertainty = assessment.uncertainty else {
      return lines
    }
    let isTurned = isUpright && capture.depth?.orientation.swapsAxes == true
    lines.append(CloudStatements.line(.shared, words(of: errors.shared, isTurned: isTurned)))
    lines.append(CloudStatements.line(.held, CloudNumbers.words(uncertainty.calibration)))
    if let noise = errors.sensor {
      let length = CloudNumbers.words([(.correlationPixels, errors.region.length)])
      let hasCurve = corrected.sigmaMeters == nil
      lines.append(
        CloudStatements.line(.noise, (hasCurve ? CloudNumbers.words(noise) + " " : "") + length))
    } else if corrected.sigmaMeters == nil {
      lines.append(CloudStatements.line(.noise, "unknown"))
    }
    return lines + [CloudStatements.line(.basis, uncertainty.basis)]
  }

  private func words(of shared: SharedErrors, isTurned: Bool) -> String {
    let center = shared.principalPointShare
    var words = CloudNumbers.words(shared.depth)
    if let focal = shared.focalShare {
      words +=
        " "
        + CloudNumbers.words([
          (.focalShare, focal), (.principalColumns, isTurned ? center.y : center.x),
          (.principalRows, isTurned ? center.x : center.y),
        ])
    }
    return words
  }
}

extension ImageOrientation {
  /// Whether columns become rows when the image is turned upright.
  fileprivate var swapsAxes: Bool { abs(uprightFromStoredAxes.x.y) > 0.5 }
}

extension WorldFrameLaw {
  /// What a file says of the errors of points that were joined in the world; see
  /// ``CaptureAnalysis/cloudStatements(isUpright:)``.
  var cloudStatements: [String] {
    var cautions = ["The error of the poses that joined the frames is not in the ±."]
    if !assessment.verdict.isMeasurable { cautions.append(assessment.reason) }
    if assessment.isGeometryAssumed { cautions.append(CaptureMeasurer.assumedGeometry) }
    var lines = cautions.map { CloudStatements.line(.caution, $0) }
    if let percent = assessment.uncertainty?.lengthPercent {
      lines.append(
        CloudStatements.line(.shared, CloudNumbers.words([(.lengthShare, percent / 100)])))
    }
    if assessment.uncertainty?.sensor == nil {
      lines.append(CloudStatements.line(.noise, "unknown"))
    }
    return lines
  }
}

extension CloudStatements {
  /// A line as it stands in a header.
  static func line(_ line: Line, _ text: String) -> String {
    "\(mark) \(line.rawValue) \(ascii(text))"
  }

  /// Text with the signs that headers cannot hold written out.
  private static func ascii(_ text: String) -> String {
    let signs: [Character: String] = [
      "±": "+/-", "×": "x", "²": "^2", "³": "^3", "°": " degrees", "–": "-", "−": "-", "“": "\"",
      "”": "\"", "’": "'", "σ": "sigma", "\n": " ",
    ]
    return text.map { signs[$0] ?? String($0) }.joined()
  }
}
