import PlumblineModel

/// Finds where four squares meet, to a small part of a pixel.
///
/// The corner is the point about which the image looks the same after half a turn. That holds for
/// any blur, slant, contrast and tone curve as long as the patch shows nothing but the four
/// squares, so the radius should be at most half a square's side of a chessboard and a quarter of
/// one of a ChArUco board, whose markers end the symmetry.
///
/// - Source: Documentation/corners.md has the errors beside those of OpenCV's `cornerSubPix`.
struct CornerRefinement: Hashable, Sendable {
  /// How many pixels around a corner are used, from 2 to 8; also how far a corner may move.
  var radius: Int

  /// Creates a refinement; a radius outside 2…8 becomes the nearest of these.
  ///
  /// - Parameter radius: In pixels. 4 suits chessboard squares from 8 pixels and ChArUco squares
  ///   from 16 pixels.
  init(radius: Int = 4) {
    self.radius = min(max(radius, Self.radii.lowerBound), Self.radii.upperBound)
  }

  /// The refinement for chessboard squares whose shorter side has so many pixels.
  ///
  /// - Parameters:
  ///   - squarePixels: The side; what is not a number counts as small.
  ///   - hasMarkers: Whether every white square holds a marker, which halves the radius.
  init(squarePixels: Double, hasMarkers: Bool = false) {
    let radius = squarePixels * (hasMarkers ? 0.25 : 0.5)
    guard radius >= 2 else {
      self.init(radius: Self.radii.lowerBound)
      return
    }
    self.init(radius: Int(min(radius, Double(Self.radii.upperBound))))
  }

  /// The radii that make sense: below, noise rules; above, the curve of a lens.
  private static let radii = 2...8

  /// The corner near a point, in pixels, or `nil` where the image has no saddle within the radius.
  ///
  /// Where the patch is not symmetric, such as for smaller squares than expected, smaller ones are
  /// tried. Takes about 3 µs for a radius of 4.
  ///
  /// - Parameters:
  ///   - start: A first guess in pixels, within half the radius of the corner for certain success;
  ///     anything else, NaN included, gives `nil` or a corner within the radius.
  ///   - luma: The image. A corner less than five pixels from its border cannot be refined.
  /// - Returns: The corner in pixels; the center of the first pixel is (0, 0).
  func refined(_ start: SIMD2<Double>, in luma: Raster<UInt8>) -> SIMD2<Double>? {
    luma.samples.withUnsafeBufferPointer { pixels in
      let window = PixelWindow(
        pixels: pixels, width: luma.width, height: luma.height, stride: luma.rowStride)
      return refined(start, in: window)
    }
  }

  /// The same for pixels that are already at hand.
  func refined(_ start: SIMD2<Double>, in window: PixelWindow) -> SIMD2<Double>? {
    var used = min(max(radius, Self.radii.lowerBound), Self.radii.upperBound)
    while true {
      let corner =
        settled(from: start, radius: used, fromAfar: false, in: window)?.point
        ?? settled(from: start, radius: used, fromAfar: true, in: window)?.point
      if corner != nil || used == Self.radii.lowerBound { return corner }
      used = max(used * 2 / 3, Self.radii.lowerBound)
    }
  }

  /// Iterates from a start until the steps end; `nil` when they lead away or to no saddle.
  ///
  /// - Parameters:
  ///   - start: Where to begin, in pixels.
  ///   - radius: Of the patch, in pixels.
  ///   - fromAfar: Whether edges lead the way until they end close by, which reaches farther,
  ///     though not for small patches of blurred corners.
  ///   - window: The image.
  ///   - steps: No more steps than this are made; good corners converge in 2 to 5.
  /// - Returns: The corner and the patch of the last step.
  func settled(
    from start: SIMD2<Double>, radius: Int, fromAfar: Bool, in window: PixelWindow,
    steps: Int = 12
  ) -> (point: SIMD2<Double>, patch: CornerPatch)? {
    var point = start
    var isNear = !fromAfar
    for _ in 0..<steps {
      guard let patch = CornerPatch(around: point, radius: radius, in: window),
        var step = isNear ? patch.symmetryStep : patch.orthogonalityStep
      else { return nil }
      let length = (step * step).sum().squareRoot()
      if length > Self.longestStep { step *= Self.longestStep / length }
      point += step
      let way = point - start
      // Also false for what is not a number.
      guard (way * way).sum() <= Double(self.radius * self.radius) else { return nil }
      if isNear && length < Self.settledStep { return patch.isSaddle ? (point, patch) : nil }
      if length < Self.nearStep { isNear = true }
    }
    return nil
  }

  /// After a step as short as this, in pixels, the next would be a tenth of it: linearization errs
  /// by the square of the step over that of the edge's width.
  private static let settledStep = 0.02
  /// Where the center of symmetry takes over from the edges, in pixels.
  private static let nearStep = 0.3
  /// No single step goes farther, in pixels: beyond an edge's width it would be a guess.
  private static let longestStep = 1.5
}
