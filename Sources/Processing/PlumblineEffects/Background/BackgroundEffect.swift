import CKernels
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
        .outOfRange, effect: effect, expected: "a blur of 0 to 20 % of the longer side",
        found: "\(percent) %")
    default: break
    }
    let found = try foreground.foreground(of: scene, effect: effect, threads: threads)
    let coverage = found.coverage
    let front =
      decontaminatesEdges
      ? ForegroundColors.estimated(scene.color, coverage, threads: threads) : scene.color.packed
    func result(_ color: Raster<RGB8>, opacity: Raster<UInt8>? = nil) -> EffectImage {
      var image = EffectImage(color: color, opacity: opacity, notes: found.notes)
      image.foreground = found.decision
      return image
    }
    switch background {
    case .transparent:
      return result(front.hidden(by: coverage, threads: threads), opacity: coverage)
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

/// A photo's background alone, blurred: the foreground is filled from around it first, so that
/// nothing of it glows around its edge.
enum BlurredBackground {
  /// The longer side at which it is blurred at least; detail beyond it is lost to the blur.
  private static let workingSide = 320

  static func made(
    _ image: Raster<RGB8>, _ coverage: Raster<UInt8>, sigmaPercent: Double, threads: Int
  ) -> Raster<RGB8> {
    let longer = max(image.width, image.height)
    let sigma = sigmaPercent / 100 * Double(longer)
    // A pixel of the reduced image is at most a third of σ, so that enlarging leaves no trace.
    let side = max(min(longer / workingSide, Int(sigma / 3)), 1)
    let small = image.reduced(bySide: side, threads: threads)
    let levels = coverage.resized(to: small.size, threads: threads)
      .boxBlurred(radius: 2, passes: 1, threads: threads)
    let background = BackgroundCompletion.completed(
      color: small, disparity: [Float](repeating: 0, count: small.size.pixelCount),
      known: levels.samples.map { $0 < 3 ? 1 : 0 }, threads: threads)
    // Three boxes of radius r have the variance r(r + 1).
    let target = sigma / Double(side)
    let radius = Int(((1 + 4 * target * target).squareRoot() / 2 - 0.5).rounded())
    return background.color.boxBlurred(radius: radius, passes: 3, threads: threads)
      .resized(to: image.size, threads: threads)
  }
}

extension Raster where Sample == RGB8 {
  /// The image as large as a target must be covered, its middle kept, as `object-fit: cover` does.
  ///
  /// - Source: CSS Images Module Level 3, section 5.5 (`object-fit`).
  /// - Precondition: Both sizes have pixels.
  func covering(_ target: RasterSize, threads: Int) -> Raster<RGB8> {
    if size == target { return packed }
    let isWide = width * target.height > height * target.width
    let kept =
      isWide
      ? RasterSize(width: max(height * target.width / target.height, 1), height: height)
      : RasterSize(width: width, height: max(width * target.height / target.width, 1))
    let cut = cropped(
      to: PixelRectangle(
        x: (width - kept.width) / 2, y: (height - kept.height) / 2, width: kept.width,
        height: kept.height))
    let side = min(kept.width / max(target.width, 1), kept.height / max(target.height, 1))
    return cut.reduced(bySide: side, threads: threads).resized(to: target, threads: threads)
  }

  /// Means of squares of some pixels.
  func reduced(bySide side: Int, threads: Int) -> Raster<RGB8> {
    guard side > 1 else { return packed }
    let small = RasterSize(width: (width + side - 1) / side, height: (height + side - 1) / side)
    let pixels: [UInt8] = samples.withUnsafeBytes { colors in
      nonisolated(unsafe) let colors = colors
      return filled(3 * small.pixelCount, rows: small.height, threads: threads) { rows, target in
        guard let colors = colors.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_guided_reduce_colors(
          colors, rowStride, Int32(width), Int32(height), Int32(side), Int32(rows.lowerBound),
          Int32(rows.upperBound), target)
      }
    }
    return Raster(size: small, pixels: pixels)
  }
}
