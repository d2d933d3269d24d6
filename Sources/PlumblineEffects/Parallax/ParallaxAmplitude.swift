internal import PlumblineModel

/// The amplitude of a virtual camera's motion.
public enum ParallaxAmplitude: Hashable, Sendable {
  /// By how much the nearest and the farthest of the scene move against each other, in percent of
  /// the image's width; 0 to 20.
  case percentOfWidth(Double)
  /// By meters, 0 to 1; only where the scene's disparity is metric and its camera known.
  case baseline(meters: Double)
}

extension ParallaxAmplitude {
  /// Pixels that one unit of disparity moves a pixel of a scene.
  ///
  /// - Throws: `.outOfRange`, or `.missing` for meters of a relative scene.
  func pixelsPerUnit(
    _ scene: EffectScene, _ disparity: CleanDisparity, effect: String
  ) throws(EffectError) -> Double {
    switch self {
    case .percentOfWidth(let percent):
      guard percent >= 0, percent <= 20 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a parallax of 0...20 % of the width",
          found: "\(percent) %")
      }
      // A scene of one disparity has no parallax of its own.
      guard disparity.nearest > disparity.farthest else { return 0 }
      return percent / 100 * Double(scene.color.width) / Double(disparity.spread)
    case .baseline(let meters):
      guard meters >= 0, meters <= 1 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a baseline of 0...1 m", found: "\(meters) m")
      }
      guard scene.isMetric, let camera = scene.intrinsics else {
        throw EffectError(
          .missing, effect: effect, expected: "absolute depth and a camera for \(meters) m",
          found: scene.isMetric ? "no camera" : "relative disparity")
      }
      return meters * camera.scaled(to: scene.color.size).focalLength.x
    }
  }
}
