import PlumblineModel

/// What a sensor's own noise and scale error are, by its kind, from published measurements.
///
/// One standard deviation; `z` in meters. Every number is explained in
/// `Documentation/decisions/0010-sigma-model.md`.
struct SensorNoise: Hashable, Sendable {
  /// Noise that does not depend on distance, in meters.
  var constantMeters: Double
  /// Noise that grows with `z²`, in 1/m: a constant noise of the disparity.
  var perMeterSquared: Double
  /// Systematic scale error of depth: a share of `z`.
  var depthScale: Double
  /// Where the numbers come from, for the `basis` of a result.
  var basis: String

  /// The noise of a kind of camera; `nil` for cameras whose depths are not measured ones.
  init?(_ camera: CaptureSource.Camera) {
    switch camera {
    case .trueDepth:
      // 0.3–0.5 mm within a flat board at 196 mm: 0.4e-3 / 0.196² = 0.0104 1/m. Medians of
      // +0.44 and +0.52 mm against the board: 0.25 % of the distance.
      self.init(
        constantMeters: 0, perMeterSquared: 0.0104, depthScale: 0.0025,
        basis: "TrueDepth: 0.4 mm at 196 mm and 0.25 % scale, measured on three devices")
    case .lidar:
      // ±1 cm within 5 m, whatever the distance: Luetzenburg, Kroon, Bjørk 2021.
      self.init(
        constantMeters: 0.01, perMeterSquared: 0, depthScale: 0.005,
        basis: "LiDAR: 1 cm, published for iPhone 12 Pro")
    case .dual, .dualWide:
      // A quarter pixel of matching error at f = 580 px of the map and a baseline of 12 mm.
      self.init(
        constantMeters: 0, perMeterSquared: 0.036, depthScale: 0,
        basis: "dual camera: a quarter pixel of matching error, assumed")
    case .stereo, .unknown: return nil
    }
  }

  private init(
    constantMeters: Double, perMeterSquared: Double, depthScale: Double, basis: String
  ) {
    self.constantMeters = constantMeters
    self.perMeterSquared = perMeterSquared
    self.depthScale = depthScale
    self.basis = basis
  }
}
