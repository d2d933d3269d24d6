internal import CKernels
internal import PlumblineModel

/// Color within a range of distances, gray elsewhere.
///
/// Gray is the luma of stored codes.
/// - Source: weights of Rec. ITU-R BT.709-6, section 3.2.
public struct IsolateEffect: Sendable, Hashable {
  /// The near end of the range that keeps its color; `nil` for no such end.
  public var nearest: SceneDistance?
  /// The far end of the range; `nil` for no such end.
  public var farthest: SceneDistance?
  /// The width of the soft borders, in standard deviations of disparity, 0 to 100.
  ///
  /// Borders are never narrower than a fiftieth of the range of the scene's disparities.
  public var borderSigmas: Double
  /// Whether borders are redrawn along the image's colors.
  public var followsColors: Bool

  /// Creates the effect.
  public init(
    nearest: SceneDistance?, farthest: SceneDistance?, borderSigmas: Double = 4,
    followsColors: Bool = true
  ) {
    self.nearest = nearest
    self.farthest = farthest
    self.borderSigmas = borderSigmas
    self.followsColors = followsColors
  }

  /// Applies it; O(*n*), the same for any number of threads.
  ///
  /// - Throws: `.missing` without depth, or for meters of a relative scene; `.outOfRange`, also for
  ///   a near end behind the far one.
  public func applied(to scene: EffectScene, threads: Int = 2) throws(EffectError) -> EffectImage {
    let effect = "isolate"
    guard borderSigmas >= 0, borderSigmas <= 100 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a border of 0 to 100 standard deviations",
        found: "\(borderSigmas)")
    }
    let disparity = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    let ramp = max(disparity.spread * 0.02, disparity.sigma * Float(borderSigmas))
    // An end that is not given is placed beyond all disparities and the border.
    var high = disparity.maximum + ramp
    var low = disparity.least - ramp
    if let nearest { high = try disparity.disparity(at: nearest, effect: effect) }
    if let farthest { low = try disparity.disparity(at: farthest, effect: effect) }
    guard low <= high || nearest == nil || farthest == nil else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a near end before the far one",
        found: "\(nearest.map { "\($0)" } ?? "") and \(farthest.map { "\($0)" } ?? "")")
    }
    let levels = MaskLevels.between(low, high, width: ramp, disparity, threads: threads)
    let coverage = scene.redrawn(levels, followsColors: followsColors, threads: threads)
    let notes = scene.coarsenessNote(for: "borders").map { [$0] } ?? []
    let color = ImageMixing.mix(scene.color, coverage, threads: threads) {
      pixels, levels, _, count, target in
      plb_mask_desaturate(pixels, levels, count, target)
    }
    var image = EffectImage(color: color, notes: notes)
    // Gray is as bright as the color was, and so is that of the brighter rendition.
    image.keepsGainMap = true
    return image
  }
}
