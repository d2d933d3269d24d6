package import PlumblineModel

/// The errors of a capture's points: what each pixel has for itself, and what all share.
package struct MeasurementErrors: Hashable, Sendable {
  /// One standard deviation of what a pixel of full confidence has for itself, by its depth: noise and
  /// the steps of the stored codes; `nil` where the noise is not known.
  package var sensor: SigmaCurve?
  /// By how much it is larger for a pixel of middle confidence; `nil` where confidence says nothing.
  package var middleConfidenceFactor: Double?
  /// What all points share.
  package var shared: SharedErrors
  /// What the noise of neighbors has in common.
  package var region: RegionNoise

  /// The errors of a metric map.
  ///
  /// The parts are those of `check`, each counted once: the ± of a depth is ``sensor`` with
  /// ``SharedErrors/depth`` in squares, and what all lengths across the image at the median depth share
  /// is the `lengthPercent` of the capture, or more. A map that carries its own ± does not say what its
  /// pixels share: it counts for each pixel, and once more as an error of scale.
  ///
  /// - Parameters:
  ///   - uncertainty: The ± of its depths.
  ///   - record: The map as stored, with the ± of a measured calibration.
  ///   - mapWidth: The columns of the map.
  package init(_ uncertainty: DepthUncertainty, of record: DepthRecord, mapWidth: Int) {
    sensor = uncertainty.sensor.map { uncertainty.quantization.adding($0) }
    middleConfidenceFactor = uncertainty.middleConfidenceFactor
    var center = SIMD2<Double>.zero
    if let sigma = record.calibrationUncertainty?.principalPointPixels,
      let focal = record.calibration?.intrinsics.focalLength
    {
      center = sigma / focal
    }
    shared = SharedErrors(
      focalShare: uncertainty.focalPercent.map { $0 / 100 }, principalPointShare: center,
      depth: uncertainty.sharedDepth)
    region = RegionNoise(correlation: uncertainty.correlation, mapWidth: mapWidth)
  }

  /// One standard deviation of what a pixel has for itself.
  ///
  /// - Parameters:
  ///   - depth: Meters.
  ///   - level: Its confidence, with that of full confidence; `nil` without one.
  /// - Returns: Meters; `nil` where it is not known, and where a sensor that rates its pixels trusts this
  ///   one so little that no ± holds.
  package func sensorSigma(
    atDepth depth: Double, confidence level: (value: UInt8, maximum: UInt8)? = nil
  ) -> Double? {
    guard let sigma = sensor?.sigmaMeters(atDepth: depth) else { return nil }
    guard let factor = middleConfidenceFactor, let level, level.value < level.maximum else {
      return sigma
    }
    return 2 * Int(level.value) < Int(level.maximum) ? nil : factor * sigma
  }
}
