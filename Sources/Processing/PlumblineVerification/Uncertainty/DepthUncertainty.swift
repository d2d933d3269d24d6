import PlumblineCorrection
public import PlumblineModel

/// The ± of a depth map, with its parts shown: quantization, sensor and calibration.
///
/// One standard deviation of a single pixel, along the optical axis. The parts are independent, so
/// their squares add. See `Documentation/decisions/0010-sigma-model.md` and, for TrueDepth and
/// LiDAR, `0026-sigma-of-the-depth-sensors.md`. The noise of neighbors is not independent: what a
/// mean gains says ``noiseOfMean(over:atDepth:mapWidth:)``.
public struct DepthUncertainty: Sendable, Hashable {
  /// From the steps of the stored codes.
  public var quantization: SigmaCurve
  /// From the sensor's noise; `nil` when the sensor is not known.
  public var sensor: SigmaCurve?
  /// From what all pixels share: the scale of depth, or the distances that made it metric, and what
  /// else no mean takes away.
  public var calibration: SigmaCurve
  /// The correlation of noise between neighbors, which limits averaging.
  package var correlation = CorrelatedNoise.independent
  /// By how much the noise of a pixel of middle confidence is larger.
  ///
  /// `nil` where confidence says nothing of the noise. ``sensor`` is that of full confidence.
  package var middleConfidenceFactor: Double?
  /// What the tilt of surfaces adds to ``sensor``; `nil` where it was not measured.
  var tilt: TiltNoise?
  /// How far lengths across the image may be off, in percent; `nil` when unknown.
  public var lengthPercent: Double?
  /// What of the ± of depth all pixels share, so that it scales or bends whole scenes: ``calibration``,
  /// or of a map that carries its own ±, which does not say what its pixels share, all of it.
  package var sharedDepth = SigmaCurve()
  /// What of ``lengthPercent`` is the camera's alone, beside ``sharedDepth`` at the median depth, in
  /// percent; `nil` when unknown.
  ///
  /// The squares of the two give that of ``lengthPercent``, or less where the shared error of depth
  /// is the larger.
  package var focalPercent: Double?
  /// The basis of the numbers, in a sentence.
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
  ///   - statistics: Those of the corrected depths.
  init(
    _ record: DepthRecord, _ corrected: CorrectedDepth, camera: CaptureSource.Camera,
    lengthPercent: Double?, statistics: DepthStatistics
  ) {
    let scale = corrected.distanceFit?.scale ?? 1
    quantization = Self.quantization(of: record, disparityScale: scale)
    let noise = SensorNoise(camera)
    sensor = noise?.curve
    correlation = noise?.correlation ?? .independent
    middleConfidenceFactor = noise?.middleConfidenceFactor
    tilt = noise?.tilt
    var basis = [noise?.basis ?? "sensor unknown: quantization only"]
    var isCarried = false
    if noise == nil, let sigma = corrected.sigmaMeters,
      let curve = SigmaCurve(following: sigma, of: corrected.depth)
    {
      sensor = curve
      correlation = .surroundings
      isCarried = true
      basis = ["the ± that the map carries for each pixel"]
    }
    if let fit = corrected.distanceFit, let range = corrected.depth.usualRange {
      let map = DistanceFit.MapNoise(
        curve: sensor ?? SigmaCurve(), correlation: correlation,
        mapWidth: corrected.depth.size.width)
      calibration = fit.sigmaCurve(over: range, noise: map)
      basis.append(
        fit.distances.count == 1
          ? "scale from one distance, offset unknown" : "scale and offset from two distances")
    } else {
      calibration = noise?.shared ?? SigmaCurve()
    }
    basis.append(
      record.quantization == nil ? "stored as \(record.storedType)" : "steps of the stored codes")
    self.basis = basis.joined(separator: "; ")
    self.lengthPercent = lengthPercent
    sharedDepth = calibration
    if let median = statistics.medianMeters {
      if let percent = lengthPercent {
        let sigma = sharedSigma(atDepth: median, isCarried: isCarried, camera, record, corrected)
        let share = 100 * sigma / median
        self.lengthPercent = (percent * percent + share * share).squareRoot()
      }
      if isCarried {
        sharedDepth = SigmaCurve(perMeter: total.sigmaMeters(atDepth: median) / median)
      }
      let shared = 100 * sharedDepth.sigmaMeters(atDepth: median) / median
      focalPercent = self.lengthPercent.map { max(0, $0 * $0 - shared * shared).squareRoot() }
    }
  }

  /// What of the ± of depth all lengths across the image share, in meters.
  ///
  /// A length is depth over focal length times pixels: a wrong scale of depth is one of lengths.
  /// What is said of lengths without known distances was measured through TrueDepth, whose scale
  /// it holds, and a measured focal length comes with the sensor's scale. A ± that the map
  /// carries, as estimates do, is that of whole surfaces, not of single pixels.
  private func sharedSigma(
    atDepth median: Double, isCarried: Bool, _ camera: CaptureSource.Camera,
    _ record: DepthRecord, _ corrected: CorrectedDepth
  ) -> Double {
    if isCarried { return total.sigmaMeters(atDepth: median) }
    let holdsScale = camera == .trueDepth || record.calibrationUncertainty != nil
    if holdsScale && corrected.distanceFit == nil { return 0 }
    return calibration.sigmaMeters(atDepth: median)
  }

  /// The sensor's noise in the mean of a square of pixels, which falls slowly, since neighbors
  /// share their errors; what ``calibration`` holds does not fall at all.
  ///
  /// - Parameters:
  ///   - side: The side of the square in pixels, at least 1.
  ///   - depth: Meters.
  ///   - mapWidth: The columns of the map.
  /// - Returns: One standard deviation in meters; `nil` when the sensor is not known. Cost: O(1).
  package func noiseOfMean(over side: Double, atDepth depth: Double, mapWidth: Int) -> Double? {
    sensor.map {
      $0.sigmaMeters(atDepth: depth) * correlation.share(ofMeanOver: side, mapWidth: mapWidth)
    }
  }

  /// The sensor's noise in a pixel of a confidence.
  ///
  /// - Parameters:
  ///   - depth: Meters.
  ///   - level: The confidence of the pixel, at most `maximum`.
  ///   - maximum: That of the map, such as 2.
  /// - Returns: One standard deviation in meters; `nil` when the sensor is not known, and where the
  ///   sensor rates its pixels and trusts this one so little that no ± holds. Cost: O(1).
  public func noise(atDepth depth: Double, confidence level: UInt8, of maximum: UInt8) -> Double? {
    guard let full = sensor?.sigmaMeters(atDepth: depth) else { return nil }
    guard let factor = middleConfidenceFactor, level < maximum else { return full }
    return 2 * Int(level) < Int(maximum) ? nil : factor * full
  }

  /// A uniform error within a step has the standard deviation step / √12.
  static func quantization(
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
