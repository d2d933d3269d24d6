public import PlumblineCorrection
import PlumblineModel
import PlumblineVerification

/// Filters depth maps by a preset and by the settings that replace or extend it.
///
/// ```swift
/// var memory = TemporalFilter.Memory()
/// let result = try CaptureFilter(.fusion).filter(analysis, after: &memory)
/// ```
public struct CaptureFilter: Sendable {
  /// The way to fill holes, whatever the preset does.
  public enum Filling: String, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// Where one surface lies around them.
    case surface
    /// From the left.
    case left
    /// With the farthest around.
    case farthest
    /// With the nearest around.
    case nearest
  }

  /// The purpose.
  public var preset: DepthFilterPreset
  /// The least confidence that stays, in place of the preset's; `nil` for that.
  public var leastConfidence: UInt8?
  /// The depths that stay, in meters; `nil` for all.
  public var rangeMeters: ClosedRange<Double>?
  /// How holes are filled, in place of what the preset does; `nil` for that.
  public var filling: Filling?
  /// The side of squares of which one pixel is left, 2 to 8; `nil` for the map's own size.
  public var decimation: Int?
  /// Whether the map is brought to the size of the color image.
  public var isUpsampled = false

  /// Creates a filter of a preset as it is.
  public init(_ preset: DepthFilterPreset = .metrology) { self.preset = preset }

  /// The filters in the order in which they are applied.
  public var chain: DepthFilterChain {
    var chain = preset.chain
    if let leastConfidence {
      chain.filters.removeAll { $0 is ConfidenceThreshold }
      chain.filters.insert(ConfidenceThreshold(leastLevel: leastConfidence), at: 0)
    }
    if let rangeMeters {
      chain.filters.insert(
        RangeLimits(
          nearest: Float(rangeMeters.lowerBound), farthest: Float(rangeMeters.upperBound)),
        at: 0)
    }
    if let decimation {
      // Before anything smooths, after everything that removes.
      let index =
        chain.filters.firstIndex { $0 is BilateralFilter } ?? chain.filters.endIndex
      chain.filters.insert(MedianDecimation(side: decimation), at: index)
    }
    if let filling {
      chain.fillers.removeAll()
      switch filling {
      case .none: break
      case .surface: chain.fillers.append(HoleFilling())
      case .left: chain.fillers.append(HoleFilling(rule: .left))
      case .farthest: chain.fillers.append(HoleFilling(rule: .farthest))
      case .nearest: chain.fillers.append(HoleFilling(rule: .nearest))
      }
    }
    if isUpsampled { chain.fillers.append(GuidedUpsampling()) }
    return chain
  }

  /// Whether the captures should come with their color image, since a filter of ``chain`` uses it.
  public var needsColor: Bool { chain.needsColor }

  /// Filters the depth map of a capture, or of one frame of a recording.
  ///
  /// - Parameters:
  ///   - analysis: The capture as read and assessed, with its color where ``needsColor`` says so.
  ///   - memory: What frames before left; a new one for each recording.
  /// - Returns: The capture before and after, with what each filter did.
  /// - Throws: ``CorrectionError`` for a capture without depths in meters. Cost: O(*n*).
  public func filter(
    _ analysis: CaptureAnalysis, after memory: inout TemporalFilter.Memory
  ) throws(CorrectionError) -> FilterResult {
    guard let record = analysis.capture.depth, let corrected = analysis.corrected else {
      throw CorrectionError(
        .missing, step: "filter", expected: "a depth map", found: "none")
    }
    guard analysis.hasFilterableDepth else {
      throw CorrectionError(
        .relative, step: "filter", expected: "depths in meters", found: "relative ones")
    }
    let (noise, noiseBasis) = Self.noise(of: corrected.depth, analysis.assessment.uncertainty)
    let crop = record.cleanAperture.flatMap { $0.size == record.size ? nil : $0 }
    func cropped(_ raster: Raster<UInt8>) -> Raster<UInt8> {
      crop.map { raster.cropped(to: $0) } ?? raster
    }
    let frame = DepthFrame(
      depth: corrected.depth, sigma: noise,
      confidence: record.confidence.map {
        ConfidenceMap(levels: cropped($0.levels), maximumLevel: $0.maximumLevel)
      },
      color: analysis.colorInDepthFrame, inventedPixels: record.inventedPixels.map(cropped))
    let chain = chain
    let filtered = chain.applied(to: frame, after: &memory)
    return FilterResult(
      before: analysis, filtered: filtered, noise: noise, noiseBasis: noiseBasis,
      calibration: corrected.calibration.flatMap {
        Self.camera($0, after: chain, size: filtered.frame.size)
      },
      sigmaMeters: filtered.frame.totalSigmaMeters(
        shared: analysis.assessment.uncertainty?.calibration ?? SigmaCurve()))
  }

  /// The law of the sensor's noise, and its basis in words.
  static func noise(
    of depth: DepthMap, _ uncertainty: DepthUncertainty?
  ) -> (law: SigmaCurve, basis: String) {
    let known = uncertainty.map { $0.quantization.adding($0.sensor ?? SigmaCurve()) }
    if let known, uncertainty?.sensor != nil { return (known, "the sensor's noise") }
    // At least a tenth of a millimeter: a map without noise is not a map without error.
    let seen = SigmaCurve(noiseOf: depth) ?? SigmaCurve(perMeter: 0.005)
    return (
      seen.adding(known ?? SigmaCurve()).adding(SigmaCurve(constantMeters: 0.0001)),
      "sensor unknown: noise between neighboring pixels of this map"
    )
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
}

extension CaptureAnalysis {
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
