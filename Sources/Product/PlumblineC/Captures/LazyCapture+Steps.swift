import Plumbline

extension LazyCapture {
  /// The capture corrected, as a new one whose origin is `handle`.
  ///
  /// - Throws: ``CorrectionError``; a missing part without a depth map; a matter of usage where the capture was
  ///   opened with distances, which belong to the map as it was.
  func corrected(
    by corrector: CaptureCorrector, device: String?, from handle: CaptureHandle
  ) throws -> CaptureHandle {
    guard analyzer.measuredDistances.isEmpty else {
      throw InterfaceError.usage(
        "known-distance",
        expected: "a capture that was opened without, since corrections keep the stored map",
        found: "distances")
    }
    var changed = analyzer
    if let device { changed.deviceModel = device }
    // The steps are made with numbers before and after, so the analysis keeps the capture's own.
    changed.catalog = .bundled
    let analysis = try wholeAnalysis(by: changed, color: .full)
    guard analysis.capture.depth != nil else {
      throw CaptureReadingError(.missing, expected: "a depth map to correct", found: "none")
    }
    let after = try corrector.correct(analysis).after
    return made(
      after.capture, steps: after.corrected?.steps.count ?? 0, knowing: corrector.catalog,
      from: handle)
  }

  /// The capture with filtered depth, as a new one whose origin is `handle`.
  ///
  /// - Throws: ``CorrectionError`` for depths that are not in meters, or none.
  func filtered(by filter: CaptureFilter, from handle: CaptureHandle) throws -> CaptureHandle {
    let analysis = try wholeAnalysis(by: analyzer, color: filter.needsColor ? .full : .none)
    var memory = TemporalFilter.Memory()
    let result = try filter.filter(analysis, after: &memory)
    return made(result.capture, steps: 0, knowing: analyzer.catalog, from: handle)
  }

  /// Numbers with their ±: `plumbline.measure/1`.
  ///
  /// - Throws: ``MeasuringError`` for pixels outside of the capture.
  mutating func measured(_ requests: [MeasurementRequest]) throws -> JSONValue {
    let analysis = try analysis()
    return try CaptureMeasurer(analysis).measure(requests).document(of: analysis)
  }

  /// A capture that a step made; the last `steps` of its provenance were those of its assessment, which is
  /// made again.
  private func made(
    _ capture: Capture, steps: Int, knowing devices: DeviceCatalog, from handle: CaptureHandle
  ) -> CaptureHandle {
    var capture = capture
    capture.provenance.removeLast(min(steps, capture.provenance.count))
    var analyzer = CaptureAnalyzer(limits: analyzer.limits, color: .none, threads: analyzer.threads)
    analyzer.readsCompanions = false
    analyzer.catalog = devices
    return CaptureHandle(
      .made(capture, name: origin.name, sha256: origin.sha256, from: handle), by: analyzer,
      file: handle.file)
  }

  /// The capture with its assessment and with what is beside its depth; not kept, since color is large.
  private func wholeAnalysis(
    by analyzer: CaptureAnalyzer, color: CaptureReader.ColorRequest
  ) throws -> CaptureAnalysis {
    var analyzer = analyzer
    analyzer.color = color
    analyzer.readsCompanions = true
    var capture = try origin.capture(by: analyzer)
    if case .made(_, _, _, let parent) = origin, capture.color == nil, color != .none,
      let image = try parent.withParts({ parts throws in try parts.colors() })
    {
      capture.color = image
      capture.colorOrientation = capture.depth?.orientation ?? .up
    }
    return analyzer.analysis(
      of: try analyzer.corrected(capture), fileName: origin.name, sha256: origin.sha256)
  }
}
