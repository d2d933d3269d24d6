public import PlumblineModel

/// Mirrors a capture, or the part of it that is mirrored against the rest.
///
/// ARKit delivers the front camera's images mirrored, compared with AVFoundation. Map, color image and
/// camera are then mirrored together, and `all` corrects them. If only the map is mirrored, as when a
/// program flipped it without its calibration, use `depth`. Pixels only change places, so nothing is
/// lost: mirroring twice restores every bit.
/// - Source: `cx' = W − 1 − cx`, `Documentation/conventions.md`; that ARKit mirrors along the sensor's
///   rows: principal points of arXiv 2201.10865, table 4, and `Documentation/corrections.md`.
public struct Mirroring: CaptureCorrection, Hashable {
  /// Which coordinate is reversed.
  public enum Axis: String, Hashable, Sendable, CaseIterable {
    /// Columns: left and right change places.
    case columns
    /// Rows: top and bottom change places; ARKit's front camera in the orientation of its sensor.
    case rows
  }

  /// Which coordinate is reversed.
  public var axis: Axis
  /// The parts of the capture to mirror.
  public var parts: CaptureParts

  /// `mirrored`.
  public let name = ProvenanceStep.Kind.mirrored.rawValue

  /// Creates the step.
  public init(_ axis: Axis, of parts: CaptureParts = .all) {
    self.axis = axis
    self.parts = parts
  }

  /// Mirrors the parts; with the calibration its principal point, distortion center and extrinsics.
  ///
  /// - Throws: ``CorrectionError`` if the map or the calibration is to be mirrored and there is no map.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let turn: ImageOrientation = axis == .columns ? .upMirrored : .downMirrored
    var after = capture
    var map: NearestPixelMap?
    var effect = CorrectionEffect(before: CorrectionEffect.Deviation(), after: .none)
    if !parts.isDisjoint(with: [.depth, .calibration]) {
      let record = try capture.requiredDepth(for: name)
      if parts.contains(.depth) {
        let moved = NearestPixelMap(of: record.size) { $0.oriented(by: turn) }
        after.depth = record.gathered(by: moved)
        after.depth?.cleanAperture = record.cleanAperture?.oriented(by: turn, in: record.size)
        map = moved
      }
      if parts.contains(.calibration) {
        after.depth?.calibration = record.calibration?.oriented(by: turn)
        after.colorCalibration = capture.colorCalibration?.oriented(by: turn)
      }
      // Only a part that was mirrored against the others was wrong; the whole is a choice.
      let side = axis == .columns ? record.size.width : record.size.height
      effect.before.pixels =
        parts.isSuperset(of: [.depth, .calibration]) ? 0 : Double(max(side - 1, 0))
    }
    var companions = ""
    if parts.contains(.color) {
      after.color = capture.color?.oriented(by: turn)
      companions = after.leaveOutCompanions()
    }
    return CorrectionApplication(
      ProvenanceStep(.mirrored, "\(axis.rawValue) reversed: \(parts.words)" + companions),
      before: capture, after: after, effect: effect, depthMap: map,
      undoing: "the same step again")
  }
}
