import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The lens models of RealSense's SDK, by the names that its recordings state.
///
/// - Source: librealsense, `rs_types.h` (`rs2_distortion`, coefficients k1, k2, p1, p2, k3) and
///   `rsutil.h` (`rs2_project_point_to_pixel`).
enum RealSenseLens: String {
  case none = "None"
  case brownConrady = "Brown Conrady"
  /// Differs from Brown's model only in where the tangential terms are applied.
  case modifiedBrownConrady = "Modified Brown Conrady"
  case inverseBrownConrady = "Inverse Brown Conrady"

  /// The calibration of a camera info with one of these models; `nil` for other models, which
  /// ``CameraInfoMessage/calibration(topic:)`` reads.
  ///
  /// Radial terms are used from undistorted to distorted points for all models. `Inverse Brown
  /// Conrady` with terms gets a finding, since its documentation and its code disagree.
  static func calibration(
    of info: CameraInfoMessage, topic: String
  ) -> (calibration: CameraCalibration?, findings: [Finding])? {
    guard let model = RealSenseLens(rawValue: info.distortionModel) else { return nil }
    var pinhole = info
    pinhole.d = []
    var (calibration, findings) = pinhole.calibration(topic: topic)
    guard let camera = calibration?.intrinsics else { return (calibration, findings) }
    let evidence = printable(text: topic)
    let terms = info.d
    guard model != .none, terms.contains(where: { $0 != 0 }) else { return (calibration, findings) }
    guard terms.count == 5, terms.allSatisfy(\.isFinite) else {
      findings.append(
        Finding(
          .calibrationDamaged, .caution,
          "the lens model \(model.rawValue) needs 5 finite terms, not \(terms)",
          evidence: evidence))
      return (calibration, findings)
    }
    let lens = BrownLens(
      radial: [terms[0], terms[1], terms[4]], tangential: [terms[2], terms[3]])
    let found = lens.calibration(of: camera, evidence: evidence)
    calibration = found.calibration
    findings += found.findings
    if model == .inverseBrownConrady {
      findings.append(
        Finding(
          .calibrationAssumed, .caution,
          "the lens terms are taken from undistorted to distorted points: the documentation of "
            + "\(model.rawValue) names the other direction, the code of its SDK this one",
          evidence: evidence))
    }
    return (calibration, findings)
  }

  /// Whether a camera info states that its image is that of a pinhole camera: a model of these
  /// without any term other than 0.
  static func isPinhole(_ info: CameraInfoMessage) -> Bool {
    guard let model = RealSenseLens(rawValue: info.distortionModel) else { return false }
    return model == .none || !info.d.isEmpty && info.d.allSatisfy { $0 == 0 }
  }
}
