/// How far a tracked path may drift: a random error that grows with the root of the way passed.
///
/// A step of 12 cm may be wrong by 2.9 %, which is the 0.5 mm + 2 % of ``PosePrior/recordedMotion(from:previous:current:)``;
/// 10 m by 32 mm and 9 mrad (0.5°) of rotation, 100 m by 100 mm. Systematic errors of depth, which add up in
/// proportion to the way, are above it up to 1 % of 10 m at three standard deviations.
struct PoseDrift: Sendable {
  /// One standard deviation of the translation after a meter.
  static let metersPerRootMeter = 0.01
  /// One standard deviation of the rotation after a meter, in radians.
  static let radiansPerRootMeter = 0.003
  /// The same after a radian of rotation.
  static let radiansPerRootRadian = 0.003

  /// The way passed.
  var meters: Double
  /// The angle turned by on it.
  var radians: Double

  /// The way between two keyframes.
  static func between(_ a: Keyframe, _ b: Keyframe) -> PoseDrift {
    PoseDrift(
      meters: abs(b.passedMeters - a.passedMeters), radians: abs(b.passedRadians - a.passedRadians))
  }

  /// The length of the way, a radian counting as a meter: the arm of a surface at that distance.
  var length: Double { meters + radians }

  /// One standard deviation of the translation.
  var sigmaMeters: Double { Self.metersPerRootMeter * meters.squareRoot() }

  /// One standard deviation of the rotation.
  var sigmaRadians: Double {
    (Self.radiansPerRootMeter * Self.radiansPerRootMeter * meters
      + Self.radiansPerRootRadian * Self.radiansPerRootRadian * radians).squareRoot()
  }
}
