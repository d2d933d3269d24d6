import PlumblineCorrection
public import PlumblineModel

/// The ± of a depth map, with its parts shown: quantization, sensor and calibration.
///
/// One standard deviation of a single pixel, along the optical axis. The parts are independent, so
/// their squares add. See `Documentation/decisions/0010-sigma-model.md`.
public struct DepthUncertainty: Sendable, Hashable {
  /// From the steps of the stored codes.
  public var quantization: SigmaCurve
  /// From the sensor's noise; `nil` when the sensor is not known.
  public var sensor: SigmaCurve?
  /// From the scale of depth, or from the distances that made it metric.
  public var calibration: SigmaCurve
  /// How far lengths across the image may be off, in percent; `nil` when nobody can say.
  public var lengthPercent: Double?
  /// What the numbers rest on, in a sentence.
  public var basis: String

  /// All parts together.
  public var total: SigmaCurve {
    quantization.adding(calibration).adding(sensor ?? SigmaCurve())
  }

  /// Derives the ± of a corrected map from what its producer says.
  ///
  /// - Parameters:
  ///   - record: The map as stored.
  ///   - corrected: The map as corrected.
  ///   - camera: The kind of camera.
  ///   - lengthPercent: From the check of the calibration.
  ///   - statistics: The depths between which a fit's error is bounded.
  init(
    _ record: DepthRecord, _ corrected: CorrectedDepth, camera: CaptureSource.Camera,
    lengthPercent: Double?, statistics: DepthStatistics
  ) {
    let scale = corrected.distanceFit?.scale ?? 1
    quantization = Self.quantization(of: record, disparityScale: scale)
    let noise = SensorNoise(camera)
    sensor = noise.map {
      SigmaCurve(
        constantMeters: $0.constantMeters, perMeter: 0, perMeterSquared: $0.perMeterSquared)
    }
    var basis = [noise?.basis ?? "sensor unknown: quantization only"]
    if noise == nil, let sigma = record.sigmaMeters,
      let curve = SigmaCurve(following: sigma, of: corrected.depth)
    {
      sensor = curve
      basis = ["the ± that the map carries for each pixel"]
    }
    if let fit = corrected.distanceFit, let nearest = statistics.minimumMeters,
      let median = statistics.medianMeters, let farthest = statistics.maximumMeters
    {
      calibration = fit.sigmaCurve(nearest: nearest, median: median, farthest: farthest)
      basis.append(
        fit.distances.count == 1
          ? "scale from one distance, offset unknown" : "scale and offset from two distances")
    } else {
      calibration = SigmaCurve(
        constantMeters: 0, perMeter: noise?.depthScale ?? 0, perMeterSquared: 0)
    }
    basis.append(
      record.quantization == nil ? "stored as \(record.storedType)" : "steps of the stored codes")
    self.lengthPercent = lengthPercent
    // A length is depth over focal length times pixels: a wrong scale of depth is one of lengths.
    if let percent = lengthPercent, let fit = corrected.distanceFit,
      let median = statistics.medianMeters
    {
      let share = 100 * fit.sigmaMeters(atDepth: median) / median
      self.lengthPercent = (percent * percent + share * share).squareRoot()
    }
    self.basis = basis.joined(separator: "; ")
  }

  /// A uniform error within a step has the standard deviation step / √12.
  private static func quantization(
    of record: DepthRecord, disparityScale: Double
  ) -> SigmaCurve {
    guard let step = record.quantization.map({ abs($0.step) }) else {
      // A half has 11 bits, so its step is at most 2⁻¹⁰ of the value; a float's is nothing.
      let isHalf = record.storedType == "hdis" || record.storedType == "hdep"
      let relative = isHalf ? 0x1p-10 / 12.0.squareRoot() : 0
      return SigmaCurve(constantMeters: 0, perMeter: relative, perMeterSquared: 0)
    }
    let sigma = step / 12.0.squareRoot()
    if case .disparity = record.values {
      return SigmaCurve(constantMeters: 0, perMeter: 0, perMeterSquared: sigma * disparityScale)
    }
    return SigmaCurve(constantMeters: sigma, perMeter: 0, perMeterSquared: 0)
  }
}

extension DepthRecord {
  /// The difference in depth between two neighboring codes at a depth, in meters; `nil` for floats.
  ///
  /// - Parameters:
  ///   - meters: The depth, after any distances were applied.
  ///   - disparityScale: The scale of disparities that the distances gave; 1 without.
  /// - Returns: Meters, never negative.
  func stepMeters(atDepth meters: Double, disparityScale: Double) -> Double? {
    guard let step = quantization.map({ abs($0.step) }) else { return nil }
    if case .disparity = values { return meters * meters * step * disparityScale }
    return step
  }
}
