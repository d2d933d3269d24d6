public import PlumblineModel

/// Turns map, color image and camera so that all stand upright.
///
/// Each goes by its own orientation: phones store the map and the photo alike and say how both are
/// to be turned. Pixels only change places, so nothing is lost.
public struct Turning: CaptureCorrection, Hashable {
  /// `turned-upright`.
  public let name = "turned-upright"

  /// Creates the step.
  public init() {}

  /// Turns everything; afterwards both orientations are `up`.
  ///
  /// - Throws: ``CorrectionError`` without a map.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    let turn = record.orientation
    var after = capture
    let map = NearestPixelMap(of: record.size) { $0.oriented(by: turn) }
    after.depth = record.gathered(by: map)
    after.depth?.orientation = .up
    after.depth?.cleanAperture = record.cleanAperture?.oriented(by: turn, in: record.size)
    after.depth?.calibration = record.calibration?.oriented(by: turn)
    if turn.swapsAxes, var sigma = record.calibrationUncertainty {
      sigma.focalLengthPixels = sigma.focalLengthPixels.map { [$0.y, $0.x] }
      sigma.principalPointPixels = sigma.principalPointPixels.map { [$0.y, $0.x] }
      after.depth?.calibrationUncertainty = sigma
    }
    after.colorCalibration = capture.colorCalibration?.oriented(by: capture.colorOrientation)
    after.color = capture.color?.oriented(by: capture.colorOrientation)
    after.colorSize = capture.colorSize.map { capture.colorOrientation.uprightSize(of: $0) }
    after.colorOrientation = .up
    after.mattes = capture.mattes.map {
      Matte(kind: $0.kind, coverage: $0.coverage.oriented(by: $0.orientation))
    }
    return CorrectionApplication(
      ProvenanceStep(name, "map \(turn), color \(capture.colorOrientation)"), before: capture,
      after: after, effect: CorrectionEffect(before: .none, after: .none), depthMap: map,
      undoing:
        "turning the map by \(turn.inverse) and the color by \(capture.colorOrientation.inverse)")
  }
}
