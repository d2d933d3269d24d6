package import PlumblineModel

/// The findings about the model that took a capture: what is known of its faults, or that nothing
/// is known.
struct DeviceChecks {
  let source: CaptureSource
  /// The median depth in meters, at which effects are reported; `nil` when not metric.
  let medianMeters: Double?
  var catalog = DeviceCatalog.bundled
  /// The user's own measurement that applies to the capture; `nil` for none.
  var measured: MeasuredFocal?

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
    guard device?.isMeasured != true, known.isEmpty, !isMeasuredByUser else { return known }
    return [
      Finding(
        .deviceUnmeasured, .note,
        "no public calibration of this device is known; the ± is that of similar devices",
        evidence: "Model = \(model)")
    ]
  }

  /// Whether the user's own measurements hold this model, whatever the capture's other settings.
  private var isMeasuredByUser: Bool {
    measured != nil || !catalog.ownMeasurements(ofModel: source.model).isEmpty
  }

  /// A focal length from before geometric distortion correction; the user's own measurement goes before
  /// the bundled statement.
  private var focal: Finding? {
    guard let bundled = catalog.focalCorrection(for: source) else { return nil }
    let correction = measured?.correction ?? bundled
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
    if measured != nil {
      message += "; your own measurement multiplies it by "
    } else {
      message += "; the catalog multiplies it by "
    }
    message += "\(correction.ratio.fixed(4)) ± \(correction.sigma.fixed(4))"
    // Where the capture does not say that the correction was on, the model's default is a guess.
    return Finding(
      .deviceFocalBeforeCorrection, source.isGeometryCorrected == true ? .fault : .caution,
      message, effect: Finding.Effect(lengthPercent: percent),
      evidence: "Model = \(source.model ?? ""), GeometricDistortionCorrectionEnabled = "
        + "\(source.isGeometryCorrected.map { $0 ? "true" : "false" } ?? "not said"); "
        + "ratio \(correction.ratio.fixed(4)) ± \((plusMinus / 100).fixed(4)) from "
        + correction.basis,
      correction: .available, remedies: [.takeCatalogFocal])
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
        + "\((320 * (1 - factor)).fixed(1)) px of 640 at the border",
      effect: Finding.Effect(lengthPercent: fault.lengthPercent),
      evidence: "\(fault.source): \(factor.fixed(6)) color pixels for each depth pixel",
      correction: .available, remedies: [.undoZoom])
  }

  private func mirror(_ device: Device?) -> Finding? {
    guard let fault = fault(.arkitMirrored, of: device) else { return nil }
    return Finding(
      .imageMirrored, .caution,
      "ARKit delivers this camera's image and depth mirrored: left and right are exchanged",
      evidence: fault.source, correction: .available, remedies: [.undoMirroring])
  }

  private func turn(_ device: Device?) -> Finding? {
    guard let fault = fault(.orientation, of: device) else { return nil }
    return Finding(
      .imageTurned, .note,
      "the sensor of this model is reported to be built in turned by a quarter: up may not be up",
      evidence: fault.source)
  }
}

/// The findings about how the image was stored: cropped, turned, mirrored, edited.
struct ImageChecks {
  let source: CaptureSource
  let record: DepthRecord

  /// All findings.
  var findings: [Finding] { [crop, turn, mirror, editor].compactMap(\.self) }

  private var crop: Finding? {
    guard let aperture = record.cleanAperture, aperture.size != record.size else { return nil }
    return Finding(
      .imageCropped, .note,
      "the map is cropped to \(aperture.size) of \(record.size); the camera was moved with it",
      evidence: "clap: \(aperture.size) at (\(aperture.x), \(aperture.y))", correction: .applied)
  }

  /// The turn that the calibration carries, when its extrinsics say so.
  private var bakedIn: ImageOrientation? {
    record.calibration?.extrinsics?.bakedInOrientation
  }

  private var turn: Finding? {
    if let bakedIn, bakedIn != .up {
      return Finding(
        .imageTurned, .note,
        "the turn of the phone is baked in: pixels and calibration are stored upright together",
        evidence: "ExtrinsicMatrix is the turn of Exif orientation \(bakedIn.rawValue)")
    }
    guard record.orientation != .up else { return nil }
    return Finding(
      .imageTurned, .note,
      "the pixels are stored turned; numbers and points are in the stored frame",
      evidence: "Exif orientation \(record.orientation.rawValue)")
  }

  private var mirror: Finding? {
    guard record.orientation.isMirrored || bakedIn?.isMirrored == true else { return nil }
    return Finding(
      .imageMirrored, .caution, "the image is mirrored: left and right are exchanged",
      evidence: "Exif orientation \(record.orientation.rawValue), baked in "
        + "\(bakedIn?.rawValue ?? 1)")
  }

  /// Apple's own camera writes the system's version, such as `16.2`; editors write their name.
  private var editor: Finding? {
    guard let system = source.system, let first = system.first, !first.isNumber else { return nil }
    return Finding(
      .imageEdited, .note,
      "the file was written by a program, which may have changed map or calibration",
      evidence: "Software = \(system)")
  }
}

extension Finding {
  /// Which corrections and filters a file came with; `nil` for none.
  package static func correctedBefore(by steps: [ProvenanceStep]) -> Finding? {
    guard !steps.isEmpty else { return nil }
    var names: [String] = []
    for step in steps where !names.contains(step.name) { names.append(step.name) }
    return Finding(
      .depthCorrectedBefore, .note,
      "steps were applied before, and are not applied again: \(names.joined(separator: ", "))",
      evidence: "provenance", correction: .applied)
  }
}
