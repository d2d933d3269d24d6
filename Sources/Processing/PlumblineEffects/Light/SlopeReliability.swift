/// How far slopes of a depth map can be trusted, by its ±.
///
/// A disparity that is off by σ moves a point at Z by σ·Z² along the axis. Errors of depth cameras are
/// waves of some pixels, so that a slope is off by about that over the width of a wave, w·Z/f: by σ·Z·f/w.
struct SlopeReliability {
  /// The width of a wave in pixels of the working image, of 512 across: what smoothing leaves.
  private static let wavePixels: Float = 16
  /// Waves are larger than what a map says of itself, which is often its codes alone.
  private static let waveSigmas: Float = 3
  /// The least σ of a wave, as a share of the scene's range of disparities.
  private static let leastShare: Float = 0.004
  /// Slopes that are off by less are trusted; by more than the second, not at all.
  ///
  /// A slope of 0.15 is 9°, by which Lambert's law changes light from the side by 15 %.
  private static let limits: (sure: Float, unsure: Float) = (0.15, 0.35)

  /// How much a slope is off by, for each unit of depth.
  private let perDepth: Float

  /// - Parameters:
  ///   - sigma: One standard deviation of a disparity.
  ///   - spread: The range of most disparities, in the same unit.
  ///   - focalLengthPixels: Of the working image.
  init(sigma: Float, spread: Float, focalLengthPixels: Float) {
    let wave = max(Self.waveSigmas * sigma, Self.leastShare * spread)
    perDepth = wave * focalLengthPixels / Self.wavePixels
  }

  /// One standard deviation of a slope, as a tangent.
  func slopeSigma(depth: Float) -> Float { perDepth * depth }

  /// How far a normal at a depth is trusted, 0 to 1; not at all where the depth is not finite.
  func share(depth: Float) -> Float {
    let (sure, unsure) = Self.limits
    let place = (unsure - slopeSigma(depth: depth)) / (unsure - sure)
    guard place > 0 else { return 0 }
    let share = min(place, 1)
    return share * share * (3 - 2 * share)
  }

  /// How far a surface at a depth is smoothed once more, 0 to 1: wholly where slopes are no longer sure.
  func smoothing(depth: Float) -> Float {
    let place = slopeSigma(depth: depth) / Self.limits.sure
    return place > 0 ? min(place * place, 1) : 0
  }
}
