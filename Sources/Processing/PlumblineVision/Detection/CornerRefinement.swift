import CKernels
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

/// What a small patch of an image says about a saddle near its center.
///
/// A checkerboard corner looks the same after half a turn about itself, however bright, blurred or
/// slanted it is: `I(c + d) = I(c − d)`. All estimates here rest on sums over such pairs of pixels.
struct CornerPatch {
  /// Sums over pairs, in gray levels and pixels.
  let sums: plb_corner_sums

  /// How many pixels beyond its radius a patch needs of the image.
  static let margin = 3

  /// Reads the patch around a point, or `nil` when it reaches over the image's border.
  ///
  /// - Precondition: The radius is from 1 to 8, and the pixels are as many as the size says.
  init?(around point: SIMD2<Double>, radius: Int, in window: PixelWindow) {
    precondition((1...Int(PLB_CORNER_MAXIMUM_RADIUS)).contains(radius), "a radius of \(radius)")
    let reach = Double(radius + Self.margin)
    // Comparisons are false for NaN, so whatever passes fits an Int.
    guard point.x >= reach && point.x < Double(window.width) - reach,
      point.y >= reach && point.y < Double(window.height) - reach,
      let base = window.pixels.baseAddress
    else { return nil }
    let (column, row) = (Int(point.x), Int(point.y))
    sums = plb_sum_corner(
      base + row * window.stride + column, window.stride, radius, Float(point.x - Double(column)),
      Float(point.y - Double(row)))
  }

  /// How far the center of symmetry lies from the patch's middle, in pixels.
  ///
  /// With `δ` the way to the center and `β` the relative change of light for each pixel,
  /// `I(d) − I(−d) = −(g(d) − g(−d))·δ + (I(d) + I(−d))·β·d`; `β` is eliminated. Without a bound on
  /// `β` it would take up noise of blurred corners: it is held by the prior ``lightPrior``.
  ///
  /// - Source: Gauss–Newton on point symmetry; see Documentation/corners.md for its error beside
  ///   the gradient method of W. Förstner and E. Gülch (ISPRS 1987), which `cornerSubPix` uses.
  var symmetryStep: SIMD2<Double>? {
    let (a, b, c) = (
      Double(sums.light_xx) + Self.lightPrior, Double(sums.light_xy),
      Double(sums.light_yy) + Self.lightPrior
    )
    let light = a * c - b * b
    guard light > 0 else { return nil }
    let (inverseXX, inverseXY, inverseYY) = (c / light, -b / light, a / light)
    func eliminated(_ p: SIMD2<Double>, _ q: SIMD2<Double>) -> Double {
      p.x * (inverseXX * q.x + inverseXY * q.y) + p.y * (inverseXY * q.x + inverseYY * q.y)
    }
    let x = SIMD2(Double(sums.j_light_xx), Double(sums.j_light_xy))
    let y = SIMD2(Double(sums.j_light_yx), Double(sums.j_light_yy))
    let difference = SIMD2(Double(sums.light_difference_x), Double(sums.light_difference_y))
    return Self.solution(
      xx: Double(sums.j_xx) - eliminated(x, x), xy: Double(sums.j_xy) - eliminated(x, y),
      yy: Double(sums.j_yy) - eliminated(y, y),
      right: SIMD2(
        eliminated(x, difference) - Double(sums.j_difference_x),
        eliminated(y, difference) - Double(sums.j_difference_y)))
  }

  /// How far the point lies, in pixels, that all edges of the patch run through.
  ///
  /// Less exact than ``symmetryStep`` but right from farther away.
  /// - Source: W. Förstner and E. Gülch, A Fast Operator for Detection and Precise Location of
  ///   Distinct Points, Corners and Centres of Circular Features, ISPRS 1987.
  var orthogonalityStep: SIMD2<Double>? {
    Self.solution(
      xx: Double(sums.gradient_xx), xy: Double(sums.gradient_xy), yy: Double(sums.gradient_yy),
      right: SIMD2(Double(sums.line_x), Double(sums.line_y)))
  }

  /// The prior on the change of light: noise of 2 gray levels, a tenth of it left and correlated
  /// over 10 pixels after smoothing, against 0.2 % of light for each pixel: 10·(0.87/0.002)².
  static let lightPrior = 2e6

  /// Solves a symmetric system of two equations, or gives `nil` when it is near singular: when all
  /// edges run the same way, or there are none.
  private static func solution(
    xx: Double, xy: Double, yy: Double, right: SIMD2<Double>
  ) -> SIMD2<Double>? {
    let determinant = xx * yy - xy * xy
    let trace = xx + yy
    guard determinant > 0.01 * trace * trace && determinant > 0 else { return nil }
    return SIMD2(yy * right.x - xy * right.y, xx * right.y - xy * right.x) / determinant
  }

  /// Whether the patch looks the same after half a turn, rises along one axis and falls along the
  /// other, and stands out of noise.
  var isSaddle: Bool {
    let weight = Double(sums.weight)
    let mean = Double(sums.sum) / weight
    // Of P(d) + P(−d), so twice the contrast.
    let variance = Double(sums.sum_sum) / weight - mean * mean
    guard variance > 16, Double(sums.difference_difference) / weight < 0.1 * variance
    else { return false }
    let (xx, xy, yy) = (Double(sums.bend_xx), Double(sums.bend_xy), Double(sums.bend_yy))
    // Eigenvalues of opposite sign, the smaller at least a tenth of the larger.
    return xx * yy - xy * xy < -0.08 * (xx * xx + 2 * xy * xy + yy * yy)
  }
}

/// The pixels of an image while they are borrowed from their raster.
struct PixelWindow {
  /// All samples, row after row, padding included.
  let pixels: UnsafeBufferPointer<UInt8>
  /// The number of columns.
  let width: Int
  /// The number of rows.
  let height: Int
  /// The distance between the starts of two rows.
  let stride: Int
}
