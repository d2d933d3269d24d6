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
