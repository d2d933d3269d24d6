public import PlumblineModel

/// A photo's mattes at the image's size with their edges redrawn, and a matte of the foreground
/// where the file has none.
///
/// - Source: `GuidedFilter` (He, Sun and Tang 2010).
public struct MattesEffect: Sendable, Hashable {
  /// The mask for the foreground where the photo has no matte.
  public var foreground: ForegroundMask

  /// Creates the effect.
  public init(foreground: ForegroundMask = ForegroundMask(source: .depth)) {
    self.foreground = foreground
  }

  /// The mattes, each of the image's size; O(*mattes* · *n*).
  ///
  /// - Parameters:
  ///   - scene: The photo.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The photo's own mattes redrawn, a portrait matte among them, and notes.
  /// - Throws: `.missing` without a portrait matte and without depth, `.mismatch` for a matte of
  ///   another shape, `.outOfRange`.
  public func mattes(
    of scene: EffectScene, threads: Int = 2
  ) throws(EffectError) -> (mattes: [Matte], notes: [EffectNote]) {
    var result: [Matte] = []
    var notes: [EffectNote] = []
    for matte in scene.mattes {
      let fitted = try FittedMatte(matte, scene, effect: "mattes", notes: &notes)
      result.append(
        Matte(
          kind: matte.kind,
          coverage: fitted.coverage(followsColors: true, by: scene.color, threads: threads),
          orientation: scene.orientation))
    }
    if !result.contains(where: { $0.kind == .portraitEffects }) {
      let (coverage, more) = try foreground.coverage(of: scene, effect: "mattes", threads: threads)
      notes += more
      result.insert(
        Matte(kind: .portraitEffects, coverage: coverage, orientation: scene.orientation), at: 0)
    }
    return (result, notes)
  }
}
