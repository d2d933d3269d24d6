import PlumblineModel

/// The noise and the shared error of a sensor, by its kind.
///
/// One standard deviation; `z` in meters. Every number is explained in
/// `Documentation/decisions/0026-sigma-of-the-depth-sensors.md` and `Documentation/sensors.md`;
/// `Scripts/study-sensors` measures them.
struct SensorNoise: Hashable, Sendable {
  /// Noise that does not depend on distance, in meters.
  var constantMeters: Double
  /// Noise that grows with `z²`, in 1/m: a constant noise of the disparity.
  var perMeterSquared: Double
  /// An error that all pixels of a region share and no mean takes away, in meters.
  var sharedMeters = 0.0
  /// Systematic scale error of depth: a share of `z`.
  var depthScale: Double
  /// The correlation between pixels, which limits the gain of averaging.
  var correlation = CorrelatedNoise.independent
  /// By how much the noise of a pixel of middle confidence is larger, where the sensor rates
  /// pixels; one of low confidence then has no ± at all.
  var middleConfidenceFactor: Double?
  /// What steep surfaces add, where it was measured.
  var tilt: TiltNoise?
  /// The source of the numbers, for the `basis` of a result.
  var basis: String

  /// The noise of a kind of camera; `nil` for cameras whose depths are not measured ones.
  init?(_ camera: CaptureSource.Camera) {
    switch camera {
    case .trueDepth:
      // Boards at 0.15 to 0.5 m and up to 50° from the ray, bend removed. The scale is that of
      // decision 0010: medians of +0.44 and +0.52 mm against the board at 196 mm.
      self.init(
        constantMeters: 0.00035, perMeterSquared: 0.0056, depthScale: 0.0025,
        correlation: .trueDepth, tilt: .trueDepth,
        basis: "TrueDepth: noise measured on boards at 0.15 to 0.5 m with two devices, farther "
          + "away extrapolated; 0.25 % scale, measured on three")
    case .lidar:
      // Noise: overlapping frames of a recording, a small motion of each pair removed, confidence
      // 2. Shared: ±1 cm, Luetzenburg, Kroon, Bjørk 2021.
      self.init(
        constantMeters: 0.0015, perMeterSquared: 0.001, sharedMeters: 0.01, depthScale: 0.01,
        correlation: .lidar, middleConfidenceFactor: 5,
        basis:
          "LiDAR at full confidence: noise measured where frames of one recording overlap, five "
          + "times as large at confidence 1, none holds at 0; 1 cm shared by neighbors, published for iPhone 12 Pro; 1 % scale, assumed"
      )
    case .dual, .dualWide:
      // A quarter pixel of matching error at f = 580 px of the map and a baseline of 12 mm.
      self.init(
        constantMeters: 0, perMeterSquared: 0.036, depthScale: 0,
        basis: "dual camera: a quarter pixel of matching error, assumed")
    case .stereo, .unknown: return nil
    }
  }

  private init(
    constantMeters: Double, perMeterSquared: Double, sharedMeters: Double = 0, depthScale: Double,
    correlation: CorrelatedNoise = .independent, middleConfidenceFactor: Double? = nil,
    tilt: TiltNoise? = nil, basis: String
  ) {
    self.constantMeters = constantMeters
    self.perMeterSquared = perMeterSquared
    self.sharedMeters = sharedMeters
    self.depthScale = depthScale
    self.correlation = correlation
    self.middleConfidenceFactor = middleConfidenceFactor
    self.tilt = tilt
    self.basis = basis
  }

  /// The noise of one pixel.
  var curve: SigmaCurve {
    SigmaCurve(constantMeters: constantMeters, perMeterSquared: perMeterSquared)
  }

  /// The error that all pixels share.
  var shared: SigmaCurve { SigmaCurve(constantMeters: sharedMeters, perMeter: depthScale) }
}
