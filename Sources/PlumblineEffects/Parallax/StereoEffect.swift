internal import PlumblineModel

/// Two views of a photo, for two eyes.
///
/// The left camera stands half a baseline left of the photo's own, the right one as far right. With
/// the focus at infinity (disparity 0) they are parallel cameras; another focus shifts both images
/// so that it lies in the screen.
public struct StereoEffect: Sendable, Hashable {
  /// The distance between both cameras.
  public var amplitude: ParallaxAmplitude
  /// The distance that both see in the same position; `nil` for parallel cameras of a metric scene, and
  /// for the middle of a relative one.
  public var focus: SceneDistance?
  /// The longer side of the images at most, in pixels, 1 to 16384.
  public var maximumSide: Int
  /// Whether the border, where nothing is known of what comes in, is cut off.
  public var cropsBorder: Bool

  /// Creates the effect.
  public init(
    amplitude: ParallaxAmplitude = .percentOfWidth(3), focus: SceneDistance? = .nearness(0.5),
    maximumSide: Int = 16384, cropsBorder: Bool = false
  ) {
    self.amplitude = amplitude
    self.focus = focus
    self.maximumSide = maximumSide
    self.cropsBorder = cropsBorder
  }

  /// Makes both views; O(*n* · parallax in pixels), the same for any number of threads.
  ///
  /// - Throws: `.missing` without depth, or for meters of a relative scene; `.outOfRange`.
  public func pair(of scene: EffectScene, threads: Int = 2) throws(EffectError) -> StereoViews {
    let effect = "stereo"
    guard maximumSide >= 1, maximumSide <= 16384 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a side of 1...16384 px", found: "\(maximumSide) px")
    }
    let focus = focus ?? (scene.isMetric ? .disparity(0) : .nearness(0.5))
    let stage = try ParallaxStage(
      scene, amplitude, focus, maximumSide: maximumSide, effect: effect, threads: threads)
    let views = [-0.5, 0.5].map {
      stage.view(x: $0, y: 0, cropsBorder: cropsBorder, threads: threads)
    }
    var pair = StereoViews(left: views[0], right: views[1], notes: stage.notes)
    if let camera = scene.intrinsics, !cropsBorder {
      pair.intrinsics = camera.scaled(to: pair.left.size)
    }
    if case .baseline(let meters) = amplitude { pair.baselineMeters = meters }
    return pair
  }
}
