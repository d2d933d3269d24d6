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
    let (mattes, notes, _) = try decidedMattes(of: scene, threads: threads)
    return (mattes, notes)
  }

  /// The same with what decided what is in front; `nil` where the photo's own matte did.
  ///
  /// - Throws: As ``mattes(of:threads:)``.
  package func decidedMattes(
    of scene: EffectScene, threads: Int = 2
  ) throws(EffectError) -> (
    mattes: [Matte], notes: [EffectNote], decision: ForegroundDecision?
  ) {
    var decision: ForegroundDecision?
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
      let found = try foreground.foreground(of: scene, effect: "mattes", threads: threads)
      notes += found.notes
      decision = found.decision
      result.insert(
        Matte(kind: .portraitEffects, coverage: found.coverage, orientation: scene.orientation),
        at: 0)
    }
    return (result, notes, decision)
  }
}

/// A matte that is known to cover the image.
struct FittedMatte {
  private let coverage: Raster<UInt8>
  private let size: RasterSize
  private let enlargement: Double

  /// Checks that a matte has the image's shape.
  ///
  /// - Throws: `.mismatch`.
  init(
    _ matte: Matte, _ scene: EffectScene, effect: String, notes: inout [EffectNote]
  ) throws(EffectError) {
    let target = scene.color.size
    coverage = matte.coverage
    size = target
    guard coverage.size.pixelCount > 0, target.pixelCount > 0,
      abs(coverage.size.aspectRatio / target.aspectRatio - 1) < 0.01
    else {
      throw EffectError(
        .mismatch, effect: effect, expected: "a matte of the shape of \(target)",
        found: "\(coverage.size)")
    }
    enlargement = Double(target.width) / Double(coverage.width)
    if coverage.size != target {
      notes.append(
        EffectNote(
          .resampledMatte,
          "the \(matte.kind.rawValue) matte of \(coverage.size) was brought to \(target)"))
    }
  }

  /// At the image's size.
  func coverage(
    followsColors: Bool, by guide: Raster<RGB8>, threads: Int
  ) -> Raster<UInt8> {
    let resized = coverage.resized(to: size, threads: threads)
    guard followsColors else { return resized }
    return GuidedFilter(
      radiusPixels: max(4 * enlargement, Double(size.width) / 400, 6), epsilon: MaskEdges.epsilon,
      image: size
    )
    .redrawn(resized.samples.map { UInt16($0) * 16 }, by: guide, threads: threads)
  }
}
