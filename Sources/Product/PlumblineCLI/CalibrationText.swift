import Plumbline

/// The assessment of a calibration as a person reads it in a terminal of 80 columns.
struct CalibrationText {
  let verification: CalibrationVerification
  let folder: String
  let usesColor: Bool

  /// The verdict, its reason and the numbers with their ±.
  var text: String {
    var lines = ["\(headline)  \(printable(text: folder))"]
    lines += Self.wrapped(verification.reason, width: 76).map { "  " + $0 }
    lines.append("")
    lines += facts.flatMap { name, value -> [String] in
      let rows = Self.wrapped(value, width: 63)
      return rows.enumerated().map { index, row in
        let label = index == 0 ? name : ""
        return "  " + label + String(repeating: " ", count: max(1, 13 - label.count)) + row
      }
    }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    let (word, color) =
      switch verification.verdict {
      case .fits: ("FITS", "32")
      case .doesNotFit: ("DOES NOT FIT", verification.isMeasurable ? "33" : "31")
      case .cannotTell: ("CANNOT TELL", "33")
      }
    return usesColor ? "\u{1B}[1;\(color)m\(word)\u{1B}[0m" : word
  }

  private var facts: [(String, String)] {
    let judged = verification
    var facts = [("frames", frames)]
    if let board = judged.frames.first?.view.board {
      let bent = judged.boardShape.map {
        ", bent by \((1000 * $0.flatnessMeters).fixed(2)) mm RMS (taken into account)"
      }
      facts.append(("board", BoardNotation(board).words + (bent ?? "")))
    }
    if let focal = judged.factory?.intrinsics.focalLength.x {
      facts.append(("factory", "f = \(focal.fixed(2)) px"))
    }
    if let given = judged.given, let sigma = given.focalSigma {
      let focal = given.camera.intrinsics.focalLength.x
      facts.append(("given", "f = \(focal.fixed(2)) ± \(sigma.fixed(2)) px"))
    }
    for estimate in judged.estimates {
      let mark = estimate.lens == judged.measured?.lens ? " ←" : ""
      let name = estimate.lens == .focal ? "measured" : ""
      facts.append(
        (
          name,
          "f = \(estimate.focal.fixed(2)) ± \(estimate.focalSigma.fixed(2)) px, "
            + "\(estimate.missText), \(estimate.lens.words)\(mark)"
        ))
    }
    if let half = judged.measured?.splitHalfPercent {
      facts.append(("halves", "differ by \(abs(half).fixed(2)) % in focal length"))
    }
    if let coverage = judged.coverage {
      facts.append(
        (
          "coverage",
          "\((100 * coverage.areaShare).fixed(0)) % of the image, "
            + "\((100 * coverage.radiusShare).fixed(0)) % of the way to its corners"
        ))
    }
    if let map = judged.projection {
      let width = Double(map.imageWidth)
      let worst = map.sigmaPixels.max() ?? 0
      facts.append(
        (
          "pixels",
          "± \((map.coveredSigmaShare * width).fixed(2)) px where corners were seen, ± "
            + "\(worst.fixed(2)) px at worst"
        ))
    }
    if let worst = judged.coverage?.worstCell {
      facts.append(
        (
          "border",
          "corners in the \(worst.place) of the image miss by \(worst.pixels.fixed(2)) px on average: "
            + "the lens is not right there"
        ))
    }
    facts += depth(judged.factoryDepth, "factory") + depth(judged.measuredDepth, "measured")
    if let plane = (judged.measuredDepth ?? judged.factoryDepth)?.planeRMSMeters {
      let fill = judged.fillShare.map { ", \((100 * $0).fixed(0)) % filled" } ?? ""
      let noise =
        judged.temporalSigmaMeters.map { ", \((1000 * $0).fixed(2)) mm from frame to frame" } ?? ""
      facts.append(("sensor", "\((1000 * plane).fixed(2)) mm RMS from a plane\(fill)\(noise)"))
    }
    return facts
  }

  private var frames: String {
    var parts = ["\(verification.frames.count) of \(verification.frameCount) used"]
    if verification.movingCount > 0 { parts.append("\(verification.movingCount) moved") }
    if verification.rejectedCount > 0 {
      parts.append("\(verification.rejectedCount) with too few corners")
    }
    if verification.imagelessCount > 0 {
      parts.append("\(verification.imagelessCount) without an image")
    }
    if verification.boardlessCount > 0 {
      parts.append("no board found in \(verification.boardlessCount)")
    }
    return parts.joined(separator: ", ")
  }

  private func depth(_ depth: DepthAgainstBoard?, _ camera: String) -> [(String, String)] {
    guard let depth else { return [] }
    var rows = [
      (
        camera == "factory" || verification.factoryDepth == nil ? "sensor−board" : "",
        "\(signed(1000 * depth.differences.median, 1)) "
          + "± \((1000 * depth.differenceSigmaMeters).fixed(2)) mm (half within "
          + "\((1000 * depth.differences.medianAbsoluteDeviation).fixed(2))) at "
          + "\((1000 * depth.distanceMeters).fixed(0)) mm, \(camera) camera"
      )
    ]
    if let length = depth.length {
      rows.append(
        (
          "", "lengths \(signed(100 * length.share, 1)) ± \((100 * length.sigmaShare).fixed(1)) %"
        ))
    }
    return rows
  }

  private func signed(_ value: Double, _ decimals: Int) -> String {
    let text = value.fixed(decimals)
    return (value > 0 && text.contains { $0 != "0" && $0 != "." } ? "+" : "") + text
  }

  /// Breaks a text between words into lines of at most `width` characters.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
