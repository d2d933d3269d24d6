import CKernels

/// Draws each disparity to a plane through its neighbors: a near one everywhere, and a far one,
/// fitted twice, as far as the surface is as plain as that.
///
/// A far plane has less noise, a near one less bias where a surface curves. What the far plane
/// moves the near one's values has a mean square nearby; where that is what noise alone would move
/// them, the far plane is taken, and less of it the greater the mean square. Missing pixels stay
/// missing.
/// - Source: the local choice between estimates of growing reach by whether noise explains their
///   difference is Lepski's; O. Lepski, E. Mammen, V. Spokoiny, "Optimal spatial adaptation to
///   inhomogeneous smoothness", Annals of Statistics 25(3), 1997. The soft share by mean squares
///   is this project's.
package struct SurfaceSmoothing {
  /// How far the near plane reaches, in pixels: its 3×3 neighbors.
  package static let nearRadiusPixels = 4
  /// The variance of the near plane's values per mean square of what it moved them: a ninth for
  /// neighbors of independent noise, and about twice that as neighbors 4 pixels apart share half of
  /// what they are matched by.
  package static let noiseShare: Float = 0.25
  /// σ of the near plane's values per q of ``MatchingSigma``, in pixels: what mean squares do not
  /// show where noise is alike over more than the near plane, as in images that were enlarged.
  /// - Source: decision 0027; 0.1 to 0.3 were tried.
  package static let noisePixels: Float = 0.2

  private let near: PlaneSmoothing
  private let far: PlaneSmoothing

  package init(width: Int, height: Int, radiusPixels: Int, disparities: Range<Int>) {
    near = PlaneSmoothing(
      width: width, height: height, radiusPixels: min(radiusPixels, Self.nearRadiusPixels),
      disparities: disparities)
    far = PlaneSmoothing(
      width: width, height: height, radiusPixels: radiusPixels, disparities: disparities)
  }

  /// Moves disparities, and turns q of each into its σ; see ``MatchingSigma``.
  ///
  /// - Complexity: O(pixels), one further map of floats.
  package func apply(
    to disparity: UnsafeMutablePointer<Float>, ratios: UnsafeMutablePointer<Float>, threads: Int
  ) {
    let (width, height) = (near.width, near.height)
    let shifts = MatchingMemory<Float>(unwritten: width * height)
    nonisolated(unsafe) let (values, sigmas, moved) = (disparity, ratios, shifts.base)
    let curve = NeighborhoodMeans(
      of: ratios, where: disparity, width: width, height: height, whenNone: MatchingSigma.mostRatio)
    near.forEachRow(of: disparity, threads: threads) { y, fit in
      let row = values + y * width, shift = moved + y * width
      fit(PlaneSmoothing.Rows(shift: shift))
      for x in 0..<width { row[x] += shift[x] }
    }
    let noise = NeighborhoodMeans(
      of: moved, where: moved, areSquared: true, width: width, height: height)
    far.forEachRow(of: disparity, threads: threads) { y, fit in
      let row = values + y * width, shift = moved + y * width
      fit(PlaneSmoothing.Rows(shift: shift))
      for x in 0..<width { row[x] += shift[x] }
    }
    far.forEachRow(of: disparity, threads: threads) { y, fit in
      let row = values + y * width, shift = moved + y * width, sigma = sigmas + y * width
      let room = MatchingMemory<Float>(unwritten: 3 * width)
      let (again, neighbors) = (room.base, room.base + width), ratio = room.base + 2 * width
      fit(PlaneSmoothing.Rows(shift: again, variance: sigma, neighbors: neighbors))
      curve.write(row: y, to: ratio)
      plb_stereo_refit(width, Self.surface, again, neighbors, ratio, row, shift, sigma)
    }
    let misfit = NeighborhoodMeans(
      of: moved, where: moved, areSquared: true, width: width, height: height)
    forEachPart(of: 0..<height, threads: threads) { rows in
      let room = MatchingMemory<Float>(unwritten: 3 * width)
      let (noises, misfits) = (room.base, room.base + width), ratio = room.base + 2 * width
      for y in rows {
        let row = values + y * width, sigma = sigmas + y * width, shift = moved + y * width
        noise.write(row: y, to: noises)
        misfit.write(row: y, to: misfits)
        curve.write(row: y, to: ratio)
        // What is missing has a NaN of its own.
        plb_stereo_blend(width, Self.surface, shift, noises, misfits, ratio, row, sigma)
      }
    }
  }

  private static var surface: plb_stereo_surface {
    plb_stereo_surface(
      least: MatchingSigma.leastPixels, curve: MatchingSigma.curvePixels,
      edge: MatchingSigma.edgePixels, misfit: MatchingSigma.curvatureShare,
      own: MatchingSigma.ownShare, noise_share: noiseShare, noise_curve: noisePixels)
  }
}

/// Fits a plane to the disparities around each pixel.
///
/// Whole disparities of a leaning surface come in steps and the noise of neighbors is their own; a
/// plane through those that differ little has neither.
///
/// It works on whole numbers of 16 bits, twice as many at once as floats. Their unit is a power of
/// two of a pixel, 1/256 for up to 255 disparities and the default radius: rounding neighbors adds
/// less than 1 % of that of a pixel's own noise.
package struct PlaneSmoothing {
  /// By how much a neighbor's disparity differs at most, in pixels.
  static let tolerancePixels: Float = 1.5
  /// The farthest that a plane reaches, in pixels.
  static let largestRadiusPixels = 32

  let width: Int
  let height: Int
  /// A multiple of the step.
  let radius: Int
  /// Pixels in a unit, and the pixels of unit 0.
  package let scale: Float
  let offset: Float

  package init(width: Int, height: Int, radiusPixels: Int, disparities: Range<Int>) {
    self.width = width
    self.height = height
    let step = Int(PLB_PLANE_STEP)
    radius = min(max(radiusPixels, 0), Self.largestRadiusPixels) / step * step
    let steps = radius / step
    // The kernel's sums fit, and so does the range with a margin for slopes and for what is
    // missing.
    let weight = max(steps * (steps + 1) * (2 * steps + 1), 1)
    let mostBySums = 32_767 / (Self.tolerancePixels * Float(weight))
    let mostByRange = 65_000 / Float(disparities.count + 16)
    var units: Float = 256
    while units > 1, units > min(mostBySums, mostByRange) { units /= 2 }
    scale = 1 / units
    offset = Float(disparities.lowerBound) + Float(disparities.count) / 2
  }

  /// What one row of fits is written to; ``variance`` and ``neighbors`` are both `nil` or neither
  /// is.
  package struct Rows {
    /// By how much the plane lies above each disparity, in pixels; NaN where it is missing.
    package var shift: UnsafeMutablePointer<Float>
    /// What the fit leaves of the variance of one pixel's own noise, 0 to 1.
    package var variance: UnsafeMutablePointer<Float>?
    /// The share of the neighbors that differ little enough to be fitted.
    package var neighbors: UnsafeMutablePointer<Float>?

    package init(
      shift: UnsafeMutablePointer<Float>, variance: UnsafeMutablePointer<Float>? = nil,
      neighbors: UnsafeMutablePointer<Float>? = nil
    ) {
      self.shift = shift
      self.variance = variance
      self.neighbors = neighbors
    }
  }

  /// Calls `fit` with each row, in any order and on several threads: it is given a closure that
  /// writes that row's fits, and may change the row of `disparity` afterwards.
  package func forEachRow(
    of disparity: UnsafeMutablePointer<Float>, threads: Int,
    _ body: @Sendable (_ row: Int, _ fit: (Rows) -> Void) -> Void
  ) {
    // Strips of 32 pixels may reach beyond the end of a row.
    let stride = width + 2 * radius + 32
    let padded = MatchingMemory<Int16>(
      count: stride * (height + 2 * radius) + 32, repeating: Int16(PLB_PLANE_MISSING))
    nonisolated(unsafe) let source = padded.base
    for y in 0..<height {
      plb_stereo_quantize(
        disparity + y * width, width, scale, offset, source + (y + radius) * stride + radius)
    }
    forEachPart(of: 0..<height, threads: threads) { rows in
      for y in rows {
        body(y) { target in
          plb_stereo_smooth(
            source + (y + radius) * stride + radius, stride, width, Int32(radius),
            Int16(Self.tolerancePixels / scale), scale, target.shift, target.variance,
            target.neighbors)
        }
      }
    }
  }
}

/// The σ of a pixel disparity, in pixels, from what matching and smoothing saw around it.
///
/// q is the mean of (least + ½) / rise nearby: `least` is what the best disparity costs on all
/// paths, `rise` how much more its dearer neighbor does, so that curves that are deep and steep
/// are sure.
///
/// Without smoothing σ is 0.044 + 0.65 · q. With ``SurfaceSmoothing``,
/// σ² = 0.05² + (0.4·q)²·h + (0.3·(1 − n))² + (0.55·m)² + (0.4·s)²:
/// h is what the far plane's fit leaves of one pixel's own variance and n the share of its
/// neighbors that are on the pixel's surface, s what the far plane moves the near one's value and
/// m the root mean square of that nearby. ``FacingSurfaces`` adds what its own change leaves, and
/// ``SurfaceEdges`` the uncertainty of which of two surfaces a pixel shows.
/// - Source: this project's choice, for 68 % of the errors on real pairs with truth; decision 0027
///   and Documentation/stereo.md say on which, and what clean simulated ones give.
package enum MatchingSigma {
  static let offsetPixels: Float = 0.044
  static let scalePixels: Float = 0.65
  /// What is added to the least cost: half its unit.
  static let floor: Float = 0.5
  /// The most that q may be: beyond 6 pixels of σ a curve says no more.
  static let mostRatio: Float = 10

  /// What no neighborhood shows, in pixels: what rectification left, and how images were made.
  ///
  /// On real pairs the medians of the errors are 0.05 to 0.09 px, whichever matcher.
  package static let leastPixels: Float = 0.05
  /// σ per q before smoothing takes its share of the variance.
  package static let curvePixels: Float = 0.4
  /// σ per root mean square of what the far plane moves the near ones around the pixel: surfaces
  /// that curve, lean in steps, or are too weak in texture to be matched.
  package static let curvatureShare: Float = 0.55
  /// σ per what the far plane moves the pixel itself.
  package static let ownShare: Float = 0.4
  /// σ where no neighbor is on the pixel's own surface, in pixels: foregrounds grow over their
  /// edges.
  package static let edgePixels: Float = 0.3

  /// Without smoothing.
  static func unsmoothed(ratio: Float) -> Float { offsetPixels + scalePixels * ratio }
}
