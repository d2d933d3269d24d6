public import PlumblineCorrection
import PlumblineExport
import PlumblineImages
public import PlumblineIO
public import PlumblineModel
import PlumblineNumerics

/// A capture before and after filters: what ``CaptureFilter`` returns.
public struct FilterResult: Sendable {
  /// The capture as it was read and assessed.
  public var before: CaptureAnalysis
  /// The filtered frame and what each filter did.
  public var filtered: FilteredDepth
  /// The law of the sensor's own noise that the filters went by.
  public var noise: SigmaCurve
  /// The basis of that law, in words.
  public var noiseBasis: String
  /// The camera at the size of the result; `nil` where none is known.
  public var calibration: CameraCalibration?
  /// One standard deviation of each depth, in meters: the sensor's noise, what filters added, and the
  /// scale of the whole map; NaN where missing.
  public var sigmaMeters: Raster<Float>
}

extension FilterResult {
  /// The filtered capture: depths with the ± of each pixel, what was invented, and the steps.
  ///
  /// The clean aperture is applied, the stored codes are gone, and the color image is the reader's. A
  /// map that keeps its grid keeps its camera as the file states it, lens included.
  public var capture: Capture {
    var capture = before.capture
    let frame = filtered.frame
    let record = capture.depth
    let keepsGrid =
      frame.size == record?.size
      && (record?.cleanAperture == nil || record?.cleanAperture?.size == record?.size)
    // Steps that only move points, or that the kept camera did not go through, are not in this map.
    var unwritten: Set<ProvenanceStep.Kind> = [.rectifiedPoints, .keptRectified]
    if keepsGrid { unwritten.insert(.scaledIntrinsics) }
    let steps = before.corrected?.steps ?? []
    capture.provenance.removeLast(min(steps.count, capture.provenance.count))
    capture.provenance += steps.filter { step in
      step.kind.map { !unwritten.contains($0) } ?? true
    }
    capture.depth?.values = .depth(frame.depth)
    capture.depth?.storedSamples = nil
    capture.depth?.quantization = nil
    capture.depth?.cleanAperture = nil
    // Millimeters of unknown accuracy stay so, however clean they are.
    if before.corrected?.isMetric == true { capture.depth?.accuracy = .absolute }
    capture.depth?.hasUnit = true
    if !keepsGrid {
      capture.depth?.calibration = calibration
      if let old = record?.calibration?.intrinsics.size, let new = calibration?.intrinsics.size {
        capture.depth?.calibrationUncertainty = record?.calibrationUncertainty?.scaled(
          from: old, to: new)
      }
    }
    capture.depth?.confidence = frame.confidence
    capture.depth?.sigmaMeters = sigmaMeters
    capture.depth?.inventedPixels = frame.inventedPixels
    capture.depth?.residual = nil
    let changes = filtered.reports.contains { $0.movedPixels + $0.inventedPixels > 0 }
    if changes { capture.depth?.isFiltered = true }
    capture.provenance += filtered.reports.map {
      ProvenanceStep(name: $0.name, detail: $0.sentence)
    }
    if let finding { capture.findings.append(finding) }
    return capture
  }

  /// The finding about depths that filters filled in; `nil` when there are none.
  public var finding: Finding? {
    let count = filtered.frame.inventedPixels?.samples.count { $0 != 0 } ?? 0
    guard count > 0 else { return nil }
    return Finding(
      .depthInvented, .caution, "\(count) depths were filled in by filters.",
      evidence: "inventedPixels", correction: .none)
  }

  /// The filtered map as files in memory: depth in three forms, its ±, what was invented, the camera
  /// and the report; O(*n*).
  public var files: [Extraction.File] {
    let frame = filtered.frame
    let origin = before.origin
    var files = Extraction.files(of: frame.depth, isMetric: true, origin: origin)
    func add(_ name: String, _ bytes: [UInt8]) {
      files.append(Extraction.File(name: name, bytes: bytes))
    }
    add("sigma.npy", NPYWriter().bytes(sigmaMeters))
    let invented = frame.inventedPixels ?? Raster(size: frame.size, repeating: 0)
    add("invented.png", PNGEncoder().encoded(invented.map { $0 == 0 ? UInt8(0) : 255 }))
    if let confidence = frame.confidence {
      add("confidence.png", PNGEncoder().encoded(confidence.levels))
    }
    if let calibration {
      let document = CalibrationDocument(
        calibration: calibration, mapSize: frame.size,
        orientation: before.capture.depth?.orientation ?? .up,
        isRectified: before.capture.depth?.isRectified,
        uncertainty: before.capture.depth?.calibrationUncertainty, origin: origin)
      add("calibration.json", JSONWriter().bytes(document.json))
    }
    add("filter.json", JSONWriter().bytes(document()))
    return files
  }

  /// The document `plumbline.filter/1`, as `Documentation/cli.md` describes it; also what
  /// `filter.json` holds.
  ///
  /// - Parameter outputs: The paths that were written; none for `filter.json` itself.
  /// - Returns: The document.
  public func document(outputs: [String] = []) -> JSONValue {
    let frame = filtered.frame
    let sigmas = zip(sigmaMeters.samples, frame.inventedPixels?.samples ?? [])
      .filter { $0.1 != 0 }.map(\.0).sorted()
    let median = sigmas.middleOfSorted.map { Double($0) * 1000 }
    return .object([
      ("schema", "plumbline.filter/1"),
      ("file", .string(before.fileName)),
      ("sha256", .string(before.sha256)),
      ("width", .integer(frame.size.width)),
      ("height", .integer(frame.size.height)),
      ("measured", .integer(frame.depth.meters.samples.count { !$0.isNaN } - sigmas.count)),
      ("invented", .integer(sigmas.count)),
      ("inventedSigmaMillimeters", .number(median)),
      (
        "noise",
        .object([
          ("constantMeters", .number(noise.constantMeters)), ("perMeter", .number(noise.perMeter)),
          ("perMeterSquared", .number(noise.perMeterSquared)), ("basis", .string(noiseBasis)),
        ])
      ),
      ("filters", .array(filtered.reports.map(\.document))),
      ("findings", .array((finding.map { [$0] } ?? []).map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}

extension DepthFilterReport {
  /// The settings and what was done, in one line.
  public var sentence: String {
    var parts: [String] = []
    if removedPixels > 0 { parts.append("\(removedPixels) removed") }
    if inventedPixels > 0 { parts.append("\(inventedPixels) invented") }
    if movedPixels > 0 {
      parts.append(
        "\(movedPixels) moved by \(meanMoveMillimeters.fixed(2)) mm, at most "
          + "\(worstMoveMillimeters.fixed(2)) mm")
    }
    let done = parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    return "\(detail): of \(measuredPixels) pixels \(done)"
  }

  /// Adds what the same filter did to another map: pixels add up, the largest change is kept.
  public mutating func add(_ other: DepthFilterReport) {
    let moved = movedPixels + other.movedPixels
    if moved > 0 {
      meanMoveMillimeters =
        (meanMoveMillimeters * Double(movedPixels)
          + other.meanMoveMillimeters * Double(other.movedPixels)) / Double(moved)
    }
    movedPixels = moved
    measuredPixels += other.measuredPixels
    removedPixels += other.removedPixels
    inventedPixels += other.inventedPixels
    worstMoveMillimeters = max(worstMoveMillimeters, other.worstMoveMillimeters)
  }

  /// One entry of `filters`.
  var document: JSONValue {
    .object([
      ("filter", .string(name)), ("detail", .string(detail)),
      ("measured", .integer(measuredPixels)), ("removed", .integer(removedPixels)),
      ("invented", .integer(inventedPixels)), ("moved", .integer(movedPixels)),
      ("meanMoveMillimeters", .number(meanMoveMillimeters)),
      ("worstMoveMillimeters", .number(worstMoveMillimeters)),
    ])
  }
}
