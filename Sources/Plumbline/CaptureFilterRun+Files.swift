import PlumblineCorrection
import PlumblineExport
import PlumblineImages
public import PlumblineIO
import PlumblineModel

extension CaptureFilterRun {
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
    let median = sigmas.isEmpty ? nil : Double(sigmas[sigmas.count / 2]) * 1000
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
