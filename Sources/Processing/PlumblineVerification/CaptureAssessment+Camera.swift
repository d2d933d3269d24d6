import PlumblineCorrection
package import PlumblineModel

extension CaptureAssessment {
  /// The findings about camera, device and storage: those that corrections follow from.
  ///
  /// They are those of a whole assessment, but for effects at the median depth. Cost: that of looking
  /// at the border of the map, no pixel.
  package static func cameraFindings(
    of capture: Capture, catalog: DeviceCatalog = .bundled
  ) -> [Finding] {
    guard let record = capture.depth else { return capture.findings }
    let isCorrected = record.isRectified ?? capture.source.isGeometryCorrected
    let corrected = CorrectedDepth(cameraOf: record, isGeometryCorrected: isCorrected)
    let checks = CalibrationChecks(
      capture, record, corrected, Rectification(record, corrected), catalog)
    return capture.findings + checks.findings
      + ImageChecks(source: capture.source, record: record).findings
      + deviceFindings(capture, medianMeters: nil, catalog: catalog)
  }

  /// What is known of the device's faults; those that a step has set right are notes.
  static func deviceFindings(
    _ capture: Capture, medianMeters: Double?, catalog: DeviceCatalog,
    measured: MeasuredFocal? = nil
  ) -> [Finding] {
    let settled = settledCodes(capture.provenance)
    let checks = DeviceChecks(
      source: capture.source, medianMeters: medianMeters, catalog: catalog, measured: measured)
    return checks.findings
      .map { settled.contains($0.code) ? $0.settled : $0 }
  }

  /// What is known of a device and was set right by a step that the capture went through.
  private static func settledCodes(_ provenance: [ProvenanceStep]) -> Set<FindingCode> {
    var codes: Set<FindingCode> = []
    for step in provenance {
      if step.isUndo { return [] }
      switch step.kind {
      case .calibrationReplaced, .focalReplaced: codes.insert(.deviceFocalBeforeCorrection)
      case .zoomAligned: codes.insert(.deviceDepthZoomed)
      case .mirrored: codes.insert(.imageMirrored)
      default: break
      }
    }
    return codes
  }
}

extension CalibrationChecks {
  /// The checks of a capture's depth camera.
  init(
    _ capture: Capture, _ record: DepthRecord, _ corrected: CorrectedDepth,
    _ rectification: Rectification, _ catalog: DeviceCatalog
  ) {
    self.init(
      record: record, corrected: corrected, rectification: rectification,
      isDeviceNamed: capture.source.model != nil, isCropped: capture.isCroppedPhoto,
      catalog: catalog)
  }
}

extension Finding {
  /// A fault of the device that a step has set right: still to be known, no longer a doubt.
  var settled: Finding {
    var copy = self
    copy.severity = .note
    copy.message = "set right by a step that was applied: " + message
    copy.correction = .applied
    copy.remedies = []
    return copy
  }
}
