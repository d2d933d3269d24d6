import PlumblineCorrection
import PlumblineModel

extension CalibrationChecks {
  /// The share of measured pixels that may lie where no corner of the board was seen before it is
  /// said.
  private static let uncoveredShare = 0.02

  /// Pixels of the map that the board of a measured calibration never covered.
  var uncovered: Finding? {
    guard let projection = record.calibrationUncertainty?.projection, record.cleanAperture == nil,
      corrected.calibration != nil
    else { return nil }
    let size = corrected.depth.size
    var measured = 0
    var outside = 0
    var worst = 0.0
    // Cells are far larger than pixels: every fourth is enough.
    for y in stride(from: 0, to: size.height, by: 4) {
      for x in stride(from: 0, to: size.width, by: 4) where corrected.depth.meters[x, y] > 0 {
        measured += 1
        let share = SIMD2(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        guard !projection.isCovered(at: share) else { continue }
        outside += 1
        worst = max(worst, projection.sigmaShare(at: share))
      }
    }
    let share = Double(outside) / Double(max(measured, 1))
    guard share > Self.uncoveredShare else { return nil }
    let pixels = worst * Double(size.width)
    return Finding(
      .calibrationUncovered, .caution,
      "\((100 * share).fixed(0)) % of the measured pixels lie where the calibration saw no corner of its "
        + "board; there points may be off by \(pixels.fixed(2)) px of the map and more",
      evidence: "corners in \((100 * projection.coveredShare).fixed(0)) % of the image, ± "
        + "\((projection.coveredSigmaShare * Double(size.width)).fixed(2)) px of the map where they are"
    )
  }
}
