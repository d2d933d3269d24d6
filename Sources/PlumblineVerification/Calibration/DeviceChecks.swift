import PlumblineDevices
import PlumblineModel

/// The findings about the model that took a capture: what is known of its faults, or that nothing
/// is known.
struct DeviceChecks {
  let source: CaptureSource
  /// The median depth in meters, at which effects are reported; `nil` when not metric.
  let medianMeters: Double?
  var catalog = DeviceCatalog.bundled

  /// All findings.
  var findings: [Finding] {
    guard let model = source.model else {
      return [
        Finding(
          .deviceUnknown, .note, "the file does not name the device that took it",
          evidence: "no Model in EXIF")
      ]
    }
    let device = catalog.device(named: model)
    let known = [focal, zoom(device), mirror(device), turn(device)].compactMap(\.self)
    // Known faults say more than a note that this device was never measured.
    guard device?.isMeasured != true, known.isEmpty else { return known }
    return [
      Finding(
        .deviceUnmeasured, .note,
        "no public calibration of this device is known; the ± is that of similar devices",
        evidence: "Model = \(model)")
    ]
  }

  /// A focal length from before geometric distortion correction.
  private var focal: Finding? {
    guard let correction = catalog.focalCorrection(for: source) else { return nil }
    let percent = (1 - correction.ratio) * 100
    let plusMinus = correction.sigma * 100
    var message =
      "this model states the focal length of the lens before geometric distortion correction, "
      + "\(((1 / correction.ratio - 1) * 100).fixed(1)) ± "
      + "\((correction.sigma / correction.ratio / correction.ratio * 100).fixed(1)) % too long: "
      + "100 mm across the image read \((100 * correction.ratio).fixed(1)) mm"
    if let medianMeters {
      let pose = medianMeters * 1000 * (1 / correction.ratio - 1)
      message +=
        "; depths are right, but what is posed with it at \(medianMeters.fixed(2)) m stands "
        + "\(pose.fixed(1)) mm too far"
    }
    message +=
      "; plumbline correct CAPTURE --focal-from-catalog -o DIR multiplies it by "
      + "\(correction.ratio.fixed(4)) ± \(correction.sigma.fixed(4))"
    // Where the capture does not say that the correction was on, the model's default is a guess.
    return Finding(
      .deviceFocalBeforeCorrection, source.isGeometryCorrected == true ? .fault : .caution,
      message, effect: Finding.Effect(lengthPercent: percent),
      evidence: "Model = \(source.model ?? ""), GeometricDistortionCorrectionEnabled = "
        + "\(source.isGeometryCorrected.map { $0 ? "true" : "false" } ?? "not said"); "
        + "ratio \(correction.ratio.fixed(4)) ± \((plusMinus / 100).fixed(4)) from "
        + correction.basis,
      correction: .available)
  }

  private func fault(_ code: DeviceFault.Code, of device: Device?) -> DeviceFault? {
    device?.faults.first { $0.code == code && $0.concerns(source.interface) }
  }

  private func zoom(_ device: Device?) -> Finding? {
    guard let fault = fault(.arkitZoom, of: device), let factor = fault.factor else { return nil }
    return Finding(
      .deviceDepthZoomed, .caution,
      "through ARKit this model's depth map shows less than its color image: it must shrink by "
        + "\(((1 - factor) * 100).fixed(2)) % to lie on it, up to "
        + "\((320 * (1 - factor)).fixed(1)) px of 640 at the border; "
        + "plumbline correct CAPTURE --arkit-zoom -o DIR does it",
      effect: Finding.Effect(lengthPercent: fault.lengthPercent),
      evidence: "\(fault.source): \(factor.fixed(6)) color pixels for each depth pixel",
      correction: .available)
  }

  private func mirror(_ device: Device?) -> Finding? {
    guard let fault = fault(.arkitMirrored, of: device) else { return nil }
    return Finding(
      .imageMirrored, .caution,
      "ARKit delivers this camera's image and depth mirrored: left and right are exchanged; "
        + "plumbline correct CAPTURE --unmirror -o DIR turns both",
      evidence: fault.source, correction: .available)
  }

  private func turn(_ device: Device?) -> Finding? {
    guard let fault = fault(.orientation, of: device) else { return nil }
    return Finding(
      .imageTurned, .note,
      "the sensor of this model is reported to be built in turned by a quarter: up may not be up",
      evidence: fault.source)
  }
}
