public import PlumblineCorrection
public import PlumblineModel
import PlumblineVerification

/// A capture before and after filters.
public struct CaptureFilterRun: Sendable {
  /// The capture as it was read and assessed.
  public var before: CaptureCheck
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

  /// Filters one frame.
  ///
  /// - Parameters:
  ///   - check: The assessed capture, with its color where filters use it.
  ///   - request: Which filters.
  ///   - memory: What frames before left; a new one for each recording.
  /// - Throws: ``CorrectionError`` for a capture without depths in meters. Cost: O(*n*).
  public init(
    _ check: CaptureCheck, request: FilterRequest,
    after memory: inout TemporalFilter.Memory
  ) throws(CorrectionError) {
    guard let record = check.capture.depth, let corrected = check.corrected else {
      throw CorrectionError(
        .missing, step: "filter", expected: "a depth map", found: "none")
    }
    guard check.hasFilterableDepth else {
      throw CorrectionError(
        .unsupported, step: "filter",
        expected: "depths in meters; --known-distance makes them", found: "relative ones")
    }
    let uncertainty = check.assessment.uncertainty
    let known = uncertainty.map { $0.quantization.adding($0.sensor ?? SigmaCurve()) }
    if let known, uncertainty?.sensor != nil {
      noise = known
      noiseBasis = "the sensor's noise"
    } else {
      // At least a tenth of a millimeter: a map without noise is not a map without error.
      let seen = SigmaCurve(noiseOf: corrected.depth) ?? SigmaCurve(perMeter: 0.005)
      noise = seen.adding(known ?? SigmaCurve()).adding(SigmaCurve(constantMeters: 0.0001))
      noiseBasis = "sensor unknown: noise between neighboring pixels of this map"
    }
    let crop = record.cleanAperture.flatMap { $0.size == record.size ? nil : $0 }
    func cropped(_ raster: Raster<UInt8>) -> Raster<UInt8> {
      crop.map { raster.cropped(to: $0) } ?? raster
    }
    let frame = DepthFrame(
      depth: corrected.depth, sigma: noise,
      confidence: record.confidence.map {
        ConfidenceMap(levels: cropped($0.levels), maximumLevel: $0.maximumLevel)
      },
      color: check.colorInDepthFrame, inventedPixels: record.inventedPixels.map(cropped))
    let chain = request.chain
    before = check
    let result = chain.applied(to: frame, after: &memory)
    filtered = result
    calibration = corrected.calibration.flatMap {
      Self.camera($0, after: chain, size: result.frame.size)
    }
    let scale = uncertainty?.calibration ?? SigmaCurve()
    let depths = result.frame.depth.meters
    let own = result.frame.sigmaMeters
    let total = Raster(size: own.size) { (x: Int, y: Int) -> Float in
      let depth = Double(depths[x, y])
      let systematic = Float(scale.sigmaMeters(atDepth: depth))
      return (own[x, y] * own[x, y] + systematic * systematic).squareRoot()
    }
    sigmaMeters = total
  }

  private static func camera(
    _ camera: CameraCalibration, after chain: DepthFilterChain, size: RasterSize
  ) -> CameraCalibration? {
    var camera = camera
    for case let decimation as MedianDecimation in chain.filters {
      guard decimation.size(of: camera.intrinsics.size).pixelCount > 0 else { return nil }
      camera = decimation.calibration(camera)
    }
    guard size.pixelCount > 0 else { return nil }
    return camera.intrinsics.size == size ? camera : camera.scaled(to: size)
  }

  /// The filtered capture: depths with the ± of each pixel, what was invented, and the steps.
  ///
  /// The clean aperture is applied, the stored codes are gone, and the color image is the reader's.
  public var capture: Capture {
    var capture = before.capture
    let frame = filtered.frame
    capture.depth?.values = .depth(frame.depth)
    capture.depth?.storedSamples = nil
    capture.depth?.quantization = nil
    capture.depth?.cleanAperture = nil
    capture.depth?.accuracy = .absolute
    capture.depth?.hasUnit = true
    capture.depth?.calibration = calibration
    capture.depth?.confidence = frame.confidence
    capture.depth?.sigmaMeters = sigmaMeters
    capture.depth?.inventedPixels = frame.inventedPixels
    capture.depth?.residual = nil
    let changes = filtered.reports.contains { $0.movedPixels + $0.inventedPixels > 0 }
    if changes { capture.depth?.isFiltered = true }
    capture.provenance += filtered.reports.map { ProvenanceStep($0.name, $0.sentence) }
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
}

extension CaptureCheck {
  /// Whether the depths are in meters, so that filters know what a step is.
  ///
  /// That needs a unit, not the promise of one that is absolute: a file of millimeters that does not
  /// say how they were measured has one.
  public var hasFilterableDepth: Bool {
    if corrected?.isMetric == true { return true }
    guard let record = capture.depth, case .depth = record.values else { return false }
    return record.hasUnit && record.accuracy == .unknown
  }
}
