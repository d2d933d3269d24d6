internal import CKernels
public import PlumblineModel

/// A photo's foreground before another background, or before none.
///
/// Edges are mixed in stored codes with colors that were freed from the old background.
/// - Source: ``ForegroundMask`` for what is in front, `ForegroundColors` for its colors.
public struct BackgroundEffect: Sendable, Equatable {
  /// What comes behind the foreground.
  public enum Background: Sendable, Equatable {
    /// Nothing: the result has opacity, and no color where it is 0.
    case transparent
    /// One color.
    case color(RGB8)
    /// An image, cut to the photo's shape around its middle.
    case image(Raster<RGB8>)
    /// The photo's own background, what the foreground hid filled in, blurred by a σ in percent of
    /// the photo's longer side, 0 to 20.
    case blurred(sigmaPercent: Double)
  }

  /// The new background.
  public var background: Background
  /// The mask of the foreground.
  public var foreground: ForegroundMask
  /// Whether the colors of edges are freed from the old background.
  public var decontaminatesEdges: Bool

  /// Creates the effect.
  public init(
    _ background: Background, foreground: ForegroundMask = ForegroundMask(),
    decontaminatesEdges: Bool = true
  ) {
    self.background = background
    self.foreground = foreground
    self.decontaminatesEdges = decontaminatesEdges
  }

  /// Applies it; O(*n*), the same for any number of threads.
  ///
  /// - Throws: `.missing` without what ``foreground`` needs, `.mismatch` for a background without
  ///   pixels or a matte of another shape, `.outOfRange`.
  public func applied(to scene: EffectScene, threads: Int = 2) throws(EffectError) -> EffectImage {
    let effect = "background"
    switch background {
    case .image(let image) where image.size.pixelCount == 0:
      throw EffectError(
        .mismatch, effect: effect, expected: "a background with pixels", found: "\(image.size)")
    case .blurred(let percent) where !(percent >= 0 && percent <= 20):
      throw EffectError(
        .outOfRange, effect: effect, expected: "a blur of 0...20 % of the longer side",
        found: "\(percent) %")
    default: break
    }
    let (coverage, notes) = try foreground.coverage(of: scene, effect: effect, threads: threads)
    let front =
      decontaminatesEdges
      ? ForegroundColors.estimated(scene.color, coverage, threads: threads) : scene.color.packed
    func result(_ color: Raster<RGB8>) -> EffectImage {
      EffectImage(color: color, notes: notes)
    }
    switch background {
    case .transparent:
      return EffectImage(
        color: front.hidden(by: coverage, threads: threads), opacity: coverage, notes: notes)
    case .color(let color):
      return result(ImageMixing.blend(front, over: color, coverage, threads: threads))
    case .image(let image):
      let fitted = image.covering(scene.color.size, threads: threads)
      return result(ImageMixing.blend(front, over: fitted, coverage, threads: threads))
    case .blurred(let percent):
      let behind = BlurredBackground.made(
        scene.color, coverage, sigmaPercent: percent, threads: threads)
      return result(ImageMixing.blend(front, over: behind, coverage, threads: threads))
    }
  }
}

extension Raster where Sample == RGB8 {
  /// Black where coverage is 0, so that a cut-out does not carry what was cut away.
  fileprivate func hidden(by coverage: Raster<UInt8>, threads: Int) -> Raster<RGB8> {
    var samples = self.samples
    coverage.samples.withUnsafeBufferPointer { levels in
      samples.withUnsafeMutableBytes { pixels in
        guard let levels = levels.baseAddress,
          let pixels = pixels.bindMemory(to: UInt8.self).baseAddress
        else { return }
        plb_mask_hide(levels, size.pixelCount, pixels)
      }
    }
    return Raster(size: size, samples: samples)
  }
}
