internal import PlumblineModel

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
    let background = BackgroundCompletion(
      color: small, disparity: [Float](repeating: 0, count: small.size.pixelCount),
      known: levels.samples.map { $0 < 3 ? 1 : 0 }, threads: threads)
    // Three boxes of radius r have the variance r(r + 1).
    let target = sigma / Double(side)
    let radius = Int(((1 + 4 * target * target).squareRoot() / 2 - 0.5).rounded())
    return background.color.boxBlurred(radius: radius, passes: 3, threads: threads)
      .resized(to: image.size, threads: threads)
  }
}
