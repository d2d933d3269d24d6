internal import PlumblineModel

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
